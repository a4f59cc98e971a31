/*
 * Advances q and u in place by `steps` steps of length h, all other inputs held constant:
 * ${title}.${normalized}
${behind}${work} *
 * Stack: ${stack}.
 *
 * Returns 0, or the code of the function that failed; q and u are then those of the last
 * complete step.
 */
