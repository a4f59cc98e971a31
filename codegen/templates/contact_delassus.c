
/* v = y . x + drift of the contacts that act. */
static void ${m}_contact_place(
    const ${m}_contact_rows *at, const ${m}_real x[${nu}], ${m}_real v[${v_size}])
{
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        ${m}_real s[3];
        if (at->is_active[k]) {
            ${m}_contact_times(at->y, k, x, s);
            for (int i = row; i < ${m}_contact_first[k + 1]; i++) {
                v[i] = s[i - row] + at->drift[i];
            }
        }
    }
}

/*
 * Delassus' matrix y . y of the contacts that act, column after column: for each contact and those
 * before it the entries of both that one speed moves.
 */
static void ${m}_contact_form(${m}_contact_rows *at)
{
    static const int pair_first[${pairs} + 1] = {${pair_first}};
    static const int pair_own[${pair_size}] = {${pair_own}};
    static const int pair_other[${pair_size}] = {${pair_other}};
    int pair = 0;
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        const int size = ${m}_contact_first[k + 1] - row;
        for (int other = 0; other < k; other++) {
            const int to = ${m}_contact_first[other];
            const int rows = ${m}_contact_first[other + 1] - to;
            const int last = pair_first[pair + 1];
            ${m}_real sums[3][3] = {{${zero}}};
            if (!at->is_active[k] || !at->is_active[other]) {
                /* Nothing. */
            } else if (size == 3 && rows == 3) {
                for (int i = pair_first[pair]; i < last; i++) {
                    const ${m}_real *own = &at->y[pair_own[i]];
                    const ${m}_real *y = &at->y[pair_other[i]];
                    sums[0][0] += y[0]*own[0];
                    sums[0][1] += y[0]*own[1];
                    sums[0][2] += y[0]*own[2];
                    sums[1][0] += y[1]*own[0];
                    sums[1][1] += y[1]*own[1];
                    sums[1][2] += y[1]*own[2];
                    sums[2][0] += y[2]*own[0];
                    sums[2][1] += y[2]*own[1];
                    sums[2][2] += y[2]*own[2];
                }
            } else {
                for (int i = pair_first[pair]; i < last; i++) {
                    for (int j = 0; j < rows*size; j++) {
                        sums[j/size][j%size] +=
                            at->y[pair_other[i] + j/size]*at->y[pair_own[i] + j%size];
                    }
                }
            }
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < size; j++) {
                    at->delassus[(row + j)*${v_size} + to + i] = sums[i][j];
                    at->delassus[(to + i)*${v_size} + row + j] = sums[i][j];
                }
            }
            pair++;
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                at->delassus[(row + j)*${v_size} + row + i] =
                    at->is_active[k] ? at->weights[k][i][j] : ${zero};
            }
        }
        at->delassus[row*${v_size} + row] -= at->is_active[k] ? at->softness[k] : ${zero};
    }
}

static inline void ${m}_contact_look(
    const ${m}_contact_rows *at, int k, const ${m}_real v[${v_size}], ${m}_real s[3])
{
    const int row = ${m}_contact_first[k];
    (void)at;
    s[0] = v[row];
    if (${m}_contact_first[k + 1] - row == 3) {
        s[1] = v[row + 1];
        s[2] = v[row + 2];
    }
}

/* v with p more of contact k. */
static inline void ${m}_contact_apply(
    const ${m}_contact_rows *at, int k, const ${m}_real p[3], ${m}_real *${M}_RESTRICT v)
{
    const int row = ${m}_contact_first[k];
    const ${m}_real *column = &at->delassus[row*${v_size}];
    const ${m}_real normal = p[0];
    const ${m}_real along[2] = {p[1], p[2]};
    if (${m}_contact_first[k + 1] - row == 3) {
        for (int i = 0; i < ${v_size}; i++) {
            v[i] += column[i]*normal + column[${v_size} + i]*along[0]
                + column[2*${v_size} + i]*along[1];
        }
        return;
    }
    for (int i = 0; i < ${v_size}; i++) {
        v[i] += column[i]*normal;
    }
}

/* x with all impulses, and v there. */
static void ${m}_contact_finish(
    const ${m}_contact_rows *at, const ${m}_real *impulses, ${m}_real x[${nu}],
    ${m}_real v[${v_size}])
{
    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        ${m}_real p[3] = {${zero}, ${zero}, ${zero}};
        for (int i = row; i < ${m}_contact_first[k + 1]; i++) {
            p[i - row] = impulses[i];
        }
        if (at->is_active[k]) {
            ${m}_contact_add(at->y, k, p, x);
        }
    }
    ${m}_contact_place(at, x, v);
}
