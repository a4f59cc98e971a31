int ${m}_${method}_rollouts(
    ${m}_real *q,
    ${m}_real *u,
${held_declarations}${feedback_declaration}${time_declaration}    ${m}_real h,
    int steps,
    int every,
    int codes[${M}_RESTRICT ${M}_LANES])
{
${coefficients}    enum { Q = ${q_lanes}, U = ${width_lanes} };
    const int rows = steps/every + 1;
    const size_t recorded = (size_t)rows;
    ${M}_LANES_ALIGNED ${m}_real x[Q + U];
    ${M}_LANES_ALIGNED ${m}_real x_stage[Q + U];
    ${M}_LANES_ALIGNED ${m}_real sum[Q + U];
${rates}    ${m}_real time[${M}_LANES];
${row_arrays}    int found[${M}_LANES];
    for (int k = 0; k < ${M}_LANES; k++) {
        codes[k] = ${M}_OK;
    }
    ${m}_to_lanes(q, ${nq}, recorded*${nq}u, x);
    ${m}_to_lanes(u, ${width}, recorded*${width}u, &x[Q]);
    for (int step = 0; step < steps; step++) {
        (void)time;
${row_loads}${feedback_call}${step}${normalize}        if ((step + 1) % every == 0) {
            const int taken = (step + 1)/every;
            const size_t row = (size_t)taken;
            ${m}_from_lanes(x, ${nq}, recorded*${nq}u, &q[row*${nq}u]);
            ${m}_from_lanes(&x[Q], ${width}, recorded*${width}u, &u[row*${width}u]);
        }
    }
    for (int k = 0; k < ${M}_LANES; k++) {
        if (codes[k] != ${M}_OK) {
            return codes[k];
        }
    }
    return ${M}_OK;
}
