
/* a z = b, b in the last column; what a singular a leaves open is zero. */
static void ${m}_contact_eliminate(
    ${m}_real a[${unknowns}][${unknowns} + 1], int n, ${m}_real z[${unknowns}])
{
    int column[${unknowns}];
    ${m}_real largest = ${zero};
    int rank = 0;
    for (int i = 0; i < n; i++) {
        column[i] = i;
        z[i] = ${zero};
    }
    while (rank < n) {
        ${m}_real best = ${zero};
        int row = rank;
        int place = rank;
        for (int i = rank; i < n; i++) {
            for (int k = rank; k < n; k++) {
                if (fabs${f}(a[i][column[k]]) > best) {
                    best = fabs${f}(a[i][column[k]]);
                    row = i;
                    place = k;
                }
            }
        }
        largest = fmax${f}(largest, best);
        if (!(best > ${rank_tolerance}*largest)) {
            break;
        }
        for (int k = 0; k <= n; k++) {
            const ${m}_real entry = a[row][k];
            a[row][k] = a[rank][k];
            a[rank][k] = entry;
        }
        row = column[place];
        column[place] = column[rank];
        column[rank] = row;
        for (int i = rank + 1; i < n; i++) {
            const ${m}_real factor = a[i][row]/a[rank][row];
            for (int k = rank; k < n && factor != ${zero}; k++) {
                a[i][column[k]] -= factor*a[rank][column[k]];
            }
            a[i][n] -= factor*a[rank][n];
        }
        rank++;
    }
    for (int i = rank - 1; i >= 0; i--) {
        ${m}_real sum = a[i][n];
        for (int k = i + 1; k < rank; k++) {
            sum -= a[i][column[k]]*z[column[k]];
        }
        z[column[i]] = sum/a[i][column[i]];
    }
}

/*
 * A step of Newton's method in the modes that the impulses show, for all contacts at once: what
 * sticks has no rate, what slips does so against its friction. Unknown are impulses along `pulls`
 * and, of slip, the angle of friction; equations are rates along `looks`.
 */
static void ${m}_contact_newton(
    const ${m}_contact_rows *at, ${m}_real *impulses, ${m}_real v[${v_size}])
{
    ${m}_real pulls[${unknowns}][3];
    ${m}_real looks[${unknowns}][3];
    ${m}_real a[${unknowns}][${unknowns} + 1];
    ${m}_real z[${unknowns}];
    int first[${blocks} + 1] = {0};
    bool slips[${blocks}] = {false};
    int n = 0;
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        const ${m}_real *p = &impulses[row];
        ${m}_real s[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real d[2] = {${one}, ${zero}};
        const bool is_held = at->is_active[k]
            && (k < ${contact_count} ? p[0] > ${zero} : fabs${f}(p[0]) < at->mu[k]);
        first[k] = n;
        first[k + 1] = n;
        if (!is_held) {
            continue;
        }
        ${m}_contact_rates(at, k, impulses, v, s);
        if (size == 3) {
            const ${m}_real friction = sqrt${f}(p[1]*p[1] + p[2]*p[2]);
            slips[k] = friction >= at->mu[k]*p[0]*(${one} - ${nine_digits});
            d[0] = friction > ${zero} ? -p[1]/friction : ${one};
            d[1] = friction > ${zero} ? -p[2]/friction : ${zero};
        }
        first[k + 1] = n + (slips[k] ? 2 : size);
        for (; n < first[k + 1]; n++) {
            for (int j = 0; j < 3; j++) {
                pulls[n][j] = n - first[k] == j ? ${one} : ${zero};
                looks[n][j] = pulls[n][j];
            }
        }
        if (slips[k]) {
            pulls[n - 2][1] = -at->mu[k]*d[0];
            pulls[n - 2][2] = -at->mu[k]*d[1];
            pulls[n - 1][1] = at->mu[k]*p[0]*d[1];
            pulls[n - 1][2] = -at->mu[k]*p[0]*d[0];
            looks[n - 1][1] = -d[1];
            looks[n - 1][2] = d[0];
        }
        for (int i = first[k]; i < n; i++) {
            for (int j = 0; j < ${unknowns}; j++) {
                a[i][j] = ${zero};
            }
            z[i] = -(looks[i][0]*s[0] + looks[i][1]*s[1] + looks[i][2]*s[2]);
        }
        a[first[k]][first[k]] = at->softness[k];
        if (slips[k]) {
            a[n - 1][n - 1] = -(d[0]*s[1] + d[1]*s[2]);
        }
    }
    for (int k = 0; k < ${blocks}; k++) {
        for (int i = first[k]; i < first[k + 1]; i++) {
            ${m}_real moved[${v_size}] = {${zero}};
            ${m}_contact_apply(at, k, pulls[i], moved);
            for (int other = 0; other < ${blocks}; other++) {
                const ${m}_real *s = &moved[${m}_contact_first[other]];
                for (int j = first[other]; j < first[other + 1]; j++) {
                    a[j][i] += looks[j][0]*s[0];
                    if (${m}_contact_first[other + 1] - ${m}_contact_first[other] == 3) {
                        a[j][i] += looks[j][1]*s[1] + looks[j][2]*s[2];
                    }
                }
            }
            a[i][n] = z[i];
        }
    }
    ${m}_contact_eliminate(a, n, z);
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        ${m}_real p[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real added[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real share = ${one};
        for (int j = 0; j < size; j++) {
            p[j] = impulses[row + j];
            for (int i = first[k]; i < first[k + 1]; i++) {
                p[j] += z[i]*pulls[i][j];
            }
        }
        if (slips[k]) {
            const ${m}_real friction = sqrt${f}(p[1]*p[1] + p[2]*p[2]);
            share = friction > ${zero} ? at->mu[k]*p[0]/friction : ${zero};
        }
        for (int j = 0; j < size; j++) {
            p[j] *= j > 0 ? share : ${one};
            added[j] = p[j] - impulses[row + j];
            impulses[row + j] = p[j];
        }
        ${m}_contact_apply(at, k, added, v);
    }
}

/* Whether so many sweeps more as cost what these steps do will end the solve. */
static bool ${m}_contact_near(${m}_real change, ${m}_real before, ${m}_real most)
{
    ${m}_real rate = change/before;
    for (int k = 0; k < ${squarings}; k++) {
        rate *= rate;
    }
    return rate*change <= most;
}

/* Three such steps; true if they leave no more than `most` of the law. */
static bool ${m}_contact_polish(
    const ${m}_contact_rows *at, ${m}_real *impulses, ${m}_real v[${v_size}], ${m}_real most)
{
    ${m}_real p[${unknowns}];
    ${m}_real v_next[${v_size}];
    int worst = 0;
    for (int i = 0; i < ${unknowns}; i++) {
        p[i] = impulses[i];
    }
    for (int i = 0; i < ${v_size}; i++) {
        v_next[i] = v[i];
    }
    for (int step = 0; step < 3; step++) {
        ${m}_contact_newton(at, p, v_next);
        if (${m}_contact_residual(at, p, v_next, &worst) <= most) {
            for (int i = 0; i < ${unknowns}; i++) {
                impulses[i] = p[i];
            }
            for (int i = 0; i < ${v_size}; i++) {
                v[i] = v_next[i];
            }
            return true;
        }
    }
    return false;
}
