${feedback_type}
/*
 * ${M}_LANES runs at once: ${title}, steps of length h, held inputs constant over each step.
 *
 * q and u hold for every state its history, rows 0 to steps/every, the first of which the caller
 * sets; the last step of each `every` is recorded. codes[k] is the code of state k; after a failure
 * the rest of its history means nothing. Returns the first code that is not 0. Each step evaluates
 * the rates ${stages} times.
${behind} */
int ${m}_${method}_rollouts(
    ${m}_real *q,
    ${m}_real *u,
${held_declarations}${feedback_declaration}${time_declaration}    ${m}_real h,
    int steps,
    int every,
    int codes[${M}_RESTRICT ${M}_LANES]);
