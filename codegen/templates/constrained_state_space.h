
/*
 * Small motions about a consistent state with its accelerations and multipliers, x = (z, w) of the
 * first ${displacements} displacements and the first ${freedoms} changes of speeds that `order` names:
 *
 *     x' = A x + B v,   y = C x + D v,   v: the forces on all speeds${inputs_too}
 *
 * y holds displacements, changes of speeds and of accelerations of all coordinates, ${nu} each. A is
 * ${states} x ${states}, B ${states} x ${forces}, C ${signals} x ${states}, D ${signals} x ${forces}, by rows.
 *
 * Stack: about ${stack_of_linearization} bytes, and what it calls.
 * Returns 0, ${singular_constraints} where these speeds or displacements are not
 * independent, ${singular_mass_matrix} where nothing resists a motion, or the code of the
 * function that failed.
 */
int ${m}_state_space(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
    const ${m}_real multipliers[${M}_RESTRICT ${rows}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_real A[${M}_RESTRICT ${a_size}],
    ${m}_real B[${M}_RESTRICT ${b_size}],
    ${m}_real C[${M}_RESTRICT ${c_size}],
    ${m}_real D[${M}_RESTRICT ${d_size}]);
