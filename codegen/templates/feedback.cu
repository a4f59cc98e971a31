
/*
 * Feedback, sampled at the beginning of each step unless is_on is 0: with e the displacement from q
 * to its reference, v = kp*e + kd*(u_ref - u), entry by entry, and
 *     tau + v                                  if computed_torque is 0,
 *     tau + inverse_dynamics(q, u, a_ref + v)  otherwise.
 */
struct ${m}_feedback {
    ${m}_signal q_ref;
    ${m}_signal u_ref;
    ${m}_signal a_ref;  /* of computed torque alone */
    ${m}_real kp[${nu}];
    ${m}_real kd[${nu}];
    int computed_torque;
    int is_on;
};

/* What the feedback adds to tau in the states q and u of step `step`. */
${M}_DEVICE int ${m}_feedback_torque(
    const ${m}_real *q,
    const ${m}_real *u,
${held_declarations}    ${m}_real time,
    const ${m}_feedback &feedback,
    int step,
    size_t k,
    ${m}_real *torque)
{
    ${m}_real q_ref[${nq}];
    ${m}_real u_ref[${nu}];
    ${m}_real error[${nu}];
    int status = ${M}_OK;
${unused}    ${m}_load(feedback.q_ref, step, k, ${nq}, q_ref);
    ${m}_load(feedback.u_ref, step, k, ${nu}, u_ref);
${difference}    for (int i = 0; i < ${nu}; i++) {
        torque[i] = feedback.kp[i]*error[i] + feedback.kd[i]*(u_ref[i] - u[i]);
    }
${computed_torque}    return status;
}
