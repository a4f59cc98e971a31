/*
 * Gauss-Jordan elimination with complete pivoting of ${equations} equations, the right-hand sides in
 * the last column; rows and columns are brought to a like size first, columns by `size`. pivots[i]
 * is the unknown that row i is solved for. Returned is the rank, or -1 if the equations contradict.
 */
static int ${m}_near_rigid_solve(
    ${m}_real e[${equations}][${width}], ${m}_real size[${unknowns}], int pivots[${equations}])
{
    ${m}_real right = ${zero};
    int rank = 0;
    int used[${unknowns}] = {0};
    for (int k = 0; k < ${unknowns}; k++) {
        size[k] = ${zero};
        for (int i = 0; i < ${equations}; i++) {
            size[k] = fmax${f}(size[k], fabs${f}(e[i][k]));
        }
        size[k] = size[k] > ${zero} ? size[k] : ${one};
        for (int i = 0; i < ${equations}; i++) {
            e[i][k] /= size[k];
        }
    }
    for (int i = 0; i < ${equations}; i++) {
        ${m}_real largest = ${zero};
        for (int k = 0; k < ${unknowns}; k++) {
            largest = fmax${f}(largest, fabs${f}(e[i][k]));
        }
        for (int k = 0; largest > ${zero} && k < ${width}; k++) {
            e[i][k] /= largest;
        }
        right = fmax${f}(right, fabs${f}(e[i][${unknowns}]));
    }
    while (rank < ${equations}) {
        ${m}_real best = ${rank_tolerance};
        int row = -1;
        int column = -1;
        for (int i = rank; i < ${equations}; i++) {
            for (int k = 0; k < ${unknowns}; k++) {
                if (used[k] == 0 && fabs${f}(e[i][k]) > best) {
                    best = fabs${f}(e[i][k]);
                    row = i;
                    column = k;
                }
            }
        }
        if (row < 0) {
            break;
        }
        for (int k = 0; k < ${width}; k++) {
            const ${m}_real entry = e[row][k];
            e[row][k] = e[rank][k];
            e[rank][k] = entry;
        }
        for (int k = 0; k < ${width}; k++) {
            if (k != column) {
                e[rank][k] /= e[rank][column];
            }
        }
        e[rank][column] = ${one};
        for (int i = 0; i < ${equations}; i++) {
            const ${m}_real factor = e[i][column];
            for (int k = 0; i != rank && k < ${width}; k++) {
                e[i][k] -= factor*e[rank][k];
            }
            e[i][column] = i == rank ? ${one} : ${zero};
        }
        used[column] = 1;
        pivots[rank] = column;
        rank++;
    }
    for (int i = rank; i < ${equations}; i++) {
        if (!(fabs${f}(e[i][${unknowns}]) <= ${rank_tolerance}*(${one} + right))) {
            return -1;
        }
    }
    return rank;
}

/* Factors the symmetric positive definite a of size n in place; false if it is not. */
static bool ${m}_near_rigid_factor(${m}_real a[${inputs}][${inputs}], int n)
{
    ${m}_real largest = ${zero};
    for (int i = 0; i < n; i++) {
        largest = fmax${f}(largest, a[i][i]);
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= i; k++) {
            for (int j = 0; j < k; j++) {
                a[i][k] -= a[i][j]*a[k][j];
            }
            if (k < i) {
                a[i][k] /= a[k][k];
            }
        }
        if (!(a[i][i] > largest*${smallest_pivot})) {
            return false;
        }
        a[i][i] = sqrt${f}(a[i][i]);
    }
    return true;
}

/*
 * x = base + rows y of least norm in its first ${inputs} entries between bounds, in place of base:
 * the dual active-set method of Goldfarb and Idnani, Mathematical Programming 27 (1983), in
 * variables in which the objective is |y - y_0|^2. Bounds that are active are added one by one.
 */
static int ${m}_near_rigid_bounded(
    ${m}_real base[${bounded}],
    ${m}_real rows[${bounded}][${inputs}],
    int n,
    const ${m}_real low[${bounded}],
    const ${m}_real high[${bounded}])
{
    ${m}_real h[${inputs}][${inputs}] = {0};
    ${m}_real y[${inputs}] = {0};
    ${m}_real multipliers[${inputs}] = {0};
    ${m}_real signs[${inputs}] = {0};
    int active[${inputs}] = {0};
    int count = 0;
    int step = 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= i; k++) {
            for (int j = 0; j < ${inputs}; j++) {
                h[i][k] += rows[j][i]*rows[j][k];
            }
        }
        for (int j = 0; j < ${inputs}; j++) {
            y[i] -= rows[j][i]*base[j];
        }
    }
    if (!${m}_near_rigid_factor(h, n)) {
        return ${inputs_not_unique};
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            y[i] -= h[i][k]*y[k];
        }
        y[i] /= h[i][i];
    }
    for (int j = 0; j < ${bounded}; j++) {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++) {
                rows[j][i] -= h[i][k]*rows[j][k];
            }
            rows[j][i] /= h[i][i];
        }
    }
    while (step < ${most_changes}) {
        ${m}_real worst = ${zero};
        ${m}_real sign = ${one};
        ${m}_real own = ${zero};
        int chosen = -1;
        bool added = false;
        for (int j = 0; j < ${bounded}; j++) {
            ${m}_real value = base[j];
            ${m}_real terms = fabs${f}(base[j]);
            ${m}_real length = ${zero};
            for (int i = 0; i < n; i++) {
                value += rows[j][i]*y[i];
                terms += fabs${f}(rows[j][i]*y[i]);
                length += rows[j][i]*rows[j][i];
            }
            for (int side = 0; side < 2; side++) {
                const ${m}_real lack = side == 0 ? low[j] - value : value - high[j];
                const ${m}_real slack = ${bound_tolerance}*(${one} + terms);
                if (lack > slack && !(length > ${zero})) {
                    return ${bounds_out_of_reach};
                }
                if (lack > slack && lack/sqrt${f}(length) > worst) {
                    worst = lack/sqrt${f}(length);
                    sign = side == 0 ? ${one} : -${one};
                    chosen = j;
                }
            }
        }
        if (chosen < 0) {
            for (int j = 0; j < ${bounded}; j++) {
                for (int i = 0; i < n; i++) {
                    base[j] += rows[j][i]*y[i];
                }
            }
            return ${M}_OK;
        }
        while (!added) {
            ${m}_real gram[${inputs}][${inputs}] = {0};
            ${m}_real share[${inputs}] = {0};
            ${m}_real along[${inputs}] = {0};
            ${m}_real square = ${zero};
            ${m}_real whole = ${zero};
            ${m}_real length = -${one};
            ${m}_real lack = -sign*base[chosen];
            int leaving = -1;
            for (int a = 0; a < count; a++) {
                for (int i = 0; i < n; i++) {
                    const ${m}_real normal = signs[a]*rows[active[a]][i];
                    share[a] += normal*sign*rows[chosen][i];
                    for (int b = 0; b <= a; b++) {
                        gram[a][b] += normal*signs[b]*rows[active[b]][i];
                    }
                }
            }
            if (!${m}_near_rigid_factor(gram, count)) {
                return ${too_many_changes};
            }
            for (int a = 0; a < count; a++) {
                for (int b = 0; b < a; b++) {
                    share[a] -= gram[a][b]*share[b];
                }
                share[a] /= gram[a][a];
            }
            for (int a = count - 1; a >= 0; a--) {
                for (int b = a + 1; b < count; b++) {
                    share[a] -= gram[b][a]*share[b];
                }
                share[a] /= gram[a][a];
            }
            for (int i = 0; i < n; i++) {
                along[i] = sign*rows[chosen][i];
                whole += along[i]*along[i];
                lack -= along[i]*y[i];
                for (int a = 0; a < count; a++) {
                    along[i] -= share[a]*signs[a]*rows[active[a]][i];
                }
                square += along[i]*along[i];
            }
            lack += sign*(sign > ${zero} ? low[chosen] : high[chosen]);
            if (count < n && square > ${rank_tolerance}*whole) {
                length = lack/square;
            }
            for (int a = 0; a < count; a++) {
                if (share[a] > ${zero}
                    && (length < ${zero} || multipliers[a] < length*share[a])) {
                    length = multipliers[a]/share[a];
                    leaving = a;
                }
            }
            if (length < ${zero}) {
                return ${bounds_out_of_reach};
            }
            step++;
            if (step > ${most_changes}) {
                return ${too_many_changes};
            }
            own += length;
            for (int i = 0; count < n && square > ${rank_tolerance}*whole && i < n; i++) {
                y[i] += length*along[i];
            }
            for (int a = 0; a < count; a++) {
                multipliers[a] -= length*share[a];
            }
            if (leaving < 0) {
                active[count] = chosen;
                signs[count] = sign;
                multipliers[count] = own;
                count++;
                added = true;
            } else {
                count--;
                for (int a = leaving; a < count; a++) {
                    active[a] = active[a + 1];
                    signs[a] = signs[a + 1];
                    multipliers[a] = multipliers[a + 1];
                }
            }
        }
        step++;
    }
    return ${too_many_changes};
}

int ${m}_near_rigid_control(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
${declarations}    const ${m}_real q_d[${M}_RESTRICT ${nq}],
    const ${m}_real u_d[${M}_RESTRICT ${nu}],
    const ${m}_real a_d[${M}_RESTRICT ${nu}],
    const ${m}_real kp[${M}_RESTRICT ${nu}],
    const ${m}_real kd[${M}_RESTRICT ${nu}],
    const int controlled[${nu}],
    const ${m}_real lower[${M}_RESTRICT ${inputs}],
    const ${m}_real upper[${M}_RESTRICT ${inputs}],
    const ${m}_real strain_lower[${M}_RESTRICT ${strains}],
    const ${m}_real strain_upper[${M}_RESTRICT ${strains}],
    ${m}_real r[${M}_RESTRICT ${inputs}],
    ${m}_real change[${M}_RESTRICT ${strains}])
{
    /* Unknown are r, the changes, a and the multipliers, in this order. */
    ${m}_real e[${equations}][${width}] = {0};
    ${m}_real a[${nu}] = {0};
    ${m}_real mass[${mass_size}];
    ${m}_real c[${nu}];
    ${m}_real by_inputs[${input_size}];
    ${m}_real strain[${strains}];
    ${m}_real slopes[${slope_size}];
    ${m}_real drift[${strains}];
    ${m}_real pulls[${slope_size}];
    ${m}_real du[${nu}];
    ${m}_real size[${unknowns}];
    ${m}_real base[${bounded}];
    ${m}_real rows[${bounded}][${inputs}] = {0};
    ${m}_real low[${bounded}];
    ${m}_real high[${bounded}];
    int pivots[${equations}];
    int place[${unknowns}];
    int row = ${constrained};
    int free = 0;
    int rank;
    int status;
    for (int k = 0; k < ${inputs}; k++) {
        r[k] = ${zero};
    }
    status = ${mass_matrix}, mass);
    if (status == ${M}_OK) {
        status = ${bias}, c);
    }
    if (status == ${M}_OK) {
        status = ${input_matrix}, by_inputs);
    }
    if (status == ${M}_OK) {
        status = ${element_strains}, strain, slopes, drift, pulls);
    }
    if (status == ${M}_OK) {
        status = ${difference}, du);
    }
${constraints}    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${nu}; i++) {
        for (int k = 0; k < ${inputs}; k++) {
            e[i][k] = by_inputs[i*${inputs} + k];
        }
        for (int k = 0; k < ${strains}; k++) {
            e[i][${inputs} + k] = pulls[i*${strains} + k];
        }
        for (int k = 0; k < ${nu}; k++) {
            e[i][${bounded} + k] = -mass[i*${nu} + k];
        }
        e[i][${unknowns}] = c[i];
    }
    for (int i = 0; i < ${strains}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            e[row][${bounded} + k] = slopes[i*${nu} + k];
        }
        e[row][${unknowns}] = -drift[i];
        row++;
    }
    for (int k = 0; k < ${nu}; k++) {
        if (controlled[k] != 0 && row < ${equations}) {
            e[row][${bounded} + k] = ${one};
            e[row][${unknowns}] = a_d[k] + kd[k]*(u_d[k] - u[k]) + kp[k]*du[k];
            row++;
        } else if (controlled[k] != 0) {
            return ${motion_out_of_reach};
        } else {
            /* Its motion is free. */
        }
    }
    rank = ${m}_near_rigid_solve(e, size, pivots);
    if (rank < 0) {
        return ${motion_out_of_reach};
    }
    for (int k = 0; k < ${unknowns}; k++) {
        place[k] = -1;
    }
    for (int i = 0; i < rank; i++) {
        place[pivots[i]] = i;
    }
    for (int k = 0; k < ${bounded}; k++) {
        base[k] = place[k] < 0 ? ${zero} : e[place[k]][${unknowns}]/size[k];
    }
    for (int j = 0; j < ${unknowns}; j++) {
        if (place[j] >= 0) {
            continue;
        }
        if (free == ${inputs}) {
            return ${inputs_not_unique};
        }
        for (int k = 0; k < ${bounded}; k++) {
            rows[k][free] = place[k] >= 0 ? -e[place[k]][j]/size[k]
                                          : ((k == j) ? ${one}/size[k] : ${zero});
        }
        free++;
    }
    for (int k = 0; k < ${inputs}; k++) {
        low[k] = lower[k];
        high[k] = upper[k];
    }
    for (int k = 0; k < ${strains}; k++) {
        low[${inputs} + k] = strain_lower[k] - strain[k];
        high[${inputs} + k] = strain_upper[k] - strain[k];
    }
    status = ${m}_near_rigid_bounded(base, rows, free, low, high);
    for (int k = 0; k < ${inputs}; k++) {
        r[k] = base[k];
    }
    for (int k = 0; k < ${strains}; k++) {
        change[k] = base[${inputs} + k];
    }
    return status;
}
