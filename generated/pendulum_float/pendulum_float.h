/*
 * Equations of motion of pendulum, made by eomc 0.1.0.
 * Model 15e4766e927ad9ffad8f0aa897f9720771b91cd01b46f17a2a3a120e660fb6d4
 */
#ifndef PENDULUM_FLOAT_H
#define PENDULUM_FLOAT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Array arguments never overlap an output; C++ and some compilers have no word for it here, and
 * MISRA C none at all (-DPENDULUM_FLOAT_NO_RESTRICT).
 */
#if defined(__cplusplus) || (defined(_MSC_VER) && !defined(__clang__)) \
    || defined(PENDULUM_FLOAT_NO_RESTRICT)
#define PENDULUM_FLOAT_RESTRICT
#else
#define PENDULUM_FLOAT_RESTRICT restrict
#endif

/*
 * Every loop of these functions ends after passes whose number is known before the call: it is a
 * constant of the model, or what the comment of the function says. Sines and cosines have no loop.
 */

/* Scalar type of this model. */
typedef float pendulum_float_real;

/* Return codes of all functions. */
enum {
    PENDULUM_FLOAT_OK = 0,
    PENDULUM_FLOAT_DEGENERATE_LENGTH = 1,
    PENDULUM_FLOAT_STEP_UNDERFLOW = 2,
    PENDULUM_FLOAT_TOO_MANY_STEPS = 3
};

/* The name of a return code. */
const char *pendulum_float_status_name(int code);

/* Order of the entries of q. */
enum {
    PENDULUM_FLOAT_Q_HINGE = 0,  /* hinge */
    PENDULUM_FLOAT_Q_COUNT = 1
};

/* Order of the entries of u. */
enum {
    PENDULUM_FLOAT_U_HINGE = 0,  /* hinge */
    PENDULUM_FLOAT_U_COUNT = 1
};

/* Parameters that may be changed at run time. */
typedef struct {
    pendulum_float_real mass;  /* of the bob [kg] */
    pendulum_float_real length;  /* [m] */
} pendulum_float_parameters;

/* The values of the model file. */
pendulum_float_parameters pendulum_float_default_parameters(void);

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
 * Stack: at most 272 bytes in optimized code.
 * Returns 0, or PENDULUM_FLOAT_DEGENERATE_LENGTH; the outputs then mean nothing.
 */
int pendulum_float_forward_dynamics(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real a[PENDULUM_FLOAT_RESTRICT 1]);

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
int pendulum_float_coordinate_rates(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real qdot[PENDULUM_FLOAT_RESTRICT 1]);

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
int pendulum_float_mass_matrix(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real M[PENDULUM_FLOAT_RESTRICT 1]);

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
 * Stack: at most 272 bytes in optimized code.
 * Returns 0.
 */
int pendulum_float_energies(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real T[PENDULUM_FLOAT_RESTRICT 1],
    pendulum_float_real V[PENDULUM_FLOAT_RESTRICT 1]);

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
int pendulum_float_neutral(
    const pendulum_float_parameters *p,
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1]);

/* What a run of adaptive steps takes and tells. */
typedef struct {
    pendulum_float_real h;     /* in: length of the first step to try, 0 to choose one; out: of the next */
    pendulum_float_real time;  /* out: time that the steps have reached */
    int done;        /* out: rows recorded after the first */
    int steps;       /* out: steps taken */
    int rejected;    /* out: steps tried in vain */
} pendulum_float_adaptive_run;

/*
 * Advances q and u in place by `steps` steps of length h, all other inputs held constant:
 * classical Runge-Kutta method of order 4.
 *
 * Work: each step evaluates the rates 4 times.
 *
 * Stack: at most 1104 bytes in optimized code.
 *
 * Returns 0, or the code of the function that failed; q and u are then those of the last
 * complete step.
 */
int pendulum_float_rk4(
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real h,
    int steps);

/*
 * The same with every step recorded. q and u have steps + 1 rows, the first of which the caller
 * sets; each other input has one row, or `steps` rows held for one step each if per_step is not 0.
 * `*done` counts the complete steps.
 */
int pendulum_float_rk4_trajectory(
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT],
    pendulum_float_real u[PENDULUM_FLOAT_RESTRICT],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT],
    const pendulum_float_parameters *p,
    pendulum_float_real h,
    int steps,
    int per_step,
    int *done);

/*
 * Integrates from times[0] to times[rows - 1], all other inputs held constant, by the
 * Dormand-Prince method of order 5(4). Its steps are as long as the tolerances allow: the root
 * mean square over all coordinates y of error/(atol + rtol*|y|) stays below 1 in each. An
 * rtol below 1.1920929e-05f, which rounding would spoil, counts as that.
 *
 * q and u have one row for each of the times, which increase; the caller sets the first. Rows
 * between two steps are interpolated with order 4.
 *
 * Work: two evaluations of the rates first; then at most max_steps trials of a step, each of which
 * evaluates them 6 times. Each of the rows is interpolated once.
 *
 * Stack: at most 1240 bytes in optimized code.
 *
 * Returns 0; PENDULUM_FLOAT_STEP_UNDERFLOW if the error forbids every step longer than the
 * resolution of time; PENDULUM_FLOAT_TOO_MANY_STEPS after max_steps steps, taken or
 * rejected; or the code of the function that fails however short the step. The first
 * run->done + 1 rows are then good.
 */
int pendulum_float_dopri(
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT],
    pendulum_float_real u[PENDULUM_FLOAT_RESTRICT],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    const pendulum_float_real times[PENDULUM_FLOAT_RESTRICT],
    int rows,
    pendulum_float_real rtol,
    pendulum_float_real atol,
    int max_steps,
    pendulum_float_adaptive_run *run);

#ifdef __cplusplus
}
#endif

#endif /* PENDULUM_FLOAT_H */
