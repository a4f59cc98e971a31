/* What the feedback adds to tau in the states q and u of step `step`. */
static void ${m}_feedback_torque(
    const ${m}_real *q,
    const ${m}_real *u,
${row_declarations}    const ${m}_feedback *feedback,
    size_t step,
    int *codes,
    ${m}_real *torque)
{
    ${M}_LANES_ALIGNED ${m}_real q_ref[${q_lanes}];
    ${M}_LANES_ALIGNED ${m}_real u_ref[${u_lanes}];
    ${M}_LANES_ALIGNED ${m}_real error[${u_lanes}];
    const ${m}_signal *signal = &feedback->q_ref;
${unused}    ${m}_to_lanes(&signal->rows[step*signal->step], ${nq}, signal->state, q_ref);
    signal = &feedback->u_ref;
    ${m}_to_lanes(&signal->rows[step*signal->step], ${nu}, signal->state, u_ref);
${difference}    for (int i = 0; i < ${nu}; i++) {
        for (int k = i*${M}_LANES; k < (i + 1)*${M}_LANES; k++) {
            error[k] = feedback->kp[i]*error[k] + feedback->kd[i]*(u_ref[k] - u[k]);
        }
    }
${computed_torque}    for (int k = 0; k < ${u_lanes}; k++) {
        torque[k] = error[k];
    }
}

