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
    if (k < ${contact_count}) {
        return free > ${zero} ? free : ${zero};
    }
    return free > at->mu[k] ? at->mu[k] : free < -at->mu[k] ? -at->mu[k] : free;
}

/* The largest change of impulses in one sweep over all contacts, each of them solved exactly. */
static ${m}_real ${m}_contact_sweep(
    const ${m}_contact_rows *at, ${m}_real *impulses, ${m}_real x[${nu}], ${m}_real *largest)
{
    ${m}_real change = ${zero};
    ${m}_real most = at->least;
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        ${m}_real *impulse = &impulses[row];
        ${m}_real p[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real added[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real r[3];
        if (!at->is_active[k]) {
            continue;
        }
        ${m}_contact_rates(at, k, impulses, x, r);
        if (size == 3) {
            const ${m}_real (*w)[3] = at->weights[k];
            for (int i = 0; i < 3; i++) {
                p[i] = impulse[i];
                r[i] -= w[i][0]*impulse[0] + w[i][1]*impulse[1] + w[i][2]*impulse[2];
            }
            ${m}_contact_cone(w, at->inverse[k], r, at->mu[k], at->is_relaxed, p);
        } else {
            p[0] = ${m}_contact_single(at, k, impulse[0], r[0]);
        }
        for (int i = 0; i < size; i++) {
            const ${m}_real moved = fabs${f}(p[i] - impulse[i]);
            added[i] = p[i] - impulse[i];
            change = moved > change ? moved : change;
            most = fabs${f}(p[i]) > most ? fabs${f}(p[i]) : most;
            impulse[i] = p[i];
        }
        ${m}_contact_add(at->y, k, added, x);
    }
    *largest = most;
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
