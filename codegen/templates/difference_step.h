/* What is remembered from sample to sample. */
typedef struct {
${members}} ${m}_state;

/* The state before the first sample${seed_words}. */
void ${m}_init(${m}_state *state${seed_argument});

/*
 * One sample: from what is measured and wanted now to ${output}, and the state to the next one.
 *
 * Returns 0, or the code of ${m}_${function}; the state is then as it was.
 */
int ${m}_step(
    ${m}_state *state,
${declarations}    ${m}_real ${output}[${M}_RESTRICT ${size}]);
