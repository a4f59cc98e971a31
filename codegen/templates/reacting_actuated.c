
int ${m}_actuated_inverse_dynamics(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
${dynamics_declarations}    const int actuated[${nu}],
    ${m}_real tau[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}])
{
    /* Forces depend on the multipliers that come out: taken from the last ones until they settle. */
    for (int i = 0; i < ${rows}; i++) {
        multipliers[i] = ${zero};
    }
    for (int step = 0; step < ${settling_steps}; step++) {
        ${m}_real last[${rows}];
        ${m}_real change = ${zero};
        ${m}_real size = ${zero};
        int status;
        for (int i = 0; i < ${rows}; i++) {
            last[i] = multipliers[i];
        }
        status = ${m}_actuated_once(
            q, u, a, ${dynamics_arguments}actuated, tau, multipliers);
        if (status != ${M}_OK) {
            return status;
        }
        for (int i = 0; i < ${rows}; i++) {
            change = fmax${f}(change, fabs${f}(multipliers[i] - last[i]));
            size = fmax${f}(size, fabs${f}(multipliers[i]));
        }
        if (change <= ${settled_change}*size) {
            return ${M}_OK;
        }
    }
    return ${no_convergence};
}
