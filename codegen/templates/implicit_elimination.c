/*
 * Factors the matrix of a step in place, rows exchanged for the largest pivots; order tells which
 * row stands where. false if it is singular or not finite.
 */
static bool ${m}_factor_step(${m}_real a[${M}_RESTRICT ${size}], int order[${M}_RESTRICT ${n}])
{
    for (int k = 0; k < ${n}; k++) {
        ${m}_real largest = ${zero};
        int best = k;
        for (int i = k; i < ${n}; i++) {
            const ${m}_real entry = fabs${f}(a[i*${n} + k]);
            if (entry > largest) {
                largest = entry;
                best = i;
            }
        }
        if (!(largest > ${zero})) {
            return false;
        }
        order[k] = best;
        for (int j = 0; j < ${n}; j++) {
            const ${m}_real entry = a[best*${n} + j];
            a[best*${n} + j] = a[k*${n} + j];
            a[k*${n} + j] = entry;
        }
        for (int i = k + 1; i < ${n}; i++) {
            const ${m}_real factor = a[i*${n} + k]/a[k*${n} + k];
            a[i*${n} + k] = factor;
            for (int j = k + 1; j < ${n}; j++) {
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
    for (int k = 0; k < ${n}; k++) {
        const ${m}_real entry = x[order[k]];
        x[order[k]] = x[k];
        x[k] = entry;
    }
    for (int k = 0; k < ${n}; k++) {
        for (int j = 0; j < k; j++) {
            x[k] -= a[k*${n} + j]*x[j];
        }
    }
    for (int k = ${n} - 1; k >= 0; k--) {
        for (int j = k + 1; j < ${n}; j++) {
            x[k] -= a[k*${n} + j]*x[j];
        }
        x[k] /= a[k*${n} + k];
    }
}
