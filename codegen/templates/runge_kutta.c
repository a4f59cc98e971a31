/* One step from time t of the ${title}. */
static int ${m}_${method}_in_place(
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
