/* One step from time t of the ${title}. */
static int ${m}_${method}_in_place(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${kept}],
${held_declarations}    ${m}_real t,
    ${m}_real h)
{
    const ${m}_real alpha_m = ${alpha_m};
    const ${m}_real alpha_f = ${alpha_f};
    const ${m}_real gamma = ${half} + alpha_f - alpha_m;
    const ${m}_real beta = ${half}*${half}*(${half} + gamma)*(${half} + gamma);
    const ${m}_real rate = (${one} - alpha_m)/(h*gamma*(${one} - alpha_f));
    /* Displacements by speeds at the end, over what the matrix takes them for. */
    const ${m}_real reach = h*beta/gamma*rate;
    const ${m}_real t_stage = t + h;
    const bool is_first = !(u[${started}] > ${zero});
    ${m}_real matrix[${size}];
${matrices}    int order[${n}];
    ${m}_real known[${n}];
    ${m}_real theta[${nu}];
    ${m}_real q_next[${nq}];
    ${m}_real u_next[${n}];
    ${m}_real w_rate[${n}];
    ${m}_real correction[${n}];
    ${m}_real largest = ${zero};
    ${m}_real last = ${zero};
    int status = ${forward_dynamics}(${start_arguments}, w_rate);
${element_states_at_start}    if (status != ${M}_OK) {
        return status;
    }
    (void)t_stage;
    for (int k = 0; k < ${n}; k++) {
        const ${m}_real alpha = is_first ? w_rate[k] : u[${n} + k];
        known[k] = (alpha_f*w_rate[k]
            + ((${one} - alpha_m)*(${one} - gamma)/gamma - alpha_m)*alpha)/(${one} - alpha_f);
        u[${n} + k] = alpha;
        u_next[k] = u[k];
    }
    for (int i = 0; i <= ${newton_steps}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            theta[k] = h*(u[k] + beta/gamma*(u_next[k] - u[k])
                + h*(${half} - beta/gamma)*u[${n} + k]);
        }
        status = ${integrate}(q, theta${p}, q_next);
        if (status != ${M}_OK || i == ${newton_steps}) {
            break;
        }
        status = ${step_matrix}(${step_matrix_arguments}, matrix${matrix_outputs});
        if (status == ${M}_OK) {
            status = ${forward_dynamics}(${forward_dynamics_arguments}, w_rate);
        }
${element_state_rates}        if (status != ${M}_OK) {
            break;
        }
        for (int k = 0; k < ${n}; k++) {
            for (int j = 0; j < ${nu}; j++) {
                matrix[k*${n} + j] += (${one} - reach)*by_displacement[k*${nu} + j];
            }
        }
        if (!${m}_factor_step(matrix, order)) {
            return ${singular_step};
        }
        for (int k = 0; k < ${n}; k++) {
            w_rate[k] += known[k] - rate*(u_next[k] - u[k]);
        }
        for (int k = 0; k < ${n}; k++) {
            ${m}_real sum = ${right};
${massed}            correction[k] = sum;
        }
        ${m}_solve_step(matrix, order, correction);
        largest = ${zero};
        last = ${zero};
        for (int k = 0; k < ${n}; k++) {
            u_next[k] += correction[k];
            largest = fmax${f}(largest, fabs${f}(u_next[k]));
            last = fmax${f}(last, fabs${f}(correction[k]));
        }
    }
    if (status != ${M}_OK) {
        return status;
    }
    if (!(last <= ${tolerance}*(largest + h))) {
        return ${step_unsolved};
    }
    for (int k = 0; k < ${n}; k++) {
        known[k] = (u_next[k] - u[k])/(h*gamma) - (${one} - gamma)/gamma*u[${n} + k];
    }
${unused}${project}    for (int k = 0; k < ${nq}; k++) {
        q[k] = q_next[k];
    }
    for (int k = 0; k < ${n}; k++) {
        u[k] = u_next[k];
        u[${n} + k] = known[k];
    }
    u[${started} + 1] = is_first ? ${zero} : u[${started} + 1];
    u[${started} + 1] = fmax${f}(u[${started} + 1], last/(largest + h));
    u[${started}] = ${one};
    return ${M}_OK;
}
