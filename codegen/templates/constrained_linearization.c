/*
 * Small motions that the constraints leave free, in displacements z and speeds w that are those of
 * the first entries of an order:
 *
 *     xi = N z,   du = P z + K w,   du' = R z + S w + K w',   xi' = drift z + K w
 *
 * and what they obey, mass w' + by_w w + by_z z = forcing v.
 */
typedef struct {
    ${m}_real basis[${basis_size}]; /* N */
    ${m}_real speed_basis[${speed_basis_size}]; /* K */
    ${m}_real speed_by_z[${basis_size}]; /* P */
    ${m}_real acceleration_by_z[${basis_size}]; /* R */
    ${m}_real acceleration_by_w[${speed_basis_size}]; /* S */
    ${m}_real drift[${basis_size}];
    ${m}_real transport[${mass_size}]; /* W of xi' = du + W xi */
    ${m}_real transport_rate[${mass_size}];
    ${m}_real mass[${nu}][${nu}];
    ${m}_real by_w[${by_w_size}];
    ${m}_real by_z[${by_z_size}];
    ${m}_real forcing[${forcing_size}];
} ${m}_free_motion;

/* c += factor a b, with a of n rows and `inner` columns and b of `columns` columns. */
static void ${m}_add_product(
    int n,
    int inner,
    int columns,
    ${m}_real factor,
    const ${m}_real *a,
    const ${m}_real *b,
    ${m}_real *c)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < inner; j++) {
            const ${m}_real entry = factor*a[i*inner + j];
            for (int k = 0; k < columns; k++) {
                c[i*columns + k] += entry*b[j*columns + k];
            }
        }
    }
}

static void ${m}_clear(int n, ${m}_real *a)
{
    for (int i = 0; i < n; i++) {
        a[i] = ${zero};
    }
}

/*
 * Gauss-Jordan elimination with complete pivoting of n equations whose right-hand sides are the
 * last n columns. pivots[i] is the unknown that row i is solved for; false if they are singular.
 */
static bool ${m}_eliminate_square(${m}_real g[${rows}][${pair}], int n, int pivots[${rows}])
{
    for (int rank = 0; rank < n; rank++) {
        ${m}_real best = ${rank_tolerance};
        int row = -1;
        for (int i = rank; i < n; i++) {
            for (int k = 0; k < n; k++) {
                if (fabs${f}(g[i][k]) > best) {
                    best = fabs${f}(g[i][k]);
                    row = i;
                    pivots[rank] = k;
                }
            }
        }
        if (row < 0) {
            return false;
        }
        for (int k = 0; k < 2*n; k++) {
            const ${m}_real entry = g[row][k];
            g[row][k] = g[rank][k];
            g[rank][k] = entry;
        }
        best = g[rank][pivots[rank]];
        for (int k = 0; k < 2*n; k++) {
            g[rank][k] /= best;
        }
        for (int i = 0; i < n; i++) {
            const ${m}_real factor = g[i][pivots[rank]];
            for (int k = 0; i != rank && k < 2*n; k++) {
                g[i][k] -= factor*g[rank][k];
            }
            g[i][pivots[rank]] = i == rank ? ${one} : ${zero};
        }
    }
    return true;
}

/*
 * Of the n rows that `held` names: the right inverse, which is zero in the independent speeds, and
 * the basis of their null space, which is one there. false if these speeds are not independent.
 */
static bool ${m}_null_space(
    ${m}_real jacobian[${rows}][${width}],
    const int *held,
    int n,
    const int order[${nu}],
    ${m}_real *inverse,
    ${m}_real *basis)
{
    const int freedoms = ${nu} - n;
    ${m}_real g[${rows}][${pair}];
    int pivots[${rows}];
    for (int i = 0; i < n; i++) {
        ${m}_real size = ${zero};
        for (int k = 0; k < ${nu}; k++) {
            size = fmax${f}(size, fabs${f}(jacobian[held[i]][k]));
        }
        for (int k = 0; k < n; k++) {
            g[i][k] = jacobian[held[i]][order[freedoms + k]]/size;
            g[i][n + k] = k == i ? ${one}/size : ${zero};
        }
    }
    if (!${m}_eliminate_square(g, n, pivots)) {
        return false;
    }
    ${m}_clear(${nu}*n, inverse);
    ${m}_clear(${nu}*freedoms, basis);
    for (int i = 0; i < n; i++) {
        const int place = order[freedoms + pivots[i]];
        for (int k = 0; k < n; k++) {
            inverse[place*n + k] = g[i][n + k];
            for (int j = 0; j < freedoms; j++) {
                basis[place*freedoms + j] -= g[i][n + k]*jacobian[held[k]][order[j]];
            }
        }
    }
    for (int j = 0; j < freedoms; j++) {
        basis[order[j]*freedoms + j] = ${one};
    }
    return true;
}

/* Bases, and how speeds and accelerations follow displacements and speeds; and d(G^T lambda)/dq. */
static int ${m}_free_bases(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
    const ${m}_real multipliers[${M}_RESTRICT ${rows}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_free_motion *x,
    ${m}_real curvature[${mass_size}])
{
    static const int all[${rows}] = {${all_rows}};
    static const int held[${holonomic}] = {${held_rows}};
    ${m}_real jacobian[${rows}][${width}];
    ${m}_real inverse[${jacobian_size}];
    ${m}_real velocity_by_q[${jacobian_size}];
    ${m}_real acceleration_by_q[${jacobian_size}];
    ${m}_real acceleration_by_u[${jacobian_size}];
    ${m}_real product[${right_size}];
    int status = ${m}_gradients(q, ${gradients_arguments}jacobian);
    if (status == ${M}_OK) {
        status = ${constraint_derivatives}, curvature,
            velocity_by_q, acceleration_by_q, acceleration_by_u);
    }
    if (status != ${M}_OK) {
        return status;
    }
    if (!${m}_null_space(jacobian, held, ${holonomic_count}, order, inverse, x->basis)
        || !${m}_null_space(jacobian, all, ${rows}, order, inverse, x->speed_basis)) {
        return ${singular_constraints};
    }
    ${m}_clear(${basis_size}, x->speed_by_z);
    ${m}_clear(${basis_size}, x->acceleration_by_z);
    ${m}_clear(${speed_basis_size}, x->acceleration_by_w);
    ${m}_clear(${right_size}, product);
    ${m}_add_product(${rows}, ${nu}, ${displacements}, ${one}, velocity_by_q, x->basis, product);
    ${m}_add_product(${nu}, ${rows}, ${displacements}, -${one}, inverse, product, x->speed_by_z);
    ${m}_clear(${right_size}, product);
    ${m}_add_product(${rows}, ${nu}, ${displacements}, ${one}, acceleration_by_q, x->basis, product);
    ${m}_add_product(
        ${rows}, ${nu}, ${displacements}, ${one}, acceleration_by_u, x->speed_by_z, product);
    ${m}_add_product(
        ${nu}, ${rows}, ${displacements}, -${one}, inverse, product, x->acceleration_by_z);
    ${m}_clear(${right_size}, product);
    ${m}_add_product(${rows}, ${nu}, ${freedoms}, ${one}, acceleration_by_u, x->speed_basis, product);
    ${m}_add_product(${nu}, ${rows}, ${freedoms}, -${one}, inverse, product, x->acceleration_by_w);
    return ${M}_OK;
}

/* K^T b, with b of so many columns. */
static void ${m}_project_forces(
    const ${m}_real speed_basis[${speed_basis_size}],
    int columns,
    const ${m}_real *b,
    ${m}_real *c)
{
    ${m}_clear(${freedoms}*columns, c);
    for (int j = 0; j < ${nu}; j++) {
        ${m}_add_product(
            ${freedoms}, 1, columns, ${one}, speed_basis + j*${freedoms}, b + j*columns, c);
    }
}

${input_definitions}/* The motion about a consistent state whose first speeds and displacements in `order` are free. */
static int ${m}_linearize(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
    const ${m}_real multipliers[${M}_RESTRICT ${rows}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_free_motion *x)
{
    ${m}_real mass[${mass_size}];
    ${m}_real damping[${mass_size}];
    ${m}_real stiffness[${mass_size}];
    ${m}_real curvature[${mass_size}];
    ${m}_real product[${force_size}];
    ${m}_real reduced[${by_w_size}];
    int status = ${m}_free_bases(
        q, u, a, multipliers, ${dynamics_arguments}order, x, curvature);
    if (status == ${M}_OK) {
        status = ${linearization}, mass, damping, stiffness,
            x->transport, x->transport_rate);
    }
${input_forces}    if (status != ${M}_OK) {
        return status;
    }
    /* Derivatives of inverse dynamics by u and q, of forces of constraints too. */
    ${m}_add_product(${nu}, ${nu}, ${nu}, ${one}, mass, x->transport, damping);
    ${m}_add_product(${nu}, ${nu}, ${nu}, ${one}, damping, x->transport, stiffness);
    ${m}_add_product(${nu}, ${nu}, ${nu}, ${one}, mass, x->transport_rate, stiffness);
    for (int i = 0; i < ${mass_size}; i++) {
        stiffness[i] -= curvature[i];
    }
    ${m}_clear(${force_size}, product);
    ${m}_add_product(${nu}, ${nu}, ${displacements}, ${one}, stiffness, x->basis, product);
    ${m}_add_product(${nu}, ${nu}, ${displacements}, ${one}, damping, x->speed_by_z, product);
    ${m}_add_product(${nu}, ${nu}, ${displacements}, ${one}, mass, x->acceleration_by_z, product);
    ${m}_project_forces(x->speed_basis, ${displacements}, product, x->by_z);
    ${m}_clear(${force_size}, product);
    ${m}_add_product(${nu}, ${nu}, ${freedoms}, ${one}, damping, x->speed_basis, product);
    ${m}_add_product(${nu}, ${nu}, ${freedoms}, ${one}, mass, x->acceleration_by_w, product);
    ${m}_project_forces(x->speed_basis, ${freedoms}, product, x->by_w);
    ${m}_clear(${force_size}, product);
    ${m}_add_product(${nu}, ${nu}, ${freedoms}, ${one}, mass, x->speed_basis, product);
    ${m}_project_forces(x->speed_basis, ${freedoms}, product, reduced);
    for (int i = 0; i < ${freedoms}; i++) {
        for (int k = 0; k < ${freedoms}; k++) {
            x->mass[i][k] = ${half}*(reduced[i*${freedoms} + k] + reduced[k*${freedoms} + i]);
        }
        for (int k = 0; k < ${nu}; k++) {
            x->forcing[i*${forces} + k] = x->speed_basis[k*${freedoms} + i];
        }
    }
    for (int i = 0; i < ${basis_size}; i++) {
        x->drift[i] = x->speed_by_z[i];
    }
    ${m}_add_product(${nu}, ${nu}, ${displacements}, ${one}, x->transport, x->basis, x->drift);
    return ${M}_OK;
}
