static void ${m}_rollouts_merge(const int *found, int *codes)
{
    for (int k = 0; k < ${M}_LANES; k++) {
        if (codes[k] == ${M}_OK) {
            codes[k] = found[k];
        }
    }
}

${feedback_definition}int ${m}_${method}_rollouts(
    ${m}_real *q,
    ${m}_real *u,
${held_declarations}${feedback_declaration}${time_declaration}    ${m}_real h,
    int steps,
    int every,
    int codes[${M}_RESTRICT ${M}_LANES])
{
    static const ${m}_real a[${stages}][${stages}] = {
${a}
    };
    static const ${m}_real b[${stages}] = {${b}};
    static const ${m}_real c[${stages}] = {${c}};
    enum { Q = ${q_lanes}, U = ${width_lanes} };
    const int rows = steps/every + 1;
    const size_t recorded = (size_t)rows;
    ${M}_LANES_ALIGNED ${m}_real x[Q + U];
    ${M}_LANES_ALIGNED ${m}_real x_stage[Q + U];
    ${M}_LANES_ALIGNED ${m}_real sum[Q + U];
    ${M}_LANES_ALIGNED ${m}_real rate[${stages}][Q + U];
    ${m}_real time[${M}_LANES];
${row_arrays}    int found[${M}_LANES];
    for (int k = 0; k < ${M}_LANES; k++) {
        codes[k] = ${M}_OK;
    }
    ${m}_to_lanes(q, ${nq}, recorded*${nq}u, x);
    ${m}_to_lanes(u, ${width}, recorded*${width}u, &x[Q]);
    for (int step = 0; step < steps; step++) {
        (void)time;
${row_loads}${feedback_call}        for (int i = 0; i < ${stages}; i++) {
            for (int k = 0; k < Q + U; k++) {
                sum[k] = ${zero};
            }
            for (int j = 0; j < i; j++) {
                for (int k = 0; k < Q + U; k++) {
                    sum[k] += a[i][j]*rate[j][k];
                }
            }
            for (int k = 0; k < Q + U; k++) {
                x_stage[k] = x[k] + h*sum[k];
            }
            for (int k = 0; k < ${M}_LANES; k++) {
                time[k] = ${start}(${m}_real)step*h + c[i]*h;
            }
            (void)${coordinate_rates}_lanes(${coordinate_rates_arguments}, rate[i], found);
            ${m}_rollouts_merge(found, codes);
            (void)${forward_dynamics}_lanes(${forward_dynamics_arguments}, &rate[i][Q], found);
            ${m}_rollouts_merge(found, codes);
${element_states}        }
        for (int k = 0; k < Q + U; k++) {
            sum[k] = ${zero};
        }
        for (int i = 0; i < ${stages}; i++) {
            for (int k = 0; k < Q + U; k++) {
                sum[k] += b[i]*rate[i][k];
            }
        }
        for (int k = 0; k < Q + U; k++) {
            x[k] += h*sum[k];
        }
${normalize}        if ((step + 1) % every == 0) {
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
