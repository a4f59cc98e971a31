/* What a compiled model says of itself: the whole interface between its shared library and eomc.
 *
 * The library exports one symbol, the table `eomc_model`. Nothing of it is called before magic,
 * version and scalar type are found to be right. Numbers travel as void pointers to arrays of the
 * model's scalar type, so that one interface serves double and float.
 */

#ifndef EOMC_MODEL_H
#define EOMC_MODEL_H

#include <stddef.h>

/* Raised with every change of this file. */
#define EOMC_VERSION 1
#define EOMC_MAGIC "eomc model"

#ifdef _WIN32
#define EOMC_EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EOMC_EXPORT __attribute__((visibility("default")))
#else
#define EOMC_EXPORT
#endif

/* A function of the model: x are its inputs, parameters last, y its outputs. `lanes` evaluates several
 * states at once, entry by entry side by side; NULL where the model has no such functions. */
typedef int (*eomc_call)(const void *const *x, void *const *y);
typedef int (*eomc_call_lanes)(const void *const *x, void *const *y, int *codes);

typedef struct {
    const char *name;
    eomc_call call;
    eomc_call_lanes lanes;
} eomc_entry;

/* An integrator of fixed steps, which records them all. */
typedef int (*eomc_fixed)(
    void *q, void *u, const void *const *x, double t, double h, int steps, int per_step, int *done);

/* An integrator of adaptive steps: its inputs, and what it returns. */
typedef struct {
    double h;
    double time;
    int done;
    int steps;
    int rejected;
} eomc_adaptive_run;

typedef int (*eomc_adaptive)(
    void *q, void *u, const void *const *x, const void *times, int rows, double rtol, double atol,
    int max_steps, eomc_adaptive_run *run);

/* A solver of the constraints. */
typedef int (*eomc_solver)(
    const void *const *x, void *const *y, int *order, int *rank, double tolerance, int max_steps);

/* Numbers that vary with the state and with the step, the distances counted in numbers. */
typedef struct {
    const void *rows;
    size_t state;
    size_t step;
} eomc_signal;

/* Runs of many states: groups of as many as there are lanes, one group after the other. `references`
 * are those of feedback for q, u and a; the first has no rows where there is no feedback. */
typedef int (*eomc_rollouts)(
    void *q, void *u, const eomc_signal *inputs, const eomc_signal *references, const void *kp,
    const void *kd, int computed_torque, double t, double h, int steps, int every, size_t groups,
    size_t *bad);

/* A routine by its name; the manifest tells which of the types above its `call` has. */
typedef struct {
    const char *name;
    void (*call)(void);
} eomc_routine;

typedef struct {
    char magic[16];
    int version;
    int real;                     /* bytes of a scalar: 8 for double, 4 for float */
    int lanes;                    /* states that `lanes` evaluates at once */
    const char *const *manifest;  /* JSON text in pieces; NULL ends it */
    const eomc_entry *functions;  /* an entry without a name ends it */
    const eomc_routine *routines; /* as above */
    void (*set_defaults)(void *p);
    const char *(*status_name)(int status);
    void (*to_lanes)(const void *rows, size_t size, size_t stride, void *lanes);
    void (*from_lanes)(const void *lanes, size_t size, size_t stride, void *rows);
} eomc_table;

extern EOMC_EXPORT const eomc_table eomc_model;

#endif
