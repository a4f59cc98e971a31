int ${m}_${method}(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${n}],
${held_declarations}${time_declaration}    ${m}_real h,
    int steps)
{
    for (int step = 0; step < steps; step++) {
        const ${m}_real time = ${start}(${m}_real)step*h;
        ${m}_real q_next[${nq}];
        ${m}_real u_next[${n}];
${no_estimate}        const int status =
            ${m}_${method}_try(q, u, ${held}time, h, q_next, u_next${unused_estimate});
        if (status != ${M}_OK) {
            return status;
        }
        for (int k = 0; k < ${nq}; k++) {
            q[k] = q_next[k];
        }
        for (int k = 0; k < ${n}; k++) {
            u[k] = u_next[k];
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
        int status;
${no_estimate}        (void)row;
        status = ${m}_${method}_try(
            &q[(size_t)step*${nq}u], &u[(size_t)step*${n}u], ${held_rows}time, h, &q[next*${nq}u],
            &u[next*${n}u]${unused_estimate});
        if (status != ${M}_OK) {
            return status;
        }
        *done = step + 1;
    }
    return ${M}_OK;
}
