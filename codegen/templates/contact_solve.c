/* Rates s of a contact, as its law sees them. */
static void ${m}_contact_rates(
    const ${m}_contact_rows *at, int k, const ${m}_real *impulses, const ${m}_real x[${nu}],
    ${m}_real s[3])
{
    const int row = ${m}_contact_first[k];
    ${m}_contact_times(at->y, k, x, s);
    for (int i = row; i < ${m}_contact_first[k + 1]; i++) {
        s[i - row] += at->drift[i];
    }
    s[0] += at->offset[k] + at->softness[k]*impulses[row];
}

/* Impulse of a single row by its rate s: pressing only, or up to that of dry friction. */
static ${m}_real ${m}_contact_single(
    const ${m}_contact_rows *at, int k, ${m}_real impulse, ${m}_real s)
{
    const ${m}_real weight = at->weights[k][0][0];
    const ${m}_real free = weight > ${zero} ? impulse - s/weight : ${zero};
    return k < ${contact_count} ? fmax${f}(${zero}, free)
                                : fmax${f}(-at->mu[k], fmin${f}(at->mu[k], free));
}

/* The largest change of impulses in one sweep over all contacts, each of them solved exactly. */
static ${m}_real ${m}_contact_sweep(
    const ${m}_contact_rows *at, ${m}_real *impulses, ${m}_real x[${nu}], ${m}_real *largest)
{
    ${m}_real change = ${zero};
    *largest = at->least;
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        ${m}_real p[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real added[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real r[3];
        if (!at->is_active[k]) {
            continue;
        }
        ${m}_contact_rates(at, k, impulses, x, r);
        if (size == 3) {
            for (int i = 0; i < 3; i++) {
                p[i] = impulses[row + i];
                for (int j = 0; j < 3; j++) {
                    r[i] -= at->weights[k][i][j]*impulses[row + j];
                }
            }
            ${m}_contact_cone(at->weights[k], at->inverse[k], r, at->mu[k], at->is_relaxed, p);
        } else {
            p[0] = ${m}_contact_single(at, k, impulses[row], r[0]);
        }
        for (int i = 0; i < size; i++) {
            added[i] = p[i] - impulses[row + i];
            change = fmax${f}(change, fabs${f}(added[i]));
            *largest = fmax${f}(*largest, fabs${f}(p[i]));
            impulses[row + i] = p[i];
        }
        ${m}_contact_add(at->y, k, added, x);
    }
    return change;
}

/*
 * The residual of the law: the largest |P - proj(P - rho (s + mu |s_t| n))| by the largest impulse,
 * with rho = 3/trace of the weights and proj onto Coulomb's cone; `worst` is the contact that has it.
 */
static ${m}_real ${m}_contact_residual(
    const ${m}_contact_rows *at, const ${m}_real *impulses, const ${m}_real x[${nu}], int *worst)
{
    ${m}_real largest = at->least;
    ${m}_real found = ${zero};
    *worst = 0;
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        const ${m}_real (*w)[3] = at->weights[k];
        ${m}_real s[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real left;
        if (!at->is_active[k]) {
            continue;
        }
        ${m}_contact_rates(at, k, impulses, x, s);
        for (int i = 0; i < size; i++) {
            largest = fmax${f}(largest, fabs${f}(impulses[row + i]));
        }
        if (size == 3) {
            const ${m}_real trace = w[0][0] + w[1][1] + w[2][2];
            left = trace > ${zero}
                ? ${m}_contact_left(&impulses[row], s, at->mu[k], at->is_relaxed, ${three}/trace) : ${zero};
        } else {
            const ${m}_real next = ${m}_contact_single(at, k, impulses[row], s[0]);
            left = fabs${f}(impulses[row] - next);
        }
        if (!(left <= found)) {
            found = left;
            *worst = k;
        }
    }
    return found > ${zero} ? found/largest : ${zero};
}
