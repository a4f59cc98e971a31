
/* v = x */
static void ${m}_contact_place(
    const ${m}_contact_rows *at, const ${m}_real x[${nu}], ${m}_real v[${v_size}])
{
    (void)at;
    for (int k = 0; k < ${nu}; k++) {
        v[k] = x[k];
    }
}

static inline void ${m}_contact_look(
    const ${m}_contact_rows *at, int k, const ${m}_real v[${v_size}], ${m}_real s[3])
{
    const int row = ${m}_contact_first[k];
    ${m}_contact_times(at->y, k, v, s);
    for (int i = row; i < ${m}_contact_first[k + 1]; i++) {
        s[i - row] += at->drift[i];
    }
}

/* v with p more of contact k. */
static inline void ${m}_contact_apply(
    const ${m}_contact_rows *at, int k, const ${m}_real p[3], ${m}_real v[${v_size}])
{
    ${m}_contact_add(at->y, k, p, v);
}

/* x with all impulses. */
static void ${m}_contact_finish(
    const ${m}_contact_rows *at, const ${m}_real *impulses, ${m}_real x[${nu}],
    ${m}_real v[${v_size}])
{
    (void)impulses;
    ${m}_contact_place(at, v, x);
}
