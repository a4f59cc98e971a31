
/*
 * Speeds on the constraints: with the rows of loops Y = Q R, x gains Q (w - Q^T x) for R^T w =
 * -drift, and the rows of contacts lose Q Q^T y. `pull` are the impulses along Q, `along` Q^T y.
 */
static void ${m}_contact_loops(
    ${m}_real y[${y_size}],
    const ${m}_real drift[${rows}],
    ${m}_real x[${nu}],
    ${m}_real basis[${basis_size}],
    ${m}_real upper[${upper_size}],
    ${m}_real along[${along_size}],
    ${m}_real pull[${loops}])
{
    for (int i = 0; i < ${loops}; i++) {
        ${m}_real *row = &basis[i*${nu}];
        ${m}_real size = ${zero};
        for (int k = 0; k < ${nu}; k++) {
            row[k] = y[${y_loops} + i*${nu} + k];
        }
        for (int j = 0; j < ${loops}; j++) {
            upper[j*${loops} + i] = ${zero};
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < i; j++) {
                ${m}_real share = ${zero};
                for (int k = 0; k < ${nu}; k++) {
                    share += basis[j*${nu} + k]*row[k];
                }
                upper[j*${loops} + i] += share;
                for (int k = 0; k < ${nu}; k++) {
                    row[k] -= share*basis[j*${nu} + k];
                }
            }
        }
        for (int k = 0; k < ${nu}; k++) {
            size += row[k]*row[k];
        }
        size = sqrt${f}(size);
        upper[i*${loops} + i] = size;
        for (int k = 0; k < ${nu}; k++) {
            row[k] = size > ${zero} ? row[k]/size : ${zero};
        }
    }
    for (int i = 0; i < ${loops}; i++) {
        ${m}_real rate = -drift[${held} + i];
        for (int j = 0; j < i; j++) {
            rate -= upper[j*${loops} + i]*pull[j];
        }
        pull[i] = upper[i*${loops} + i] > ${zero} ? rate/upper[i*${loops} + i] : ${zero};
    }
    for (int i = 0; i < ${loops}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            pull[i] -= basis[i*${nu} + k]*x[k];
        }
    }
    for (int row = 0, block = 0; row < ${held}; row++) {
        ${m}_real *entry;
        int size;
        block += row == ${m}_contact_first[block + 1];
        size = ${m}_contact_first[block + 1] - ${m}_contact_first[block];
        entry = &y[${m}_contact_y[block] + row - ${m}_contact_first[block]];
        for (int i = 0; i < ${loops}; i++) {
            ${m}_real share = ${zero};
            for (int k = 0; k < ${nu}; k++) {
                share += basis[i*${nu} + k]*entry[k*size];
            }
            along[row*${loops} + i] = share;
        }
        for (int i = 0; i < ${loops}; i++) {
            for (int k = 0; k < ${nu}; k++) {
                entry[k*size] -= along[row*${loops} + i]*basis[i*${nu} + k];
            }
        }
    }
    for (int i = 0; i < ${loops}; i++) {
        for (int k = 0; k < ${nu}; k++) {
            x[k] += pull[i]*basis[i*${nu} + k];
        }
    }
}
