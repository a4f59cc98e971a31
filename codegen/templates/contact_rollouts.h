
/*
 * ${M}_LANES runs at once: ${title}, steps of length h, held inputs constant over each step.
 *
 * q and u hold for every state its history, rows 0 to steps/every, as ${m}_${method}_trajectory has
 * them, the first of which the caller sets; the last step of each `every` is recorded. codes[k] is
 * the code of state k, whose rows from there on are not a number; the others go on. Returns the first
 * code that is not 0.
 */
int ${m}_${method}_rollouts(
    ${m}_real *q,
    ${m}_real *u,
${signal_declarations}${time_declaration}    ${m}_real h,
    int steps,
    int every,
    int codes[${M}_RESTRICT ${M}_LANES]);
