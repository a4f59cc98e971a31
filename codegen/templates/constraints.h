/*
 * Speeds that may be chosen freely, by elimination of the constraints with complete pivoting: the
 * first ${freedoms} entries of `order` are independent, the others follow from them. The rank of
 * the constraints, ${rows} where they are independent, goes to *rank.
${displacements_too} *
 * Stack of this and of the solvers below: about ${stack_of_rows} bytes, and what they call.
 * Returns 0, or ${singular_constraints} at a singular configuration.
 */
int ${m}_independent_speeds(
    const ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    int order[${nu}],
    int *rank);

/*
 * Closes the constraints by Newton's method in the dependent coordinates alone, in place; residuals
 * then are within `tolerance`, or within what rounding allows.
 * Work: at most max_steps steps of Newton's method, and max_steps + 1 residuals.
 *
 * Returns 0, ${no_convergence} after max_steps, or ${singular_constraints} where the first entries
 * of `order` are not independent; q is then where the method stopped.
 */
int ${m}_dependent_coordinates(
    ${m}_real q[${M}_RESTRICT ${nq}],
${gradients_declarations}    const int order[${nu}],
    ${m}_real tolerance,
    int max_steps);

/*
 * Dependent speeds from the independent ones, in place.
 *
 * Returns 0, or ${singular_constraints}.
 */
int ${m}_dependent_speeds(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${velocity_declarations}    const int order[${nu}]);

/*
 * The nearest state that satisfies the constraints, in place: steps and changes of speeds of least
 * kinetic energy, positions by Newton's method within `tolerance` or what rounding allows.
 * Work: at most max_steps steps of Newton's method, and max_steps + 1 residuals.
 *
 * Returns 0, ${no_convergence} after max_steps, or the code of the function that failed.
 */
int ${m}_project(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${velocity_declarations}    ${m}_real tolerance,
    int max_steps);

/*
 * Accelerations and multipliers by the natural orthogonal complement in the independent speeds that
 * `order` names: M a + c = tau + G^T lambda.
 *
 * Stack: about ${stack_of_matrices} bytes, and what it calls.
 * Returns 0, ${singular_constraints}, or ${singular_mass_matrix}.
 */
int ${m}_reduced_dynamics(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real tau[${M}_RESTRICT ${nu}],
${dynamics_declarations}    const int order[${nu}],
    ${m}_real a[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}]);

/*
 * The consistent state nearest to (q, u), in place, with its accelerations and multipliers.
 * Work: at most max_steps steps of Newton's method, and max_steps + 1 residuals.
 *
 * Stack: about ${stack_of_matrices} bytes, and what it calls.
 * Returns 0, or the code of the function that failed.
 */
int ${m}_consistent_state(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real tau[${M}_RESTRICT ${nu}],
${dynamics_declarations}    ${m}_real tolerance,
    int max_steps,
    ${m}_real a[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}]);

/*
 * Forces of least norm on the actuated speeds (those whose entry is not 0) that a consistent motion
 * takes, and the multipliers that come with them; tau is 0 on the others.
 *
 * Stack: about ${stack_of_matrices} bytes, and what it calls.
 * Returns 0, ${not_actuated} if these speeds cannot make every motion, or the code of the function
 * that failed.
 */
int ${m}_actuated_inverse_dynamics(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real a[${M}_RESTRICT ${nu}],
${dynamics_declarations}    const int actuated[${nu}],
    ${m}_real tau[${M}_RESTRICT ${nu}],
    ${m}_real multipliers[${M}_RESTRICT ${rows}]);
