/*
 * Rows of contacts and dry friction, speed by speed those that move it, in coordinates x of unit mass: rates y . x + drift, to which the
 * law of impact adds `offset` to that of a gap, and a contact that gives way softness*P. `weights`
 * are y . y of the rows of one contact.
 */
typedef struct {
    const ${m}_real *y;
    const ${m}_real *drift;
    ${m}_real offset[${blocks}];
    ${m}_real softness[${blocks}];
    ${m}_real mu[${blocks}];       /* most impulse of dry friction on a speed */
    ${m}_real weights[${blocks}][3][3];
    ${m}_real inverse[${blocks}][3][3];
${delassus_member}    ${m}_real least;               /* size of impulses below which none matters */
    bool is_active[${blocks}];
    bool is_regular[${blocks}];    /* weights with an inverse */
    bool is_relaxed;
} ${m}_contact_rows;

/* The first row of each contact, then those of speeds with dry friction, and where they end. */
static const int ${m}_contact_first[${blocks} + 1] = {${block_first}};

/* Where the entries of contact k begin, and the places of the speeds that move it. */
static const int ${m}_contact_y[${blocks} + 1] = {${y_first}};
static const int ${m}_moved_first[${blocks} + 1] = {${first}};
static const int ${m}_moved_place[${places_size}] = {${places}};

/* s = y . x of the rows of contact k. */
static inline void ${m}_contact_times(
    const ${m}_real y[${y_size}], int k, const ${m}_real x[${nu}], ${m}_real s[3])
{
    const int last = ${m}_moved_first[k + 1];
    const ${m}_real *row = &y[${m}_contact_y[k]];
    ${m}_real sums[3] = {${zero}, ${zero}, ${zero}};
    if (${m}_contact_first[k + 1] - ${m}_contact_first[k] == 3) {
        for (int i = ${m}_moved_first[k]; i < last; i++) {
            const ${m}_real speed = x[${m}_moved_place[i]];
            sums[0] += row[0]*speed;
            sums[1] += row[1]*speed;
            sums[2] += row[2]*speed;
            row += 3;
        }
    } else {
        for (int i = ${m}_moved_first[k]; i < last; i++) {
            sums[0] += *row*x[${m}_moved_place[i]];
            row++;
        }
    }
    s[0] = sums[0];
    s[1] = sums[1];
    s[2] = sums[2];
}

/* x gains y p of contact k. */
static inline void ${m}_contact_add(
    const ${m}_real y[${y_size}], int k, const ${m}_real p[3], ${m}_real x[${nu}])
{
    const int last = ${m}_moved_first[k + 1];
    const ${m}_real *row = &y[${m}_contact_y[k]];
    const ${m}_real normal = p[0];
    const ${m}_real along[2] = {p[1], p[2]};
    if (${m}_contact_first[k + 1] - ${m}_contact_first[k] == 3) {
        for (int i = ${m}_moved_first[k]; i < last; i++) {
            x[${m}_moved_place[i]] += row[0]*normal + row[1]*along[0] + row[2]*along[1];
            row += 3;
        }
        return;
    }
    for (int i = ${m}_moved_first[k]; i < last; i++) {
        x[${m}_moved_place[i]] += *row*normal;
        row++;
    }
}

/* y . y of the first row of contact k. */
static inline ${m}_real ${m}_contact_square(const ${m}_real y[${y_size}], int k)
{
    const int size = ${m}_contact_first[k + 1] - ${m}_contact_first[k];
    ${m}_real sum = ${zero};
    for (int i = ${m}_contact_y[k]; i < ${m}_contact_y[k + 1]; i += size) {
        sum += y[i]*y[i];
    }
    return sum;
}

/* w = y . y of the rows of contact k. */
static inline void ${m}_contact_weigh(const ${m}_real y[${y_size}], int k, ${m}_real w[3][3])
{
    const int size = ${m}_contact_first[k + 1] - ${m}_contact_first[k];
    ${m}_real sums[6] = {${zero}, ${zero}, ${zero}, ${zero}, ${zero}, ${zero}};
    if (size == 3) {
        for (int at = ${m}_contact_y[k]; at < ${m}_contact_y[k + 1]; at += 3) {
            const ${m}_real *row = &y[at];
            sums[0] += row[0]*row[0];
            sums[1] += row[0]*row[1];
            sums[2] += row[0]*row[2];
            sums[3] += row[1]*row[1];
            sums[4] += row[1]*row[2];
            sums[5] += row[2]*row[2];
        }
    } else {
        for (int at = ${m}_contact_y[k]; at < ${m}_contact_y[k + 1]; at++) {
            sums[0] += y[at]*y[at];
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            w[i][j] = sums[i + j + (i > 0 && j > 0 ? 1 : 0)];
        }
    }
}
