/*
 * Equations of motion of pendulum, made by eomc 0.1.0.
 * Model 89dd8f06fffbbf7d4dd3c2e110cfdf128da4fd55fcfe26fcbc4bc4f42ba29353
 */
#ifndef PENDULUM_DOUBLE_H
#define PENDULUM_DOUBLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Array arguments never overlap an output; C++ and some compilers have no word for it here, and
 * MISRA C none at all (-DPENDULUM_DOUBLE_NO_RESTRICT).
 */
#if defined(__cplusplus) || (defined(_MSC_VER) && !defined(__clang__)) \
    || defined(PENDULUM_DOUBLE_NO_RESTRICT)
#define PENDULUM_DOUBLE_RESTRICT
#else
#define PENDULUM_DOUBLE_RESTRICT restrict
#endif

/*
 * Every loop of these functions ends after passes whose number is known before the call: it is a
 * constant of the model, or what the comment of the function says. Sines and cosines have no loop.
 */

/* Scalar type of this model. */
typedef double pendulum_double_real;

/* Return codes of all functions. */
enum {
    PENDULUM_DOUBLE_OK = 0,
    PENDULUM_DOUBLE_DEGENERATE_LENGTH = 1,
    PENDULUM_DOUBLE_STEP_UNDERFLOW = 2,
    PENDULUM_DOUBLE_TOO_MANY_STEPS = 3
};

/* The name of a return code. */
const char *pendulum_double_status_name(int code);

/* Order of the entries of q. */
enum {
    PENDULUM_DOUBLE_Q_HINGE = 0,  /* hinge */
    PENDULUM_DOUBLE_Q_COUNT = 1
};

/* Order of the entries of u. */
enum {
    PENDULUM_DOUBLE_U_HINGE = 0,  /* hinge */
    PENDULUM_DOUBLE_U_COUNT = 1
};

/* Parameters that may be changed at run time. */
typedef struct {
    pendulum_double_real mass;  /* of the bob [kg] */
    pendulum_double_real length;  /* [m] */
} pendulum_double_parameters;

/* The values of the model file. */
pendulum_double_parameters pendulum_double_default_parameters(void);

/*
 * Angular acceleration.
 *
 * in  q[1]: angle from hanging [rad]; hinge
 * in  u[1]: angular velocity [rad/s]; hinge
 * in  tau[1]: torque [N m]; hinge
 * in  p: tunable parameters
 * out a[1]: acceleration [rad/s^2]
 *
 * 10 operations: 2 subtractions, 6 products, 1 divisions, 1 sin.
 * Stack: at most 280 bytes in optimized code.
 * Returns 0, or PENDULUM_DOUBLE_DEGENERATE_LENGTH; the outputs then mean nothing.
 */
int pendulum_double_forward_dynamics(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real a[PENDULUM_DOUBLE_RESTRICT 1]);

/*
 * coordinate rates
 *
 * in  q[1]: angle from hanging [rad]; hinge
 * in  u[1]: angular velocity [rad/s]; hinge
 * in  p: tunable parameters
 * out qdot[1]
 *
 * No operations.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int pendulum_double_coordinate_rates(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real qdot[PENDULUM_DOUBLE_RESTRICT 1]);

/*
 * mass matrix
 *
 * in  q[1]: angle from hanging [rad]; hinge
 * in  p: tunable parameters
 * out M[1][1] [kg m^2]
 *
 * 2 operations: 2 products.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int pendulum_double_mass_matrix(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real M[PENDULUM_DOUBLE_RESTRICT 1]);

/*
 * Kinetic and potential energy.
 *
 * in  q[1]: angle from hanging [rad]; hinge
 * in  u[1]: angular velocity [rad/s]; hinge
 * in  p: tunable parameters
 * out T: kinetic [J]
 * out V: potential [J]
 *
 * 9 operations: 8 products, 1 cos.
 * Stack: at most 280 bytes in optimized code.
 * Returns 0.
 */
int pendulum_double_energies(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real T[PENDULUM_DOUBLE_RESTRICT 1],
    pendulum_double_real V[PENDULUM_DOUBLE_RESTRICT 1]);

/*
 * neutral
 *
 * in  p: tunable parameters
 * out q[1]
 *
 * No operations.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int pendulum_double_neutral(
    const pendulum_double_parameters *p,
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1]);

/* What a run of adaptive steps takes and tells. */
typedef struct {
    pendulum_double_real h;     /* in: length of the first step to try, 0 to choose one; out: of the next */
    pendulum_double_real time;  /* out: time that the steps have reached */
    int done;        /* out: rows recorded after the first */
    int steps;       /* out: steps taken */
    int rejected;    /* out: steps tried in vain */
} pendulum_double_adaptive_run;

/*
 * Advances q and u in place by `steps` steps of length h, all other inputs held constant:
 * classical Runge-Kutta method of order 4.
 *
 * Work: each step evaluates the rates 4 times.
 *
 * Stack: at most 1168 bytes in optimized code.
 *
 * Returns 0, or the code of the function that failed; q and u are then those of the last
 * complete step.
 */
int pendulum_double_rk4(
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real h,
    int steps);

/*
 * The same with every step recorded. q and u have steps + 1 rows, the first of which the caller
 * sets; each other input has one row, or `steps` rows held for one step each if per_step is not 0.
 * `*done` counts the complete steps.
 */
int pendulum_double_rk4_trajectory(
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT],
    pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT],
    const pendulum_double_parameters *p,
    pendulum_double_real h,
    int steps,
    int per_step,
    int *done);

/*
 * Integrates from times[0] to times[rows - 1], all other inputs held constant, by the
 * Dormand-Prince method of order 5(4). Its steps are as long as the tolerances allow: the root
 * mean square over all coordinates y of error/(atol + rtol*|y|) stays below 1 in each. An
 * rtol below (25.0/1125899906842624.0), which rounding would spoil, counts as that.
 *
 * q and u have one row for each of the times, which increase; the caller sets the first. Rows
 * between two steps are interpolated with order 4.
 *
 * Work: two evaluations of the rates first; then at most max_steps trials of a step, each of which
 * evaluates them 6 times. Each of the rows is interpolated once.
 *
 * Stack: at most 1448 bytes in optimized code.
 *
 * Returns 0; PENDULUM_DOUBLE_STEP_UNDERFLOW if the error forbids every step longer than the
 * resolution of time; PENDULUM_DOUBLE_TOO_MANY_STEPS after max_steps steps, taken or
 * rejected; or the code of the function that fails however short the step. The first
 * run->done + 1 rows are then good.
 */
int pendulum_double_dopri(
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT],
    pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    const pendulum_double_real times[PENDULUM_DOUBLE_RESTRICT],
    int rows,
    pendulum_double_real rtol,
    pendulum_double_real atol,
    int max_steps,
    pendulum_double_adaptive_run *run);

#ifdef __cplusplus
}
#endif

#endif /* PENDULUM_DOUBLE_H */
