/* Rows before each one that the matrix of a step couples it to, along the tree. */
static const int ${m}_step_first[${ends}] = {${first}};
static const int ${m}_step_before[${count}] = {${places}};

/*
 * Factors the matrix of a step in place, from the leaves of the tree: zeros stay what they are, and
 * no rows are exchanged. false if a pivot is lost or not finite.
 */
static bool ${m}_factor_step(${m}_real a[${M}_RESTRICT ${size}], int order[${M}_RESTRICT ${n}])
{
    ${m}_real diagonal[${n}];
    for (int k = 0; k < ${n}; k++) {
        diagonal[k] = fabs${f}(a[k*${n} + k]);
        order[k] = k;
    }
    for (int k = ${n} - 1; k >= 0; k--) {
        const ${m}_real pivot = a[k*${n} + k];
        if (!(fabs${f}(pivot) > ${lost}*diagonal[k])) {
            return false;
        }
        for (int s = ${m}_step_first[k]; s < ${m}_step_first[k + 1]; s++) {
            const int i = ${m}_step_before[s];
            const ${m}_real factor = a[i*${n} + k]/pivot;
            a[i*${n} + k] = factor;
            for (int r = ${m}_step_first[k]; r < ${m}_step_first[k + 1]; r++) {
                const int j = ${m}_step_before[r];
                a[i*${n} + j] -= factor*a[k*${n} + j];
            }
        }
    }
    return true;
}

/* Solves with the factored matrix; x is the right-hand side, and then the solution. */
static void ${m}_solve_step(
    const ${m}_real a[${M}_RESTRICT ${size}],
    const int order[${M}_RESTRICT ${n}],
    ${m}_real x[${M}_RESTRICT ${n}])
{
    (void)order;
    for (int k = ${n} - 1; k >= 0; k--) {
        for (int s = ${m}_step_first[k]; s < ${m}_step_first[k + 1]; s++) {
            const int i = ${m}_step_before[s];
            x[i] -= a[i*${n} + k]*x[k];
        }
    }
    for (int k = 0; k < ${n}; k++) {
        for (int s = ${m}_step_first[k]; s < ${m}_step_first[k + 1]; s++) {
            const int j = ${m}_step_before[s];
            x[k] -= a[k*${n} + j]*x[j];
        }
        x[k] /= a[k*${n} + k];
    }
}
