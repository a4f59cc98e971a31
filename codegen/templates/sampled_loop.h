#ifndef ${L}_H
#define ${L}_H

#include "${m}.h"
#include "${c}.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a sampled controller acts and the mechanism is integrated. Times are in seconds. */
typedef struct {
    ${m}_real first;    /* time of the first sample */
    ${m}_real period;   /* between samples */
    ${m}_real delay;    /* from a sample until its forces act */
    ${m}_real lag[${actuated}];  /* time constants of actuators of first order */
    int adaptive;       /* 0: steps of ${m}_${method}, else those of ${m}_dopri */
    ${m}_real longest;  /* of the steps of ${method}, and of what dopri holds forces for */
    ${m}_real rtol;     /* of dopri, as its max_steps */
    ${m}_real atol;
    int max_steps;
    int samples;        /* rows of references; further samples take the last one */
    int room;           /* rows of coming: delay/period, rounded up, and one more */
} ${l}_settings;

/*
 * A run of the mechanism under the controller, from times[0] to times[rows - 1].
 *
 * q, u and tau have one row for each of the times, which increase; the caller sets the first of
 * q and u${behind}. references has one row a sample:
 * ${reference}.
 * coming is room to work in, ${coming} numbers a row. *done counts the rows after the first.
 *
 * Returns 0, or the code of ${m}_${method} or ${m}_dopri; ${l_failed}
 * and the code of ${c}_step where that failed, ${l_undefined}
 * where its forces are not finite.
 */
int ${l}_run(
    const ${l}_settings *settings,
    ${c}_state *state,
    const ${m}_real times[${M}_RESTRICT],
    int rows,
    const ${m}_real references[${M}_RESTRICT],
${declarations}    ${m}_real coming[${M}_RESTRICT],
    ${m}_real q[${M}_RESTRICT],
    ${m}_real u[${M}_RESTRICT],
    ${m}_real tau[${M}_RESTRICT],
    int *done);

enum ${l}_code {
    ${l_undefined} = 1002,
    ${l_failed} = 2000
};

#ifdef __cplusplus
}
#endif

#endif
