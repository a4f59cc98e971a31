${rows_definition}${operator_definition}
${cone_definition}
${solve_definition}${newton_definition}${loops_definition}${impulses_definition}
/* One step from time t of either method; u holds the impulses and what the solve tells behind. */
static int ${m}_contact_step(
    ${m}_real q[${nq}],
    ${m}_real u[${width}],
${held_declarations}    ${m}_real t,
    ${m}_real h,
    bool is_midpoint)
{
    const ${m}_real half = ${half}*h;
    ${m}_real *impulses = &u[${nu}];
    ${m}_real q_rows[${nq}];
    ${m}_real du[${nu}];
    ${m}_real lower[${l_size}];
    ${m}_real scale[${nu}];
    ${m}_real pushed[${nu}];
    ${m}_real x[${nu}];
    ${m}_real y[${y_size}];
    ${m}_real drift[${rows}];
    ${m}_real rates[${rows}];
    ${m}_real pushes[${rows}];
${arrays}    int status = ${M}_OK;
    const ${m}_real t_rows = is_midpoint ? t + half : t + h;
    const ${m}_real implicit = is_midpoint ? ${zero} : h;
    (void)t_rows;
    for (int k = 0; k < ${nu}; k++) {
        du[k] = half*u[k];
    }
    for (int k = 0; k < ${nq}; k++) {
        q_rows[k] = q[k];
    }
    if (is_midpoint) {
        status = ${integrate}(${integrate_half}, q_rows);
    }
    if (status == ${M}_OK) {
        status = ${equations}(
            ${equations_arguments},
            lower, scale, x, pushed, y, drift, rates, pushes${equations_outputs});
    }
    if (status != ${M}_OK) {
        return status;
    }
    for (int k = 0; k < ${nu}; k++) {
        x[k] += h*pushed[k];
    }
    status = ${m}_contact_impulses(
        settings, h, is_midpoint, y, drift, rates, pushes${equations_outputs}, x, impulses);
    if (status != ${M}_OK) {
        return status;
    }
${speeds}${dry_hold}    for (int i = 0; i < ${nu}; i++) {
        du[i] = is_midpoint ? half*(u[i] + x[i]) : h*x[i];
    }
    status = ${integrate}(${integrate_whole}, q_rows);
${loops_close}    if (status != ${M}_OK) {
        return status;
    }
    for (int k = 0; k < ${nq}; k++) {
        q[k] = q_rows[k];
    }
    for (int k = 0; k < ${nu}; k++) {
        u[k] = x[k];
    }
    return ${M}_OK;
}
