/* Places of the speeds that move row k of y: from first[k] to first[k + 1]. */
static const int ${m}_row_first[${rows_1}] = {${first}};
static const int ${m}_row_place[${places_size}] = {${places}};

static ${m}_real ${m}_row_times(const ${m}_real y[${y_size}], int row, const ${m}_real x[${nu}])
{
    ${m}_real sum = ${zero};
    for (int k = ${m}_row_first[row]; k < ${m}_row_first[row + 1]; k++) {
        sum += y[row*${nu} + ${m}_row_place[k]]*x[${m}_row_place[k]];
    }
    return sum;
}

static void ${m}_add_row(
    const ${m}_real y[${y_size}], int row, ${m}_real amount, ${m}_real x[${nu}])
{
    for (int k = ${m}_row_first[row]; k < ${m}_row_first[row + 1]; k++) {
        x[${m}_row_place[k]] += y[row*${nu} + ${m}_row_place[k]]*amount;
    }
}

/* w p = -r of a contact that sticks; what a singular w leaves open is zero. */
static void ${m}_contact_stick(
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real p[3])
{
    const ${m}_real least = ${pivot_tolerance}*(w[0][0] + w[1][1] + w[2][2]);
    ${m}_real a[3][4];
    bool used[3] = {false, false, false};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            a[i][k] = w[i][k];
        }
        a[i][3] = -r[i];
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
            for (int k = 0; k < 4; k++) {
                a[best][k] *= pivot;
            }
            for (int i = 0; i < 3; i++) {
                const ${m}_real factor = i == best ? ${zero} : a[i][best];
                for (int k = 0; k < 4; k++) {
                    a[i][k] -= factor*a[best][k];
                }
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        p[i] = used[i] ? a[i][3] : ${zero};
    }
}

/*
 * Impulses and slip v of a contact that slips along d: p = P_n (1, -mu d) stops the gap. Returns
 * d x v, which vanishes where the slip is along d, and its derivative by the angle of d; `inertia`
 * is not above zero where pressing does not part it.
 */
static ${m}_real ${m}_contact_turn(
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real mu, const ${m}_real d[2],
    ${m}_real p[3], ${m}_real v[2], ${m}_real *inertia, ${m}_real *slope)
{
    const ${m}_real across[2] = {-d[1], d[0]};
    ${m}_real change;
    ${m}_real turned[2];
    *inertia = w[0][0] - mu*(w[0][1]*d[0] + w[0][2]*d[1]);
    p[0] = -r[0]/ *inertia;
    change = p[0]*mu*(w[0][1]*across[0] + w[0][2]*across[1])/ *inertia;
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
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real mu, ${m}_real d[2], ${m}_real p[3])
{
    ${m}_real v[2];
    ${m}_real inertia;
    ${m}_real slope;
    for (int turn = 0; turn < 8; turn++) {
        const ${m}_real across = ${m}_contact_turn(w, r, mu, d, p, v, &inertia, &slope);
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
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real mu, ${m}_real p[3])
{
    ${m}_real d[2] = {${one}, ${zero}};
    ${m}_real v[2];
    ${m}_real inertia;
    ${m}_real slope;
    ${m}_real before = ${m}_contact_turn(w, r, mu, d, p, v, &inertia, &slope);
    for (int k = 0; k < 32; k++) {
        ${m}_real a[2] = {d[0], d[1]};
        ${m}_real b[2] = {
            d[0]*${cosine} - d[1]*${sine}, d[0]*${sine} + d[1]*${cosine}};
        const ${m}_real after = ${m}_contact_turn(w, r, mu, b, p, v, &inertia, &slope);
        d[0] = b[0];
        d[1] = b[1];
        for (int half = 0; before*after <= ${zero} && half < ${halves}; half++) {
            ${m}_real between[2] = {a[0] + b[0], a[1] + b[1]};
            ${m}_contact_unit(between);
            if (${m}_contact_turn(w, r, mu, between, p, v, &inertia, &slope)*before > ${zero}) {
                a[0] = between[0];
                a[1] = between[1];
            } else {
                b[0] = between[0];
                b[1] = between[1];
            }
        }
        if (before*after <= ${zero}) {
            (void)${m}_contact_turn(w, r, mu, b, p, v, &inertia, &slope);
            if (inertia > ${zero} && b[0]*v[0] + b[1]*v[1] >= ${zero}) {
                return true;
            }
        }
        before = after;
    }
    return false;
}

/* Impulses of one contact with Coulomb's cone, r the rates without them. */
static void ${m}_contact_cone(
    const ${m}_real w[3][3], const ${m}_real r[3], ${m}_real mu, ${m}_real p[3])
{
    ${m}_real d[2] = {-p[1], -p[2]};
    ${m}_real held[3];
    ${m}_real left[2];
    ${m}_real size;
    if (r[0] >= ${zero} || !(w[0][0] > ${zero})) {
        p[0] = ${zero};
        p[1] = ${zero};
        p[2] = ${zero};
        return;
    }
    ${m}_contact_stick(w, r, held);
    size = sqrt${f}(held[1]*held[1] + held[2]*held[2]);
    for (int i = 0; i < 2; i++) {
        const ${m}_real *row = w[i + 1];
        left[i] = r[i + 1] + row[0]*held[0] + row[1]*held[1] + row[2]*held[2];
    }
    if (size <= mu*held[0]
        && fabs${f}(left[0]) + fabs${f}(left[1])
            <= ${six_digits}*(fabs${f}(r[0]) + fabs${f}(r[1]) + fabs${f}(r[2]))) {
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
    if (!${m}_contact_slip(w, r, mu, d, p) && !${m}_contact_search(w, r, mu, p)) {
        /* It jams: the residual tells. */
        p[0] = fmax${f}(held[0], -r[0]/w[0][0]);
        p[1] = size > ${zero} ? mu*p[0]*held[1]/size : ${zero};
        p[2] = size > ${zero} ? mu*p[0]*held[2]/size : ${zero};
    }
}

/* |p - proj(p - rho (s + mu |s_t| n))| of a contact, rho = 3/trace(w), proj onto Coulomb's cone. */
static ${m}_real ${m}_contact_left(
    const ${m}_real p[3], const ${m}_real s[3], ${m}_real mu, ${m}_real rho)
{
    const ${m}_real n = p[0] - rho*(s[0] + mu*sqrt${f}(s[1]*s[1] + s[2]*s[2]));
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
${loops_definition}${dry_definition}
/* One step from time t of either method; u holds the impulses and what the solve tells behind. */
static int ${m}_contact_step(
    ${m}_real q[${nq}],
    ${m}_real u[${width}],
${held_declarations}    ${m}_real t,
    ${m}_real h,
    bool is_midpoint)
{
    static const int first[${blocks_1}] = {${block_first}};
    const ${m}_real half = ${half}*h;
    ${m}_real *impulses = &u[${nu}];
    ${m}_real q_rows[${nq}];
    ${m}_real du[${nu}];
    ${m}_real lower[${square}];
    ${m}_real scale[${nu}];
    ${m}_real x_before[${nu}];
    ${m}_real pushed[${nu}];
    ${m}_real y[${y_size}];
    ${m}_real drift[${rows}];
    ${m}_real gaps[${contacts}];
    ${m}_real laws[${laws_size}];
    ${m}_real x[${nu}];
${loops_arrays}${dry_arrays}    ${m}_real w[${contacts}][3][3];
    ${m}_real offset[${contacts}];
    ${m}_real mu[${contacts}];
    bool is_active[${contacts}];
    ${m}_real largest = ${zero};
    ${m}_real floor_of_impulses = ${zero};
    ${m}_real residual = ${zero};
    ${m}_real jams = ${zero};
    int worst = 0;
    int status = ${M}_OK;
    const ${m}_real t_rows = is_midpoint ? t + half : t + h;
    const ${m}_real implicit = is_midpoint ? ${zero} : h;
    (void)t_rows;
    for (int k = 0; k < ${nu}; k++) {
        du[k] = half*u[k];
    }
    for (int k = 0; k < ${nq}; k++) {
        q_rows[k] = q[k];
    }
    if (is_midpoint) {
        status = ${integrate}(${integrate_half}, q_rows);
    }
    if (status == ${M}_OK) {
        status = ${equations}(
            ${equations_arguments},
            lower, scale, x_before, pushed, y, drift${equations_outputs});
    }
    if (status != ${M}_OK) {
        return status;
    }
    for (int k = 0; k < ${nu}; k++) {
        x[k] = x_before[k] + h*pushed[k];
    }
${loops_hold}    for (int k = 0; k < ${contact_count}; k++) {
        const int row = first[k];
        const int size = first[k + 1] - row;
        const ${m}_real *law = &laws[6*k];
        const ${m}_real before = ${m}_row_times(y, row, x_before) + drift[row];
        const ${m}_real rate = ${m}_row_times(y, row, x) + drift[row];
        const ${m}_real pushing = fabs${f}(h*${m}_row_times(y, row, pushed));
        const bool bounces = law[0] > ${zero} && before < -fmax${f}(law[1], ${two}*pushing);
        const ${m}_real given = h*h*law[4] + h*law[5];
        ${m}_real slips[2] = {${zero}, ${zero}};
        ${m}_real slip;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j <= i; j++) {
                w[k][i][j] = ${m}_row_times(y, row + i, &y[(row + j)*${nu}]);
                w[k][j][i] = w[k][i][j];
            }
        }
        for (int i = 1; i < size; i++) {
            slips[i - 1] = ${m}_row_times(y, row + i, x_before) + drift[row + i];
        }
        slip = sqrt${f}(slips[0]*slips[0] + slips[1]*slips[1]);
        mu[k] = slip <= law[1] ? law[2] : law[3];
        offset[k] = bounces ? law[0]*before : ${zero};
        if (is_midpoint) {
            is_active[k] = gaps[k] <= h*law[1];
        } else if (given > ${zero}) {
            is_active[k] = gaps[k] + h*rate < ${zero};
            offset[k] = gaps[k]*h*law[4]/given;
            w[k][0][0] += ${one}/given;
        } else if (bounces) {
            is_active[k] = gaps[k] + h*rate < ${zero};
        } else {
            /* No rate that the energy allows closes the others within the step. */
            ${m}_real energy = ${zero};
            for (int i = 0; i < ${nu}; i++) {
                energy += x[i]*x[i];
            }
            is_active[k] = gaps[k] + h*(drift[row] - sqrt${f}(w[k][0][0]*energy)) < ${zero};
            offset[k] = gaps[k] > ${zero} ? gaps[k]/h : ${kept_depth}*gaps[k]/h;
        }
        if (!is_active[k]) {
            for (int i = 0; i < size; i++) {
                impulses[row + i] = ${zero};
            }
            continue;
        }
        if (size == 3 && slip > law[1]
            && w[k][0][0] <= mu[k]*(w[k][0][1]*slips[0] + w[k][0][2]*slips[1])/slip) {
            jams = ${one};
        }
        if (w[k][0][0] > ${zero}) {
            floor_of_impulses = fmax${f}(floor_of_impulses, pushing/w[k][0][0]);
        }
        for (int i = 0; i < size; i++) {
            ${m}_add_row(y, row + i, impulses[row + i], x);
        }
    }
${dry_start}    for (int sweep = 0; (${m}_real)sweep < settings[0]; sweep++) {
        ${m}_real change = ${zero};
        largest = ${zero};
        for (int k = 0; k < ${contact_count}; k++) {
            const int row = first[k];
            const int size = first[k + 1] - row;
            ${m}_real r[3];
            ${m}_real p[3];
            if (!is_active[k]) {
                continue;
            }
            for (int i = 0; i < size; i++) {
                r[i] = ${m}_row_times(y, row + i, x) + drift[row + i];
                p[i] = impulses[row + i];
            }
            r[0] += offset[k];
            if (!is_midpoint && laws[6*k + 4]*h + laws[6*k + 5] > ${zero}) {
                r[0] += p[0]/(h*h*laws[6*k + 4] + h*laws[6*k + 5]);
            }
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    r[i] -= w[k][i][j]*p[j];
                }
            }
            if (size == 3) {
                ${m}_contact_cone((const ${m}_real (*)[3])w[k], r, mu[k], p);
            } else {
                p[0] = w[k][0][0] > ${zero} ? fmax${f}(${zero}, -r[0]/w[k][0][0]) : ${zero};
            }
            for (int i = 0; i < size; i++) {
                const ${m}_real added = p[i] - impulses[row + i];
                ${m}_add_row(y, row + i, added, x);
                change = fmax${f}(change, fabs${f}(added));
                largest = fmax${f}(largest, fabs${f}(p[i]));
                impulses[row + i] = p[i];
            }
        }
${dry_sweep}        if (change <= settings[1]*fmax${f}(largest, floor_of_impulses)) {
            break;
        }
    }
    largest = fmax${f}(largest, floor_of_impulses);
    for (int k = 0; k < ${contact_count}; k++) {
        const int row = first[k];
        const int size = first[k + 1] - row;
        ${m}_real s[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real p[3] = {${zero}, ${zero}, ${zero}};
        ${m}_real trace = ${zero};
        if (!is_active[k]) {
            continue;
        }
        for (int i = 0; i < size; i++) {
            s[i] = ${m}_row_times(y, row + i, x) + drift[row + i];
            p[i] = impulses[row + i];
            trace += w[k][i][i];
        }
        s[0] += offset[k];
        if (!is_midpoint && laws[6*k + 4]*h + laws[6*k + 5] > ${zero}) {
            s[0] += p[0]/(h*h*laws[6*k + 4] + h*laws[6*k + 5]);
        }
        if (trace > ${zero} && largest > ${zero}) {
            const ${m}_real left = ${m}_contact_left(p, s, mu[k], (${m}_real)size/trace);
            if (left > residual*largest) {
                residual = left/largest;
                worst = k;
            }
        }
    }
${dry_left}${loops_told}    u[${told}] = residual;
    u[${told} + 1] = (${m}_real)worst;
    u[${told} + 2] = jams;
    if (!(residual <= settings[2])) {
        return ${contacts_unsolved};
    }
    for (int i = 0; i < ${nu}; i++) {
        ${m}_real speed = x[i]*scale[i];
        for (int j = 0; j < i; j++) {
            speed -= lower[i*${nu} + j]*x[j];
        }
        x[i] = speed;
    }
${dry_hold}    for (int i = 0; i < ${nu}; i++) {
        du[i] = is_midpoint ? half*(u[i] + x[i]) : h*x[i];
    }
    status = ${integrate}(${integrate_whole}, q_rows);
${loops_close}    if (status != ${M}_OK) {
        return status;
    }
    for (int k = 0; k < ${nq}; k++) {
        q[k] = q_rows[k];
    }
    for (int k = 0; k < ${nu}; k++) {
        u[k] = x[k];
    }
    return ${M}_OK;
}
