
/*
 * Feedback, sampled at the beginning of each step: with e the displacement from q to its reference,
 * v = kp*e + kd*(u_ref - u), entry by entry, and
 *     tau + v                                  if computed_torque is 0,
 *     tau + inverse_dynamics(q, u, a_ref + v)  otherwise.
 */
typedef struct {
    ${m}_signal q_ref;
    ${m}_signal u_ref;
    ${m}_signal a_ref;  /* of computed torque alone */
    ${m}_real kp[${nu}];
    ${m}_real kd[${nu}];
    int computed_torque;
} ${m}_feedback;
