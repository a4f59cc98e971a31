int ${m}_${method}(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${held_declarations}${time_declaration}    ${m}_real h,
    int steps)
{
    for (int step = 0; step < steps; step++) {
        const ${m}_real time = ${start}(${m}_real)step*h;
        const int status = ${step}(q, u, ${held}time, h${how});
        if (status != ${M}_OK) {
            return status;
        }
    }
    return ${M}_OK;
}

int ${m}_${method}_trajectory(
    ${m}_real q[${M}_RESTRICT],
    ${m}_real u[${M}_RESTRICT],
${row_declarations}${time_declaration}    ${m}_real h,
    int steps,
    int per_step,
    int *done)
{
    *done = 0;
    for (int step = 0; step < steps; step++) {
        const size_t next = (size_t)step + 1u;
        const size_t row = (per_step != 0) ? (size_t)step : 0u;
        const ${m}_real time = ${start}(${m}_real)step*h;
        ${m}_real *q_next = &q[next*${nq_count}u];
        ${m}_real *u_next = &u[next*${nu_count}u];
        int status;
        for (int k = 0; k < ${nq_count}; k++) {
            q_next[k] = q_next[k - ${nq_count}];
        }
        for (int k = 0; k < ${nu_count}; k++) {
            u_next[k] = u_next[k - ${nu_count}];
        }
        (void)row;
        status = ${step}(q_next, u_next, ${held_rows}time, h${how});
        if (status != ${M}_OK) {
            return status;
        }
        *done = step + 1;
    }
    return ${M}_OK;
}
