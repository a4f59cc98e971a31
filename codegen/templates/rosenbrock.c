/* One step from time t of the ${title}${estimated}. */
static int ${m}_${method}_try(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real h,
    ${m}_real q_next[${M}_RESTRICT ${nq}],
    ${m}_real u_next[${M}_RESTRICT ${n}]${estimate_declaration})
{
    static const ${m}_real a[${stages}][${stages}] = {
${a}
    };
    static const ${m}_real coupling[${stages}][${stages}] = {
${c}
    };
    static const ${m}_real m[${stages}] = {${weights}};
${further_weights}    const ${m}_real rate = ${one}/(${gamma}*h);
    ${m}_real matrix[${size}];
${matrices}    int order[${n}];
    ${m}_real du[${stages}][${nu}];
    ${m}_real dw[${stages}][${n}];
    ${m}_real theta[${nu}];
    ${m}_real theta_rate[${nu}];
    ${m}_real q_stage[${nq}];
    ${m}_real u_stage[${n}];
    ${m}_real w_rate[${n}];
    int status = ${step_matrix}(${step_matrix_arguments}, matrix${matrix_outputs});
    if (status != ${M}_OK) {
        return status;
    }
    if (!${m}_factor_step(matrix, order)) {
        return ${singular_step};
    }
    for (int i = 0; i < ${stages}; i++) {
${stage_time}        for (int k = 0; k < ${nu}; k++) {
            ${m}_real sum = ${zero};
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*du[j][k];
            }
            theta[k] = sum;
        }
        for (int k = 0; k < ${n}; k++) {
            ${m}_real sum = ${zero};
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*dw[j][k];
            }
            u_stage[k] = u[k] + sum;
        }
        status = ${integrate}(q, theta${p}, q_stage);
        if (status == ${M}_OK) {
            status = ${displacement_rates}(theta, u_stage${p}, theta_rate);
        }
        if (status == ${M}_OK) {
            status = ${forward_dynamics}(${forward_dynamics_arguments}, w_rate);
        }
${element_state_rates}        if (status != ${M}_OK) {
            return status;
        }
        for (int k = 0; k < ${nu}; k++) {
            for (int j = 0; j < i; j++) {
                theta_rate[k] += coupling[i][j]/h*du[j][k];
            }
        }
        for (int k = 0; k < ${n}; k++) {
            for (int j = 0; j < i; j++) {
                w_rate[k] += coupling[i][j]/h*dw[j][k];
            }
        }
        for (int k = 0; k < ${n}; k++) {
            ${m}_real sum = ${right};
${massed}            for (int j = 0; j < ${nu}; j++) {
                sum += by_displacement[k*${nu} + j]*theta_rate[j];
            }
            dw[i][k] = sum;
        }
        ${m}_solve_step(matrix, order, dw[i]);
        for (int k = 0; k < ${nu}; k++) {
            theta_rate[k] += dw[i][k];
        }
${displaced}    }
    for (int k = 0; k < ${nu}; k++) {
        ${m}_real sum = ${zero};
        for (int i = 0; i < ${stages}; i++) {
            sum += m[i]*du[i][k];
        }
        theta[k] = sum;
    }
    for (int k = 0; k < ${n}; k++) {
        ${m}_real sum = ${zero};
        for (int i = 0; i < ${stages}; i++) {
            sum += m[i]*dw[i][k];
        }
        u_next[k] = u[k] + sum;
    }
    status = ${integrate}(q, theta${p}, q_next);
    if (status != ${M}_OK) {
        return status;
    }
${estimate}${normalize}${project}    return ${M}_OK;
}
