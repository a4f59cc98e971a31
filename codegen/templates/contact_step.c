${rows_definition}
${cone_definition}
${solve_definition}${newton_definition}${loops_definition}
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
    ${m}_real rates[${rows}];
    ${m}_real pushes[${rows}];
${arrays}    ${m}_contact_rows at;
    ${m}_real energy = ${zero};
    ${m}_real before = ${zero};
    ${m}_real residual = ${zero};
    ${m}_real jams = ${zero};
    int worst = 0;
    int status = ${M}_OK;
    const ${m}_real t_rows = is_midpoint ? t + half : t + h;
    const ${m}_real implicit = is_midpoint ? ${zero} : h;
    (void)t_rows;
    (void)energy;
    (void)before;
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
            lower, scale, x, pushed, at.y, at.drift, rates, pushes${equations_outputs});
    }
    if (status != ${M}_OK) {
        return status;
    }
    for (int k = 0; k < ${nu}; k++) {
        x[k] += h*pushed[k];
    }
${loops_hold}    at.least = ${zero};
    at.is_relaxed = settings[4] > ${zero};
${contacts_start}${dry_start}    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        ${m}_real p[3] = {${zero}, ${zero}, ${zero}};
        if (at.is_active[k] && at.weights[k][0][0] > ${zero}) {
            at.least = fmax${f}(at.least, fabs${f}(h*pushes[row])/at.weights[k][0][0]);
        }
        for (int i = row; i < ${m}_contact_first[k + 1]; i++) {
            impulses[i] = at.is_active[k] ? impulses[i] : ${zero};
            p[i - row] = impulses[i];
        }
        ${m}_contact_add(at.y, k, p, x);
    }
    for (int sweep = 1; (${m}_real)sweep <= settings[0]; sweep++) {
        ${m}_real largest;
        const ${m}_real change = ${m}_contact_sweep(&at, impulses, x, &largest);
        if (change <= settings[1]*largest${polish}) {
            break;
        }
        before = change;
    }
    residual = ${m}_contact_residual(&at, impulses, x, &worst);
${loops_told}    u[${told}] = residual;
    u[${told} + 1] = (${m}_real)worst;
    u[${told} + 2] = jams;
    if (!(residual <= settings[2])) {
        return ${contacts_unsolved};
    }
    for (int k = 0; k < ${nu}; k++) {
        x[k] *= scale[k];
    }
    for (int k = 0; k < ${nu}; k++) {
        /* Rows of the entries of each column of L below the diagonal. */
        static const int l_first[${nu} + 1] = {${l_first}};
        static const int l_place[${l_size}] = {${l_places}};
        for (int i = l_first[k]; i < l_first[k + 1]; i++) {
            x[l_place[i]] -= lower[i]*x[k];
        }
    }
${dry_hold}    for (int i = 0; i < ${nu}; i++) {
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
