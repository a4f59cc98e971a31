/* Of the dependent speeds, those first whose displacements the rows of positions leave free. */
static int ${m}_order_displacements(
    const ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    int order[${nu}])
{
    static const int held[${holonomic}] = {${held_rows}};
    ${m}_real g[${rows}][${width}];
    int barred[${nu}];
    int pivots[${rows}];
    int is_bound[${nu}] = {0};
    int sorted[${nu}];
    int place = ${freedoms};
    const int status = ${m}_gradients(q, ${gradients_arguments}g);
    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${holonomic_count}; i++) {
        for (int k = 0; k < ${width}; k++) {
            g[i][k] = g[held[i]][k];
        }
    }
    ${m}_bar(order, barred);
    if (${m}_eliminate(g, ${holonomic_count}, ${nu}, barred, pivots) < ${holonomic_count}) {
        return ${singular_constraints};
    }
    for (int i = 0; i < ${holonomic_count}; i++) {
        is_bound[pivots[i]] = 1;
    }
    for (int kind = 0; kind < 2; kind++) {
        for (int k = ${freedoms}; k < ${nu}; k++) {
            if (is_bound[order[k]] == kind) {
                sorted[place] = order[k];
                place++;
            }
        }
    }
    for (int k = ${freedoms}; k < ${nu}; k++) {
        order[k] = sorted[k];
    }
    return ${M}_OK;
}

