/*
 * Gauss-Jordan elimination with complete pivoting of `rows` equations in `columns` unknowns, the
 * right-hand sides in the last column. Columns that are barred take no pivot. pivots[i] is the
 * unknown that row i is solved for; returned is how many are.
 */
static int ${m}_eliminate(
    ${m}_real g[${rows}][${width}],
    int rows,
    int columns,
    const int barred[${nu}],
    int pivots[${rows}])
{
    int rank = 0;
    for (int i = 0; i < rows; i++) {
        ${m}_real size = ${zero};
        for (int k = 0; k < columns; k++) {
            size = fmax${f}(size, fabs${f}(g[i][k]));
        }
        for (int k = 0; size > ${zero} && k < ${width}; k++) {
            g[i][k] /= size;
        }
        pivots[i] = -1;
    }
    while (rank < rows) {
        ${m}_real best = ${rank_tolerance};
        int row = -1;
        int column = -1;
        for (int i = rank; i < rows; i++) {
            for (int k = 0; k < columns; k++) {
                if (barred[k] == 0 && fabs${f}(g[i][k]) > best) {
                    best = fabs${f}(g[i][k]);
                    row = i;
                    column = k;
                }
            }
        }
        if (row < 0) {
            return rank;
        }
        for (int k = 0; k < ${width}; k++) {
            const ${m}_real entry = g[row][k];
            g[row][k] = g[rank][k];
            g[rank][k] = entry;
        }
        for (int k = 0; k < ${width}; k++) {
            if (k != column) {
                g[rank][k] /= g[rank][column];
            }
        }
        g[rank][column] = ${one};
        for (int i = 0; i < rows; i++) {
            const ${m}_real factor = g[i][column];
            for (int k = 0; i != rank && k < ${width}; k++) {
                g[i][k] -= factor*g[rank][k];
            }
            g[i][column] = i == rank ? ${one} : ${zero};
        }
        pivots[rank] = column;
        rank++;
    }
    return rank;
}

/* G, and no right-hand side. */
static int ${m}_gradients(
    const ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    ${m}_real g[${rows}][${width}])
{
    ${m}_real jacobian[${jacobian_size}];
    const int status = ${jacobian}, jacobian);
    for (int i = 0; i < ${rows}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            g[i][k] = jacobian[i*${nu} + k];
        }
        g[i][${nu}] = ${zero};
    }
    return status;
}

/* Marks the speeds that order names first, the independent ones. */
static void ${m}_bar(const int order[${nu}], int barred[${nu}])
{
    for (int k = 0; k < ${freedoms}; k++) {
        barred[order[k]] = 1;
    }
    for (int k = ${freedoms}; k < ${nu}; k++) {
        barred[order[k]] = 0;
    }
}

/* One step of Newton's method that leaves the independent coordinates where they are. */
static int ${m}_dependent_step(
    const ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    const ${m}_real phi[${M}_RESTRICT ${holonomic}],
    const int order[${nu}],
    ${m}_real du[${M}_RESTRICT ${nu}])
{
    static const int held[${holonomic}] = {${held_rows}};
    ${m}_real g[${rows}][${width}];
    int barred[${nu}];
    int pivots[${rows}];
    int status = ${m}_gradients(q, ${gradients_arguments}g);
    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${holonomic_count}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            g[i][k] = g[held[i]][k];
        }
        g[i][${nu}] = -phi[i];
    }
    for (int k = 0; k < ${nu}; k++) {
        du[k] = ${zero};
    }
    ${m}_bar(order, barred);
    if (${m}_eliminate(g, ${holonomic_count}, ${nu}, barred, pivots) < ${holonomic_count}) {
        return ${singular_constraints};
    }
    for (int i = 0; i < ${holonomic_count}; i++) {
        du[pivots[i]] = g[i][${nu}];
    }
    return ${M}_OK;
}

${closed}/*
 * Newton's method, nearest by kinetic energy or, with an order, in the dependent coordinates. It
 * ends within the tolerance, or where a short step no longer halves the residual: that is rounding.
 * Without tolerance it also ends where a short step took six digits off, for the next would be
 * rounding, and after one below the last digit of the coordinates, or of 1.
 */
static int ${m}_close(
    ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    const int *order,
    ${m}_real tolerance,
    int max_steps)
{
    ${m}_real before = ${zero};
    bool was_short = false;
    bool was_lost = false;
    for (int step = 0; step <= max_steps; step++) {
        ${m}_real phi[${holonomic}] = {0};
        ${m}_real du[${nu}];
        ${m}_real q_next[${nq}];
        ${m}_real worst = ${zero};
        ${m}_real longest = ${zero};
        ${m}_real largest = ${zero};
        ${m}_real size;
        int status = ${residual}, phi);
        for (int i = 0; i < ${holonomic_count}; i++) {
            worst = phi[i] == phi[i] ? fmax${f}(worst, fabs${f}(phi[i])) : phi[i];
            if (!(worst >= ${zero})) {
                break;
            }
        }
        if (status != ${M}_OK || worst <= tolerance || (was_short && worst >= ${half}*before)
            || (!(tolerance > ${zero})
                && (was_lost || (was_short && worst <= ${six_digits}*before)))) {
            return ${accepted};
        }
        if (step == max_steps || !(worst >= ${zero})) {
            break;
        }
        if (order == NULL) {
            status = ${position_correction}, du);
        } else {
            status = ${m}_dependent_step(q, ${gradients_arguments}phi, order, du);
        }
        if (status != ${M}_OK) {
            return status;
        }
        for (int k = 0; k < ${nu}; k++) {
            longest = fmax${f}(longest, fabs${f}(du[k]));
        }
        for (int k = 0; k < ${nq}; k++) {
            largest = fmax${f}(largest, fabs${f}(q[k]));
        }
        size = fmax${f}(largest, ${one});
        for (int k = 0; longest > ${half}*size && k < ${nu}; k++) {
            du[k] *= ${half}*size/longest;
        }
        status = ${integrate}, q_next);
        if (status != ${M}_OK) {
            return status;
        }
        for (int k = 0; k < ${nq}; k++) {
            q[k] = q_next[k];
        }
        before = worst;
        was_short = longest <= ${rank_tolerance}*size;
        was_lost = longest <= ${epsilon}*size;
    }
    return ${no_convergence};
}

/* lambda with G^T lambda = force, from the columns that the pivots name. */
static void ${m}_multipliers(
    ${m}_real jacobian[${rows}][${width}],
    const ${m}_real force[${nu}],
    const int pivots[${rows}],
    ${m}_real multipliers[${rows}])
{
    static const int none[${nu}] = {0};
    ${m}_real g[${rows}][${width}];
    int places[${rows}];
    int rank;
    for (int i = 0; i < ${rows}; i++) {
        for (int k = 0; k < ${rows}; k++) {
            g[i][k] = jacobian[k][pivots[i]];
        }
        for (int k = ${rows}; k < ${width}; k++) {
            g[i][k] = ${zero};
        }
        g[i][${nu}] = force[pivots[i]];
    }
    rank = ${m}_eliminate(g, ${rows}, ${rows}, none, places);
    for (int i = 0; i < ${rows}; i++) {
        multipliers[i] = ${zero};
    }
    for (int i = 0; i < rank; i++) {
        multipliers[places[i]] = g[i][${nu}];
    }
}

${order_displacements}int ${m}_independent_speeds(
    const ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    int order[${nu}],
    int *rank)
{
    static const int none[${nu}] = {0};
    ${m}_real g[${rows}][${width}];
    int pivots[${rows}];
    int is_dependent[${nu}] = {0};
    int place = 0;
    const int status = ${m}_gradients(q, ${gradients_arguments}g);
    *rank = 0;
    if (status != ${M}_OK) {
        return status;
    }
    *rank = ${m}_eliminate(g, ${rows}, ${nu}, none, pivots);
    for (int i = 0; i < *rank; i++) {
        is_dependent[pivots[i]] = 1;
    }
    for (int kind = 0; kind < 2; kind++) {
        for (int k = 0; k < ${nu}; k++) {
            if (is_dependent[k] == kind) {
                order[place] = k;
                place++;
            }
        }
    }
    return *rank < ${rows} ? ${singular_constraints} : ${ordered};
}

int ${m}_dependent_coordinates(
    ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    const int order[${nu}],
    ${m}_real tolerance,
    int max_steps)
{
    return ${m}_close(q, ${gradients_arguments}order, tolerance, max_steps);
}

int ${m}_dependent_speeds(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${velocity_declarations}    const int order[${nu}])
{
    ${m}_real g[${rows}][${width}];
    ${m}_real rate[${rows}];
    int barred[${nu}];
    int pivots[${rows}];
    int status = ${m}_gradients(q, ${gradients_arguments}g);
    if (status == ${M}_OK) {
        status = ${velocity}, rate);
    }
    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${rows}; i++) {
        g[i][${nu}] = -rate[i];
    }
    ${m}_bar(order, barred);
    if (${m}_eliminate(g, ${rows}, ${nu}, barred, pivots) < ${rows}) {
        return ${singular_constraints};
    }
    for (int i = 0; i < ${rows}; i++) {
        u[pivots[i]] += g[i][${nu}];
    }
    return ${M}_OK;
}

int ${m}_project(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${velocity_declarations}    ${m}_real tolerance,
    int max_steps)
{
    ${m}_real du[${nu}];
    int status = ${m}_close(q, ${gradients_arguments}NULL, tolerance, max_steps);
    if (status == ${M}_OK) {
        status = ${velocity_correction}, du);
    }
    if (status == ${M}_OK) {
        for (int k = 0; k < ${nu}; k++) {
            u[k] += du[k];
        }
    }
    return status;
}

${reduced_dynamics}
int ${m}_consistent_state(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real tau[${M}_RESTRICT ${nu}],
${dynamics_declarations}    ${m}_real tolerance,
    int max_steps,
    ${m}_real a[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}])
{
    int order[${nu}];
    int rank = 0;
    int status = ${m}_project(q, u, ${velocity_arguments}tolerance, max_steps);
    if (status == ${M}_OK) {
        status = ${m}_independent_speeds(q, ${gradients_arguments}order, &rank);
    }
    if (status == ${M}_OK) {
        status = ${m}_reduced_dynamics(q, u, tau, ${dynamics_arguments}order, a, multipliers);
    }
    return status;
}

${actuated}(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
${dynamics_declarations}    const int actuated[${nu}],
    ${m}_real tau[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}])
{
    ${m}_real jacobian[${rows}][${width}];
    ${m}_real g[${rows}][${width}];
    ${m}_real force[${nu}];
    ${m}_real basis[${nu}][${nu}] = {0};
    ${m}_real square[${nu}][${nu}];
    ${m}_real z[${nu}];
    int order[${nu}];
    int barred[${nu}];
    int pivots[${rows}];
    int rank = 0;
    int status = ${m}_gradients(q, ${gradients_arguments}jacobian);
    if (status == ${M}_OK) {
        status = ${inverse_dynamics}, force);
    }
    if (status == ${M}_OK) {
        status = ${m}_independent_speeds(q, ${gradients_arguments}order, &rank);
    }
    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${rows}; i++) {
        for (int k = 0; k < ${width}; k++) {
            g[i][k] = jacobian[i][k];
        }
    }
    ${m}_bar(order, barred);
    (void)${m}_eliminate(g, ${rows}, ${nu}, barred, pivots);
    for (int i = 0; i < ${rows}; i++) {
        for (int j = 0; j < ${freedoms}; j++) {
            basis[pivots[i]][j] = -g[i][order[j]];
        }
    }
    for (int j = 0; j < ${freedoms}; j++) {
        basis[order[j]][j] = ${one};
    }
    /* Forces of least norm: tau = A^T z, A A^T z = E^T force, A the actuated columns of E^T. */
    for (int i = 0; i < ${freedoms}; i++) {
        z[i] = ${zero};
        for (int k = 0; k < ${nu}; k++) {
            z[i] += basis[k][i]*force[k];
        }
        for (int j = 0; j < ${freedoms}; j++) {
            square[i][j] = ${zero};
            for (int k = 0; k < ${nu}; k++) {
                square[i][j] += (actuated[k] != 0) ? basis[k][i]*basis[k][j] : ${zero};
            }
        }
    }
    if (!${m}_solve_positive(square, ${freedoms}, z, 1)) {
        return ${not_actuated};
    }
    for (int k = 0; k < ${nu}; k++) {
        tau[k] = ${zero};
        for (int j = 0; actuated[k] != 0 && j < ${freedoms}; j++) {
            tau[k] += basis[k][j]*z[j];
        }
        force[k] -= tau[k];
    }
    ${m}_multipliers(jacobian, force, pivots, multipliers);
    return ${M}_OK;
}
${settled}