/* One step from time t of the ${title}. */
static int ${m}_${method}_step(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${held_declarations}    ${m}_real t,
    ${m}_real h)
{
    static const ${m}_real a[${stages}][${stages}] = {
${a}
    };
    static const ${m}_real b[${stages}] = {${b}};
    static const ${m}_real c[${stages}] = {${c}};
    ${m}_real q_rate[${stages}][${nq}];
    ${m}_real u_rate[${stages}][${nu}];
    ${m}_real q_stage[${nq}];
    ${m}_real u_stage[${nu}];
    for (int i = 0; i < ${stages}; i++) {
        const ${m}_real t_stage = t + c[i]*h;
        int status;
        for (int k = 0; k < ${nq_count}; k++) {
            ${m}_real sum = ${zero};
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*q_rate[j][k];
            }
            q_stage[k] = q[k] + h*sum;
        }
        for (int k = 0; k < ${nu_count}; k++) {
            ${m}_real sum = ${zero};
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*u_rate[j][k];
            }
            u_stage[k] = u[k] + h*sum;
        }
        (void)t_stage;
        status = ${coordinate_rates}(${coordinate_rates_arguments}, q_rate[i]);
        if (status == ${M}_OK) {
            status = ${forward_dynamics}(${forward_dynamics_arguments}, u_rate[i]);
        }
${element_state_rates}        if (status != ${M}_OK) {
            return status;
        }
    }
    for (int k = 0; k < ${nq_count}; k++) {
        ${m}_real sum = ${zero};
        for (int i = 0; i < ${stages}; i++) {
            sum += b[i]*q_rate[i][k];
        }
        q_stage[k] = q[k] + h*sum;
    }
${normalize}${keep_q}    for (int k = 0; k < ${nu_count}; k++) {
        ${m}_real sum = ${zero};
        for (int i = 0; i < ${stages}; i++) {
            sum += b[i]*u_rate[i][k];
        }
        ${u_end}h*sum;
    }
${project}    return ${M}_OK;
}

int ${m}_${method}(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${held_declarations}${time_declaration}    ${m}_real h,
    int steps)
{
    for (int step = 0; step < steps; step++) {
        const ${m}_real time = ${start}(${m}_real)step*h;
        const int status = ${m}_${method}_step(q, u, ${held}time, h);
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
        status = ${m}_${method}_step(q_next, u_next, ${held_rows}time, h);
        if (status != ${M}_OK) {
            return status;
        }
        *done = step + 1;
    }
    return ${M}_OK;
}
