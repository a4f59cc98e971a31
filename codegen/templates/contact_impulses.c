
/*
 * Impulses of one step from its terms: x gains y P of contacts and constraints. Impulses at the start
 * are those of the step before; what the solve tells stands behind them.
 */
${linkage}${head}
{
${loop_arrays}    ${m}_contact_rows at;
    ${m}_real v[${v_size}] = {${zero}};
    ${m}_real energy = ${zero};
    ${m}_real before = ${zero};
    ${m}_real residual = ${zero};
    ${m}_real jams = ${zero};
    int worst = 0;
    bool acts = false;
    (void)energy;
    (void)before;
    (void)is_midpoint;
    (void)rates;
${loops_hold}    at.y = y;
    at.drift = drift;
    at.least = ${zero};
    at.is_relaxed = settings[4] > ${zero};
${contacts_start}${dry_start}    for (int k = 0; k < ${blocks}; k++) {
        const int row = ${m}_contact_first[k];
        if (at.is_active[k] && at.weights[k][0][0] > ${zero}) {
            at.least = fmax${f}(at.least, fabs${f}(h*pushes[row])/at.weights[k][0][0]);
        }
        for (int i = row; !at.is_active[k] && i < ${m}_contact_first[k + 1]; i++) {
            impulses[i] = ${zero};
        }
        acts = acts || at.is_active[k];
    }
    if (acts) {
${form}        ${m}_contact_place(&at, x, v);
        for (int k = 0; k < ${blocks}; k++) {
            const int row = ${m}_contact_first[k];
            ${m}_real p[3] = {${zero}, ${zero}, ${zero}};
            for (int i = row; i < ${m}_contact_first[k + 1]; i++) {
                p[i - row] = impulses[i];
            }
            if (at.is_active[k]) {
                ${m}_contact_apply(&at, k, p, v);
            }
        }
        for (int sweep = 1; (${m}_real)sweep <= settings[0]; sweep++) {
            ${m}_real largest;
            const ${m}_real change = ${m}_contact_sweep(&at, impulses, v, &largest);
            if (change <= settings[1]*largest${polish}) {
                break;
            }
            before = change;
        }
        ${m}_contact_finish(&at, impulses, x, v);
        residual = ${m}_contact_residual(&at, impulses, v, &worst);
    }
${loops_told}    impulses[${told_at}] = residual;
    impulses[${told_at} + 1] = (${m}_real)worst;
    impulses[${told_at} + 2] = jams;
    return residual <= settings[2] ? ${M}_OK : ${contacts_unsolved};
}
