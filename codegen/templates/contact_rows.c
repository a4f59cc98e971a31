/*
 * Rows of contacts and dry friction in coordinates x of unit mass: rates y . x + drift, to which the
 * law of impact adds `offset` to that of a gap, and a contact that gives way softness*P. `weights`
 * are y . y of the rows of one contact.
 */
typedef struct {
    ${m}_real y[${y_size}];
    ${m}_real drift[${rows}];
    ${m}_real offset[${blocks}];
    ${m}_real softness[${blocks}];
    ${m}_real mu[${blocks}];       /* most impulse of dry friction on a speed */
    ${m}_real weights[${blocks}][3][3];
    ${m}_real inverse[${blocks}][3][3];
    ${m}_real least;               /* size of impulses below which none matters */
    bool is_active[${blocks}];
    bool is_relaxed;
} ${m}_contact_rows;

/* The first row of each contact, then those of speeds with dry friction, and where they end. */
static const int ${m}_contact_first[${blocks} + 1] = {${block_first}};

/* Places of the speeds that move contact k: from first[k] to first[k + 1]. */
static const int ${m}_moved_first[${blocks} + 1] = {${first}};
static const int ${m}_moved_place[${places_size}] = {${places}};

/* s = y . x of the rows of contact k. */
static void ${m}_contact_times(
    const ${m}_real y[${y_size}], int k, const ${m}_real x[${nu}], ${m}_real s[3])
{
    const int size = ${m}_contact_first[k + 1] - ${m}_contact_first[k];
    const ${m}_real *row = &y[${m}_contact_first[k]*${nu}];
    s[0] = ${zero};
    s[1] = ${zero};
    s[2] = ${zero};
    for (int i = ${m}_moved_first[k]; i < ${m}_moved_first[k + 1]; i++) {
        const int at = ${m}_moved_place[i];
        s[0] += row[at]*x[at];
        if (size == 3) {
            s[1] += row[${nu} + at]*x[at];
            s[2] += row[2*${nu} + at]*x[at];
        }
    }
}

/* x gains y p of contact k. */
static void ${m}_contact_add(
    const ${m}_real y[${y_size}], int k, const ${m}_real p[3], ${m}_real x[${nu}])
{
    const int size = ${m}_contact_first[k + 1] - ${m}_contact_first[k];
    const ${m}_real *row = &y[${m}_contact_first[k]*${nu}];
    for (int i = ${m}_moved_first[k]; i < ${m}_moved_first[k + 1]; i++) {
        const int at = ${m}_moved_place[i];
        x[at] += size == 3 ? row[at]*p[0] + row[${nu} + at]*p[1] + row[2*${nu} + at]*p[2]
                           : row[at]*p[0];
    }
}
