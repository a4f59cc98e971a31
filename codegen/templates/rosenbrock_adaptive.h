/*
 * Integrates from times[0] to times[rows - 1], all other inputs held constant, by the
 * ${title}. Its steps are as long as the tolerances allow, and end at each of the
 * times: the root mean square over all of q and u of error/(atol + rtol*|y|) stays below 1.
 *
 * q and u have one row for each of the times, which increase; the caller sets the first.
${behind}${work} *
 * Stack: ${stack}.
 *
 * Returns 0; ${step_underflow} if the error forbids every step longer than the
 * resolution of time; ${too_many_steps} after max_steps steps, taken or
 * rejected; or the code of the function that fails however short the step. The first
 * run->done + 1 rows are then good.
 */
int ${m}_${method}_adaptive(
    ${m}_real q[${M}_RESTRICT],
    ${m}_real u[${M}_RESTRICT],
${held_declarations}    const ${m}_real times[${M}_RESTRICT],
    int rows,
    ${m}_real rtol,
    ${m}_real atol,
    int max_steps,
    ${m}_adaptive_run *run);
