/* Rates s of a contact, as its law sees them. */
static inline void ${m}_contact_rates(
    const ${m}_contact_rows *at, int k, const ${m}_real *impulses, const ${m}_real v[${v_size}],
    ${m}_real s[3])
{
    ${m}_contact_look(at, k, v, s);
    s[0] += at->offset[k] + at->softness[k]*impulses[${m}_contact_first[k]];
}

static inline ${m}_real ${m}_contact_most(${m}_real a, ${m}_real b)
{
    return b > a ? b : a;
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
    const ${m}_contact_rows *at, ${m}_real *impulses, ${m}_real v[${v_size}],
    ${m}_real *largest)
{
    ${m}_real change = ${zero};
    ${m}_real most = at->least;
    for (int k = 0; k < ${blocks}; k++) {
        ${m}_real *impulse = &impulses[${m}_contact_first[k]];
        ${m}_real p[3] = {impulse[0], ${zero}, ${zero}};
        ${m}_real r[3];
        ${m}_real moved;
        if (!at->is_active[k]) {
            continue;
        }
        ${m}_contact_rates(at, k, impulses, v, r);
        if (${m}_contact_first[k + 1] - ${m}_contact_first[k] == 3) {
            const ${m}_real (*w)[3] = at->weights[k];
            ${m}_real added[3];
            p[1] = impulse[1];
            p[2] = impulse[2];
            r[0] -= w[0][0]*p[0] + w[0][1]*p[1] + w[0][2]*p[2];
            r[1] -= w[1][0]*p[0] + w[1][1]*p[1] + w[1][2]*p[2];
            r[2] -= w[2][0]*p[0] + w[2][1]*p[1] + w[2][2]*p[2];
            ${m}_contact_cone(
                w, at->inverse[k], at->is_regular[k], r, at->mu[k], at->is_relaxed, p);
            for (int i = 0; i < 3; i++) {
                added[i] = p[i] - impulse[i];
                impulse[i] = p[i];
            }
            moved = ${m}_contact_most(fabs${f}(added[1]), fabs${f}(added[2]));
            moved = ${m}_contact_most(moved, fabs${f}(added[0]));
            most = ${m}_contact_most(most, fabs${f}(p[1]));
            most = ${m}_contact_most(most, fabs${f}(p[2]));
            ${m}_contact_apply(at, k, added, v);
        } else {
            const ${m}_real added[3] = {
                ${m}_contact_single(at, k, p[0], r[0]) - p[0], ${zero}, ${zero}};
            p[0] += added[0];
            impulse[0] = p[0];
            moved = fabs${f}(added[0]);
            ${m}_contact_apply(at, k, added, v);
        }
        change = ${m}_contact_most(change, moved);
        most = ${m}_contact_most(most, fabs${f}(p[0]));
    }
    *largest = most;
    return change;
}

/*
 * The residual of the law: the largest |P - proj(P - rho (s + mu |s_t| n))| by the largest impulse,
 * with rho = 3/trace of the weights and proj onto Coulomb's cone; `worst` is the contact that has it.
 */
static ${m}_real ${m}_contact_residual(
    const ${m}_contact_rows *at, const ${m}_real *impulses, const ${m}_real v[${v_size}],
    int *worst)
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
        ${m}_contact_rates(at, k, impulses, v, s);
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
