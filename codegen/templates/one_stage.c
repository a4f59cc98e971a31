/* One step from time t of the ${title}. */
static int ${m}_${method}_try(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real h,
    ${m}_real q_next[${M}_RESTRICT ${nq}],
    ${m}_real u_next[${M}_RESTRICT ${n}])
{
    const ${m}_real fraction = ${fraction};
    const ${m}_real rate = ${one}/(fraction*h);
    ${m}_real matrix[${size}];
${matrices}    int order[${n}];
    ${m}_real theta[${nu}];
    ${m}_real q_stage[${nq}];
    ${m}_real u_stage[${n}];
    ${m}_real w_rate[${n}];
    ${m}_real correction[${n}];
    ${m}_real largest = ${zero};
    ${m}_real last = ${zero};
    int status = ${M}_OK;
${stage_time}    for (int k = 0; k < ${n}; k++) {
        u_stage[k] = u[k];
    }
    for (int i = 0; i < ${newton_steps}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            theta[k] = fraction*h*u_stage[k];
        }
        status = ${integrate}(q, theta${p}, q_stage);
        if (status == ${M}_OK) {
            status = ${step_matrix}(${step_matrix_arguments}, matrix${matrix_outputs});
        }
        if (status == ${M}_OK) {
            status = ${forward_dynamics}(${forward_dynamics_arguments}, w_rate);
        }
${element_state_rates}        if (status != ${M}_OK) {
            return status;
        }
        if (!${m}_factor_step(matrix, order)) {
            return ${singular_step};
        }
        for (int k = 0; k < ${n}; k++) {
            w_rate[k] -= rate*(u_stage[k] - u[k]);
        }
        for (int k = 0; k < ${n}; k++) {
            ${m}_real sum = ${right};
${massed}            correction[k] = sum;
        }
        ${m}_solve_step(matrix, order, correction);
        largest = ${zero};
        last = ${zero};
        for (int k = 0; k < ${n}; k++) {
            u_stage[k] += correction[k];
            largest = fmax${f}(largest, fabs${f}(u_stage[k]));
            last = fmax${f}(last, fabs${f}(correction[k]));
        }
    }
    if (!(last <= ${tolerance}*(largest + h))) {
        return ${step_unsolved};
    }
    for (int k = 0; k < ${nu}; k++) {
        theta[k] = h*u_stage[k];
    }
    for (int k = 0; k < ${n}; k++) {
        u_next[k] = u[k] + (u_stage[k] - u[k])/fraction;
    }
    status = ${integrate}(q, theta${p}, q_next);
    if (status != ${M}_OK) {
        return status;
    }
${unused}${normalize}${project}    return ${M}_OK;
}
