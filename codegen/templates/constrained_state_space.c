
/* Rows of C and D that show all displacements, speeds and accelerations. */
static void ${m}_show_all(
    const ${m}_free_motion *x,
    const ${m}_real *w_rate,
    ${m}_real C[${M}_RESTRICT ${c_size}],
    ${m}_real D[${M}_RESTRICT ${d_size}])
{
    for (int i = 0; i < ${nu}; i++) {
        ${m}_real *const row = C + i*${states};
        ${m}_real *const speed = C + (${nu} + i)*${states};
        ${m}_real *const acceleration = C + (2*${nu} + i)*${states};
        ${m}_clear(${states}, row);
        for (int k = 0; k < ${displacements}; k++) {
            row[k] = x->basis[i*${displacements} + k];
            speed[k] = x->speed_by_z[i*${displacements} + k];
            acceleration[k] = x->acceleration_by_z[i*${displacements} + k];
        }
        for (int k = 0; k < ${freedoms}; k++) {
            speed[${displacements} + k] = x->speed_basis[i*${freedoms} + k];
            acceleration[${displacements} + k] = x->acceleration_by_w[i*${freedoms} + k];
        }
        for (int j = 0; j < ${freedoms}; j++) {
            const ${m}_real entry = x->speed_basis[i*${freedoms} + j];
            for (int k = 0; k < ${states}; k++) {
                acceleration[k] += entry*w_rate[j*${columns} + k];
            }
        }
    }
    ${m}_clear(${d_size}, D);
    for (int i = 0; i < ${nu}; i++) {
        for (int j = 0; j < ${freedoms}; j++) {
            const ${m}_real entry = x->speed_basis[i*${freedoms} + j];
            for (int k = 0; k < ${forces}; k++) {
                D[(2*${nu} + i)*${forces} + k] += entry*w_rate[j*${columns} + ${states} + k];
            }
        }
    }
}

int ${m}_state_space(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
    const ${m}_real multipliers[${M}_RESTRICT ${rows}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_real A[${M}_RESTRICT ${a_size}],
    ${m}_real B[${M}_RESTRICT ${b_size}],
    ${m}_real C[${M}_RESTRICT ${c_size}],
    ${m}_real D[${M}_RESTRICT ${d_size}])
{
    ${m}_free_motion x;
    ${m}_real w_rate[${w_rate_size}]; /* by z, w and v */
    const int status =
        ${m}_linearize(q, u, a, multipliers, ${dynamics_arguments}order, &x);
    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${freedoms}; i++) {
        ${m}_real *const row = w_rate + i*${columns};
        for (int k = 0; k < ${displacements}; k++) {
            row[k] = -x.by_z[i*${displacements} + k];
        }
        for (int k = 0; k < ${freedoms}; k++) {
            row[${displacements} + k] = -x.by_w[i*${freedoms} + k];
        }
        for (int k = 0; k < ${forces}; k++) {
            row[${states} + k] = x.forcing[i*${forces} + k];
        }
    }
    if (!${m}_solve_positive(x.mass, ${freedoms}, w_rate, ${columns})) {
        return ${singular_mass_matrix};
    }
    ${m}_clear(${b_size}, B);
    for (int i = 0; i < ${displacements}; i++) {
        for (int k = 0; k < ${displacements}; k++) {
            A[i*${states} + k] = x.drift[order[i]*${displacements} + k];
        }
        for (int k = 0; k < ${freedoms}; k++) {
            A[i*${states} + ${displacements} + k] = x.speed_basis[order[i]*${freedoms} + k];
        }
    }
    for (int i = 0; i < ${freedoms}; i++) {
        for (int k = 0; k < ${states}; k++) {
            A[(${displacements} + i)*${states} + k] = w_rate[i*${columns} + k];
        }
        for (int k = 0; k < ${forces}; k++) {
            B[(${displacements} + i)*${forces} + k] = w_rate[i*${columns} + ${states} + k];
        }
    }
    ${m}_show_all(&x, w_rate, C, D);
    return ${M}_OK;
}
