/*
 * Advances q and u in place by `steps` steps of length h, all other inputs held constant:
 * ${title}, for stiff models.${normalized}
${behind}${work} *
 * Stack: ${stack}.
 *
 * Returns 0, ${singular_step} if the matrix of a step is singular or not finite,
${unsolved} * or the code of the function that failed; q and u are then those of the last complete step.
 */
