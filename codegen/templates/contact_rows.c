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
} ${m}_contact_rows;

/* The first row of each contact, then those of speeds with dry friction, and where they end. */
static const int ${m}_contact_first[${blocks} + 1] = {${block_first}};

/* Places of the speeds that move row k of y: from first[k] to first[k + 1]. */
static const int ${m}_row_first[${rows} + 1] = {${first}};
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
