int ${m}_${method}(
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}],
${held_declarations}${time_declaration}    ${m}_real h,
    int steps);

/*
 * The same with every step recorded. q and u have steps + 1 rows, the first of which the caller
 * sets; each other input has one row, or `steps` rows held for one step each if per_step is not 0.
 * `*done` counts the complete steps.
 */
int ${m}_${method}_trajectory(
    ${m}_real q[${M}_RESTRICT],
    ${m}_real u[${M}_RESTRICT],
${row_declarations}${time_declaration}    ${m}_real h,
    int steps,
    int per_step,
    int *done);
