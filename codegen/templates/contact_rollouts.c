static void ${m}_contact_merge(const int *found, int *codes)
{
    for (int k = 0; k < ${M}_LANES; k++) {
        if (codes[k] == ${M}_OK) {
            codes[k] = found[k];
        }
    }
}

/* ${M}_LANES runs by steps of either method; a run that fails leaves the others alone. */
static int ${m}_contact_rollouts(
    ${m}_real *q,
    ${m}_real *u,
${signal_declarations}    ${m}_real t,
    ${m}_real h,
    int steps,
    int every,
    int *codes,
    int is_midpoint)
{
    enum { L = ${M}_LANES, Q = ${nq}*L, U = ${nu}*L };
    const size_t recorded = (size_t)(steps/every + 1);
    ${M}_LANES_ALIGNED ${m}_real at_start[Q];
    ${M}_LANES_ALIGNED ${m}_real q_rows[Q];
    ${M}_LANES_ALIGNED ${m}_real speeds[U];
    ${M}_LANES_ALIGNED ${m}_real du[U];
    ${M}_LANES_ALIGNED ${m}_real x[U];
    ${M}_LANES_ALIGNED ${m}_real scale[U];
    ${M}_LANES_ALIGNED ${m}_real pushed[U];
    ${M}_LANES_ALIGNED ${m}_real lower[${l_size}*L];
    ${M}_LANES_ALIGNED ${m}_real y[${y_size}*L];
    ${M}_LANES_ALIGNED ${m}_real drift[${rows}*L];
    ${M}_LANES_ALIGNED ${m}_real rates[${rows}*L];
    ${M}_LANES_ALIGNED ${m}_real pushes[${rows}*L];
${lane_arrays}${row_arrays}${arrays_of}    ${m}_real behind[L][${behind}];
    ${m}_real implicit[L];
    ${m}_real t_rows[L];
    ${m}_real t_end[L];
    int found[L];
    for (int k = 0; k < L; k++) {
        codes[k] = ${M}_OK;
        implicit[k] = is_midpoint ? ${zero} : h;
        for (int i = 0; i < ${behind}; i++) {
            behind[k][i] = u[(size_t)k*recorded*${width}u + ${nu}u + (size_t)i];
        }
    }
    ${m}_to_lanes(q, ${nq}, recorded*${nq}u, at_start);
    ${m}_to_lanes(u, ${nu}, recorded*${width}u, speeds);
    for (int step = 0; step < steps; step++) {
        const int following = step + 1;
        (void)t_rows;
        (void)t_end;
        for (int k = 0; k < L; k++) {
            t_end[k] = t + (${m}_real)following*h;
            t_rows[k] = is_midpoint ? t_end[k] - ${half}*h : t_end[k];
        }
${row_loads}        for (int k = 0; k < Q; k++) {
            q_rows[k] = at_start[k];
        }
        if (is_midpoint) {
            for (int k = 0; k < U; k++) {
                du[k] = ${half}*h*speeds[k];
            }
            (void)${integrate}_lanes(${integrate_half}, q_rows, found);
            ${m}_contact_merge(found, codes);
        }
        (void)${equations}_lanes(
            ${equations_arguments},
            lower, scale, x, pushed, y, drift, rates, pushes${equations_outputs}, found);
        ${m}_contact_merge(found, codes);
        for (int k = 0; k < U; k++) {
            x[k] += h*pushed[k];
        }
${copies_of}        for (int k = 0; k < L; k++) {
            if (codes[k] == ${M}_OK) {
                const size_t at = (size_t)step*settings->step + (size_t)k*settings->state;
                codes[k] = ${m}_contact_impulses(
                    &settings->rows[at], h, is_midpoint, ${arguments_of}, x_of[k], behind[k]);
            }
        }
        ${m}_to_lanes(x_of[0], ${nu}, ${nu}, x);
${speeds}${dry_hold}        for (int k = 0; k < U; k++) {
            du[k] = is_midpoint ? ${half}*h*(speeds[k] + x[k]) : h*x[k];
            speeds[k] = x[k];
        }
        (void)${integrate}_lanes(${integrate_whole}, q_rows, found);
        ${m}_contact_merge(found, codes);
${loops_close}        for (int k = 0; k < Q; k++) {
            at_start[k] = q_rows[k];
        }
        for (int k = 0; k < L; k++) {
            for (int i = 0; codes[k] != ${M}_OK && i < ${nq}; i++) {
                at_start[i*L + k] = NAN;
            }
            for (int i = 0; codes[k] != ${M}_OK && i < ${nu}; i++) {
                speeds[i*L + k] = NAN;
            }
        }
        if (following%every == 0) {
            const size_t row = (size_t)(following/every);
            ${m}_from_lanes(at_start, ${nq}, recorded*${nq}u, &q[row*${nq}u]);
            ${m}_from_lanes(speeds, ${nu}, recorded*${width}u, &u[row*${width}u]);
            for (int k = 0; k < L; k++) {
                ${m}_real *to = &u[((size_t)k*recorded + row)*${width}u + ${nu}u];
                for (int i = 0; i < ${behind}; i++) {
                    to[i] = codes[k] == ${M}_OK ? behind[k][i] : NAN;
                }
            }
        }
    }
    for (int k = 0; k < L; k++) {
        if (codes[k] != ${M}_OK) {
            return codes[k];
        }
    }
    return ${M}_OK;
}
