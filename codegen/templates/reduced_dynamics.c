int ${m}_reduced_dynamics(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real tau[${M}_RESTRICT ${nu}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_real a[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}])
{
    ${m}_real jacobian[${rows}][${width}];
    ${m}_real g[${rows}][${width}];
    ${m}_real bias[${rows}];
    ${m}_real mass[${mass_size}];
    ${m}_real force[${nu}];
    ${m}_real basis[${nu}][${nu}] = {0};
    ${m}_real product[${nu}][${nu}];
    ${m}_real reduced[${nu}][${nu}];
    ${m}_real z[${nu}];
    int barred[${nu}];
    int pivots[${rows}];
    int status = ${m}_gradients(q, ${gradients_arguments}jacobian);
    if (status == ${M}_OK) {
        status = ${constraint_bias}, bias);
    }
    if (status == ${M}_OK) {
        status = ${mass_matrix}, mass);
    }
    if (status == ${M}_OK) {
        status = ${bias}, force);
    }
    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${rows}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            g[i][k] = jacobian[i][k];
        }
        g[i][${nu}] = -bias[i];
    }
    ${m}_bar(order, barred);
    if (${m}_eliminate(g, ${rows}, ${nu}, barred, pivots) < ${rows}) {
        return ${singular_constraints};
    }
    /* u' = basis z + a with a the acceleration at z = 0; basis is the orthogonal complement. */
    for (int k = 0; k < ${nu}; k++) {
        a[k] = ${zero};
    }
    for (int i = 0; i < ${rows}; i++) {
        a[pivots[i]] = g[i][${nu}];
        for (int j = 0; j < ${freedoms}; j++) {
            basis[pivots[i]][j] = -g[i][order[j]];
        }
    }
    for (int j = 0; j < ${freedoms}; j++) {
        basis[order[j]][j] = ${one};
    }
    for (int i = 0; i < ${nu}; i++) {
        force[i] = tau[i] - force[i];
        for (int k = 0; k < ${nu}; k++) {
            force[i] -= mass[i*${nu} + k]*a[k];
        }
        for (int j = 0; j < ${freedoms}; j++) {
            product[i][j] = ${zero};
            for (int k = 0; k < ${nu}; k++) {
                product[i][j] += mass[i*${nu} + k]*basis[k][j];
            }
        }
    }
    for (int i = 0; i < ${freedoms}; i++) {
        z[i] = ${zero};
        for (int k = 0; k < ${nu}; k++) {
            z[i] += basis[k][i]*force[k];
        }
        for (int j = 0; j < ${freedoms}; j++) {
            reduced[i][j] = ${zero};
            for (int k = 0; k < ${nu}; k++) {
                reduced[i][j] += basis[k][i]*product[k][j];
            }
        }
    }
    if (!${m}_solve_positive(reduced, ${freedoms}, z, 1)) {
        return ${singular_mass_matrix};
    }
    for (int i = 0; i < ${nu}; i++) {
        for (int j = 0; j < ${freedoms}; j++) {
            a[i] += basis[i][j]*z[j];
            force[i] -= product[i][j]*z[j];
        }
        force[i] = -force[i];
    }
    ${m}_multipliers(jacobian, force, pivots, multipliers);
    return ${M}_OK;
}
