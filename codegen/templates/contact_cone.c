/* The inverse g of w; where w is singular, of as many rows as depend on no others, and false. */
static bool ${m}_contact_inverse(const ${m}_real w[3][3], ${m}_real g[3][3])
{
    const ${m}_real trace = w[0][0] + w[1][1] + w[2][2];
    const ${m}_real least = ${pivot_tolerance}*trace;
    const ${m}_real minors[3] = {
        w[1][1]*w[2][2] - w[1][2]*w[2][1],
        w[1][2]*w[2][0] - w[1][0]*w[2][2],
        w[1][0]*w[2][1] - w[1][1]*w[2][0]};
    const ${m}_real determinant = w[0][0]*minors[0] + w[0][1]*minors[1] + w[0][2]*minors[2];
    ${m}_real a[3][6];
    bool used[3] = {false, false, false};
    if (determinant > ${six_digits}*trace*trace*trace) {
        const ${m}_real scale = ${one}/determinant;
        g[0][0] = minors[0]*scale;
        g[0][1] = minors[1]*scale;
        g[0][2] = minors[2]*scale;
        g[1][1] = (w[0][0]*w[2][2] - w[0][2]*w[2][0])*scale;
        g[1][2] = (w[0][2]*w[1][0] - w[0][0]*w[1][2])*scale;
        g[2][2] = (w[0][0]*w[1][1] - w[0][1]*w[1][0])*scale;
        g[1][0] = g[0][1];
        g[2][0] = g[0][2];
        g[2][1] = g[1][2];
        return true;
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            a[i][k] = w[i][k];
            a[i][k + 3] = i == k ? ${one} : ${zero};
        }
    }
    for (int step = 0; step < 3; step++) {
        int best = -1;
        for (int i = 0; i < 3; i++) {
            if (!used[i] && a[i][i] > least && (best < 0 || a[i][i] > a[best][best])) {
                best = i;
            }
        }
        if (best >= 0) {
            const ${m}_real pivot = ${one}/a[best][best];
            used[best] = true;
            for (int k = 0; k < 6; k++) {
                a[best][k] *= pivot;
            }
            for (int i = 0; i < 3; i++) {
                const ${m}_real factor = i == best ? ${zero} : a[i][best];
                for (int k = 0; k < 6; k++) {
                    a[i][k] -= factor*a[best][k];
                }
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            g[i][k] = used[i] && used[k] ? a[i][k + 3] : ${zero};
        }
    }
    return false;
}

/*
 * Impulses and slip v of a contact that slips along d: p = P_n (1, -mu d) stops the gap, or with the
 * relaxed law opens it at mu |v|. Returns d x v, which vanishes where the slip is along d, and its
 * derivative by the angle of d; `inertia` is not above zero where pressing does not part it.
 */
static ${m}_real ${m}_contact_turn(
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real mu, bool is_relaxed,
    const ${m}_real d[2], ${m}_real p[3], ${m}_real v[2], ${m}_real *inertia, ${m}_real *slope)
{
    const ${m}_real across[2] = {-d[1], d[0]};
    const ${m}_real share = is_relaxed ? mu : ${zero};
    const ${m}_real looks[3] = {
        w[0][0] - share*(w[1][0]*d[0] + w[2][0]*d[1]),
        w[0][1] - share*(w[1][1]*d[0] + w[2][1]*d[1]),
        w[0][2] - share*(w[1][2]*d[0] + w[2][2]*d[1])};
    const ${m}_real turning[3] = {
        -share*(w[1][0]*across[0] + w[2][0]*across[1]),
        -share*(w[1][1]*across[0] + w[2][1]*across[1]),
        -share*(w[1][2]*across[0] + w[2][2]*across[1])};
    ${m}_real change;
    ${m}_real turned[2];
    *inertia = looks[0] - mu*(looks[1]*d[0] + looks[2]*d[1]);
    p[0] = -(r[0] - share*(r[1]*d[0] + r[2]*d[1]))/ *inertia;
    change = turning[0] - mu*(turning[1]*d[0] + turning[2]*d[1])
        - mu*(looks[1]*across[0] + looks[2]*across[1]);
    change = (share*(r[1]*across[0] + r[2]*across[1]) - p[0]*change)/ *inertia;
    p[1] = -mu*p[0]*d[0];
    p[2] = -mu*p[0]*d[1];
    for (int i = 0; i < 2; i++) {
        const ${m}_real *row = w[i + 1];
        v[i] = r[i + 1] + row[0]*p[0] + row[1]*p[1] + row[2]*p[2];
        turned[i] = change*(row[0] - mu*(row[1]*d[0] + row[2]*d[1]))
            - mu*p[0]*(row[1]*across[0] + row[2]*across[1]);
    }
    *slope = across[0]*v[1] - across[1]*v[0] + d[0]*turned[1] - d[1]*turned[0];
    return d[0]*v[1] - d[1]*v[0];
}

static void ${m}_contact_unit(${m}_real d[2])
{
    const ${m}_real size = sqrt${f}(d[0]*d[0] + d[1]*d[1]);
    d[0] = size > ${zero} ? d[0]/size : ${one};
    d[1] = size > ${zero} ? d[1]/size : ${zero};
}

/* Impulses of a contact that slips, its direction by Newton's method from d; false if not found. */
static bool ${m}_contact_slip(
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real mu, bool is_relaxed,
    ${m}_real d[2], ${m}_real p[3])
{
    ${m}_real v[2];
    ${m}_real inertia;
    ${m}_real slope;
    for (int turn = 0; turn < 8; turn++) {
        const ${m}_real across = ${m}_contact_turn(w, r, mu, is_relaxed, d, p, v, &inertia, &slope);
        const ${m}_real step = fmax${f}(-${one}, fmin${f}(${one}, -across/slope));
        const ${m}_real old = d[0];
        if (!(inertia > ${zero}) || !(fabs${f}(step) <= ${one})) {
            return false;
        }
        if (fabs${f}(step) <= ${settled} || across == ${zero}) {
            return d[0]*v[0] + d[1]*v[1] >= ${zero};
        }
        d[0] -= step*d[1];
        d[1] += step*old;
        ${m}_contact_unit(d);
    }
    return false;
}

/* The same by a look at all directions, between which the slip changes sides of d. */
static bool ${m}_contact_search(
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real mu, bool is_relaxed, ${m}_real p[3])
{
    ${m}_real d[2] = {${one}, ${zero}};
    ${m}_real v[2];
    ${m}_real inertia;
    ${m}_real slope;
    ${m}_real before = ${m}_contact_turn(w, r, mu, is_relaxed, d, p, v, &inertia, &slope);
    for (int k = 0; k < 32; k++) {
        ${m}_real a[2] = {d[0], d[1]};
        ${m}_real b[2] = {
            d[0]*${cosine} - d[1]*${sine}, d[0]*${sine} + d[1]*${cosine}};
        const ${m}_real after = ${m}_contact_turn(w, r, mu, is_relaxed, b, p, v, &inertia, &slope);
        d[0] = b[0];
        d[1] = b[1];
        for (int half = 0; before*after <= ${zero} && half < ${halves}; half++) {
            ${m}_real between[2] = {a[0] + b[0], a[1] + b[1]};
            ${m}_contact_unit(between);
            if (${m}_contact_turn(w, r, mu, is_relaxed, between, p, v, &inertia, &slope)*before > ${zero}) {
                a[0] = between[0];
                a[1] = between[1];
            } else {
                b[0] = between[0];
                b[1] = between[1];
            }
        }
        if (before*after <= ${zero}) {
            (void)${m}_contact_turn(w, r, mu, is_relaxed, b, p, v, &inertia, &slope);
            if (inertia > ${zero} && b[0]*v[0] + b[1]*v[1] >= ${zero}) {
                return true;
            }
        }
        before = after;
    }
    return false;
}

/* Whether impulses end the slip, which is not certain where w is singular. */
static bool ${m}_contact_stands(
    const ${m}_real w[3][3], const ${m}_real r[3], const ${m}_real p[3])
{
    ${m}_real slip = ${zero};
    for (int i = 1; i < 3; i++) {
        slip += fabs${f}(r[i] + w[i][0]*p[0] + w[i][1]*p[1] + w[i][2]*p[2]);
    }
    return slip <= ${six_digits}*(fabs${f}(r[0]) + fabs${f}(r[1]) + fabs${f}(r[2]));
}

/* Impulses of one contact with Coulomb's cone, r the rates without them, g the inverse of w. */
static void ${m}_contact_cone(
    const ${m}_real w[3][3], const ${m}_real g[3][3], bool is_regular, const ${m}_real r[3],
    ${m}_real mu, bool is_relaxed, ${m}_real p[3])
{
    const ${m}_real opening = r[0] - (is_relaxed ? mu*sqrt${f}(r[1]*r[1] + r[2]*r[2]) : ${zero});
    ${m}_real d[2] = {-p[1], -p[2]};
    ${m}_real held[3];
    ${m}_real size;
    if (opening >= ${zero} || !(w[0][0] > ${zero})) {
        p[0] = ${zero};
        p[1] = ${zero};
        p[2] = ${zero};
        return;
    }
    held[0] = -(g[0][0]*r[0] + g[0][1]*r[1] + g[0][2]*r[2]);
    held[1] = -(g[1][0]*r[0] + g[1][1]*r[1] + g[1][2]*r[2]);
    held[2] = -(g[2][0]*r[0] + g[2][1]*r[1] + g[2][2]*r[2]);
    size = held[1]*held[1] + held[2]*held[2];
    if (held[0] >= ${zero} && size <= mu*held[0]*mu*held[0]
        && (is_regular || ${m}_contact_stands(w, r, held))) {
        p[0] = held[0];
        p[1] = held[1];
        p[2] = held[2];
        return;
    }
    if (d[0] == ${zero} && d[1] == ${zero}) {
        d[0] = r[1];
        d[1] = r[2];
    }
    ${m}_contact_unit(d);
    if (!${m}_contact_slip(w, r, mu, is_relaxed, d, p) && !${m}_contact_search(w, r, mu, is_relaxed, p)) {
        /* It jams: the residual tells. */
        size = sqrt${f}(size);
        p[0] = fmax${f}(held[0], -r[0]/w[0][0]);
        p[1] = size > ${zero} ? mu*p[0]*held[1]/size : ${zero};
        p[2] = size > ${zero} ? mu*p[0]*held[2]/size : ${zero};
    }
}

/*
 * |p - proj(p - rho (s + mu |s_t| n))| of a contact, rho = 3/trace(w), proj onto Coulomb's cone; the
 * relaxed law leaves out mu |s_t|.
 */
static ${m}_real ${m}_contact_left(
    const ${m}_real p[3], const ${m}_real s[3], ${m}_real mu, bool is_relaxed, ${m}_real rho)
{
    const ${m}_real shift = is_relaxed ? ${zero} : mu*sqrt${f}(s[1]*s[1] + s[2]*s[2]);
    const ${m}_real n = p[0] - rho*(s[0] + shift);
    const ${m}_real t[2] = {p[1] - rho*s[1], p[2] - rho*s[2]};
    const ${m}_real size = sqrt${f}(t[0]*t[0] + t[1]*t[1]);
    ${m}_real pressing = n;
    ${m}_real share = ${one};
    if (n < ${zero} || size > mu*n) {
        const bool is_polar = mu*size <= -n;
        pressing = is_polar ? ${zero} : (n + mu*size)/(${one} + mu*mu);
        share = is_polar ? ${zero} : mu*pressing/size;
    }
    return sqrt${f}((p[0] - pressing)*(p[0] - pressing)
        + (p[1] - share*t[0])*(p[1] - share*t[0]) + (p[2] - share*t[1])*(p[2] - share*t[1]));
}
