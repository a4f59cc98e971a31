
/*
 * Small motions about a consistent state with its accelerations and multipliers, in the first
 * ${freedoms} displacements that `order` names:
 *
 *     M z'' + C z' + K z = B v,   v: the forces on all speeds${inputs_too}
 *
 * M, C, K are ${freedoms} x ${freedoms}, B is ${freedoms} x ${forces}, by rows.
 *
 * Stack: about ${stack_of_linearization} bytes, and what it calls.
 * Returns 0, ${singular_constraints} where these speeds are not independent, or the code of the
 * function that failed.
 */
int ${m}_reduced_linearization(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
    const ${m}_real multipliers[${M}_RESTRICT ${rows}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_real M[${M}_RESTRICT ${by_w_size}],
    ${m}_real C[${M}_RESTRICT ${by_w_size}],
    ${m}_real K[${M}_RESTRICT ${by_w_size}],
    ${m}_real B[${M}_RESTRICT ${forcing_size}]);
