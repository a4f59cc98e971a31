
/* Weights y . y of the rows of dry friction, impulses within h F; x begins with these. */
static void ${m}_dry_start(
    const ${m}_real y[${y_size}],
    const ${m}_real pushed[${nu}],
    const ${m}_real limits[${dry}],
    ${m}_real h,
    ${m}_real x[${nu}],
    ${m}_real *impulses,
    ${m}_real weights[${dry}],
    ${m}_real *floor_of_impulses)
{
    for (int k = 0; k < ${dry}; k++) {
        const int row = ${dry_first} + k;
        const ${m}_real most = h*fmax${f}(${zero}, limits[k]);
        weights[k] = ${m}_row_times(y, row, &y[row*${nu}]);
        impulses[row] = fmax${f}(-most, fmin${f}(most, impulses[row]));
        if (weights[k] > ${zero}) {
            const ${m}_real pushing = fabs${f}(h*${m}_row_times(y, row, pushed))/weights[k];
            *floor_of_impulses = fmax${f}(*floor_of_impulses, fmin${f}(most, pushing));
            ${m}_add_row(y, row, impulses[row], x);
        }
    }
}

/* What the impulse of a row would be by the others, within h F. */
static ${m}_real ${m}_dry_impulse(
    const ${m}_real y[${y_size}],
    const ${m}_real drift[${rows}],
    const ${m}_real limits[${dry}],
    ${m}_real h,
    const ${m}_real x[${nu}],
    const ${m}_real *impulses,
    const ${m}_real weights[${dry}],
    int k)
{
    const int row = ${dry_first} + k;
    const ${m}_real most = h*fmax${f}(${zero}, limits[k]);
    const ${m}_real rate = ${m}_row_times(y, row, x) + drift[row];
    if (!(weights[k] > ${zero})) {
        return ${zero};
    }
    return fmax${f}(-most, fmin${f}(most, impulses[row] - rate/weights[k]));
}
