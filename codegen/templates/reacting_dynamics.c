int ${m}_reduced_dynamics(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real tau[${M}_RESTRICT ${nu}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_real a[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}])
{
    /* Forces depend on reactions: solved with the multipliers, whichever speeds are independent. */
    const ${m}_real stabilization[1] = {${zero}};
    (void)order;
    return ${constrained_dynamics}, a, multipliers);
}
