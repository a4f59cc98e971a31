/*
 * Near-rigid control: inputs r of least norm and changes of strain that make the accelerations
 *     a_d + kd (u_d - u) + kp difference(q, q_d)
 * of the speeds whose entry in `controlled` is not 0, while no strain accelerates:
 *     M a + c = B r + A change + G^T multipliers,   G a + g = 0,   J a + j = 0,
 *     lower <= r <= upper,   strain_lower <= strain + change <= strain_upper.
 * The r are applied, the changes expected. Rows of the changes: ${elements}.
 * At most ${most_changes} changes of the set of active bounds; infinite bounds may be given.
 *
 * Stack: about ${stack} bytes, and what it calls.
 * Returns 0, ${motion_out_of_reach} where no inputs make these accelerations,
 * ${bounds_out_of_reach} where none do within the bounds, ${inputs_not_unique} where infinitely
 * many are as good, ${too_many_changes}, or the code of the function that failed.
 */
int ${m}_near_rigid_control(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
${declarations}    const ${m}_real q_d[${M}_RESTRICT ${nq}],
    const ${m}_real u_d[${M}_RESTRICT ${nu}],
    const ${m}_real a_d[${M}_RESTRICT ${nu}],
    const ${m}_real kp[${M}_RESTRICT ${nu}],
    const ${m}_real kd[${M}_RESTRICT ${nu}],
    const int controlled[${nu}],
    const ${m}_real lower[${M}_RESTRICT ${inputs}],
    const ${m}_real upper[${M}_RESTRICT ${inputs}],
    const ${m}_real strain_lower[${M}_RESTRICT ${strains}],
    const ${m}_real strain_upper[${M}_RESTRICT ${strains}],
    ${m}_real r[${M}_RESTRICT ${inputs}],
    ${m}_real change[${M}_RESTRICT ${strains}]);
