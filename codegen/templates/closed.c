/* Of an over-constrained loop: the independent rows may vanish where the others do not. */
static int ${m}_closed(
    const ${m}_real q[${M}_RESTRICT ${nq}]${closing_declarations})
{
    /* What counts as 1 of each row: 1 rad, or the length of the mechanism. */
    static const ${m}_real sizes[${closures}] = {${row_sizes}};
    ${m}_real phi[${closures}];
    ${m}_real size = ${one};
    const int status = ${closure}, phi);
    for (int k = 0; k < ${nq}; k++) {
        size = fmax${f}(size, fabs${f}(q[k]));
    }
    for (int i = 0; i < ${closures}; i++) {
        if (!(fabs${f}(phi[i]) <= ${rank_tolerance}*size*sizes[i])) {
            return ${no_convergence};
        }
    }
    return status;
}

