/*
 * Equations of motion of six, made by eomc.
 */
#ifndef SIX_H
#define SIX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Array arguments never overlap an output; C++ and some compilers have no word for it here, and
 * MISRA C none at all (-DSIX_NO_RESTRICT).
 */
#if defined(__cplusplus) || (defined(_MSC_VER) && !defined(__clang__)) \
    || defined(SIX_NO_RESTRICT)
#define SIX_RESTRICT
#else
#define SIX_RESTRICT restrict
#endif

/*
 * Every loop of these functions ends after passes whose number is known before the call: it is a
 * constant of the model, or what the comment of the function says. Sines and cosines have no loop.
 */

/* Scalar type of this model. */
typedef double six_real;

/* Return codes of all functions. */
enum {
    SIX_OK = 0,
    SIX_SINGULAR_MASS_MATRIX = 1,
    SIX_STEP_UNDERFLOW = 2,
    SIX_TOO_MANY_STEPS = 3
};

/* The name of a return code. */
const char *six_status_name(int code);

/* Order of the entries of q. */
enum {
    SIX_Q_J0 = 0,  /* j0 */
    SIX_Q_J1 = 1,  /* j1 */
    SIX_Q_J2 = 2,  /* j2 */
    SIX_Q_J3 = 3,  /* j3 */
    SIX_Q_J4 = 4,  /* j4 */
    SIX_Q_J5 = 5,  /* j5 */
    SIX_Q_COUNT = 6
};

/* Order of the entries of u. */
enum {
    SIX_U_J0 = 0,  /* j0 */
    SIX_U_J1 = 1,  /* j1 */
    SIX_U_J2 = 2,  /* j2 */
    SIX_U_J3 = 3,  /* j3 */
    SIX_U_J4 = 4,  /* j4 */
    SIX_U_J5 = 5,  /* j5 */
    SIX_U_COUNT = 6
};

/*
 * Generalized forces that a motion takes: tau = M(q) a + c(q, u).
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  u[6]: generalized speeds [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 * in  a[6]: time derivatives of the generalized speeds [rad/s^2 or m/s^2]; j0, j1, j2, j3, j4,
 *     j5
 * out tau[6]: generalized forces [N m or N]; j0, j1, j2, j3, j4, j5
 *
 * 236 operations: 52 additions, 50 subtractions, 122 products, 6 cos, 6 sin.
 * Stack: at most 944 bytes in optimized code.
 * Returns 0.
 */
int six_inverse_dynamics(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    const six_real a[SIX_RESTRICT 6],
    six_real tau[SIX_RESTRICT 6]);

/*
 * Accelerations under given forces: a = M(q)^-1 (tau - c(q, u)).
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  u[6]: generalized speeds [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 * in  tau[6]: generalized forces on the speeds [N m or N]; j0, j1, j2, j3, j4, j5
 * out a[6]: accelerations [rad/s^2 or m/s^2]; j0, j1, j2, j3, j4, j5
 *
 * 487 operations: 113 additions, 99 subtractions, 258 products, 5 divisions, 6 cos, 6 sin.
 * Stack: at most 1096 bytes in optimized code.
 * Returns 0, or SIX_SINGULAR_MASS_MATRIX; the outputs then mean nothing.
 */
int six_forward_dynamics(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    const six_real tau[SIX_RESTRICT 6],
    six_real a[SIX_RESTRICT 6]);

/*
 * Mass matrix M(q), symmetric and positive definite.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * out M[6][6]: mass matrix [kg m^2, kg m or kg]; rows j0, j1, j2, j3, j4, j5
 *
 * 259 operations: 54 additions, 72 subtractions, 123 products, 5 cos, 5 sin.
 * Stack: at most 640 bytes in optimized code.
 * Returns 0.
 */
int six_mass_matrix(const six_real q[SIX_RESTRICT 6], six_real M[SIX_RESTRICT 36]);

/*
 * Forces of motion without acceleration, c(q, u): gyroscopic terms, weight, springs, losses.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  u[6]: generalized speeds [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 * out c[6]: bias forces [N m or N]; j0, j1, j2, j3, j4, j5
 *
 * 172 operations: 42 additions, 26 subtractions, 92 products, 6 cos, 6 sin.
 * Stack: at most 872 bytes in optimized code.
 * Returns 0.
 */
int six_bias(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real c[SIX_RESTRICT 6]);

/*
 * Generalized forces that hold the weight at rest, g(q).
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * out g[6]: weight forces [N m or N]; j0, j1, j2, j3, j4, j5
 *
 * 66 operations: 15 additions, 6 subtractions, 33 products, 6 cos, 6 sin.
 * Stack: at most 704 bytes in optimized code.
 * Returns 0.
 */
int six_gravity(const six_real q[SIX_RESTRICT 6], six_real g[SIX_RESTRICT 6]);

/*
 * Kinetic energy T(q, u), rotors included.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  u[6]: generalized speeds [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 * out T: kinetic energy [J]
 *
 * 132 operations: 43 additions, 5 subtractions, 74 products, 5 cos, 5 sin.
 * Stack: at most 472 bytes in optimized code.
 * Returns 0.
 */
int six_kinetic_energy(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real T[SIX_RESTRICT 1]);

/*
 * Potential energy V(q) of weight (zero at the world origin), linear springs, potentials.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * out V: potential energy [J]
 *
 * 59 operations: 12 additions, 11 subtractions, 24 products, 6 cos, 6 sin.
 * Stack: at most 704 bytes in optimized code.
 * Returns 0.
 */
int six_potential_energy(const six_real q[SIX_RESTRICT 6], six_real V[SIX_RESTRICT 1]);

/*
 * Power of tau and of all forces without potential: the rate of T + V.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  u[6]: generalized speeds [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 * in  tau[6]: generalized forces on the speeds [N m or N]; j0, j1, j2, j3, j4, j5
 * out P: power [W]
 *
 * 23 operations: 5 additions, 6 subtractions, 12 products.
 * Stack: at most 272 bytes in optimized code.
 * Returns 0.
 */
int six_power(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    const six_real tau[SIX_RESTRICT 6],
    six_real P[SIX_RESTRICT 1]);

/*
 * Linear and angular momentum about the world origin, world axes.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  u[6]: generalized speeds [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 * out h[6]: (linear, angular) momentum [kg m/s, kg m^2/s]; vx, vy, vz, wx, wy, wz
 *
 * 221 operations: 55 additions, 33 subtractions, 121 products, 6 cos, 6 sin.
 * Stack: at most 952 bytes in optimized code.
 * Returns 0.
 */
int six_momentum(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real h[SIX_RESTRICT 6]);

/*
 * Centre of mass of the moving bodies, world frame.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * out c[3]: centre of mass [m]; x, y, z
 *
 * 58 operations: 12 additions, 10 subtractions, 24 products, 6 cos, 6 sin.
 * Stack: at most 704 bytes in optimized code.
 * Returns 0.
 */
int six_center_of_mass(const six_real q[SIX_RESTRICT 6], six_real c[SIX_RESTRICT 3]);

/*
 * Jacobian of the centre of mass: v_com = J u.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * out J[3][6]: centre of mass Jacobian [m or 1]; rows x, y, z
 *
 * 120 operations: 19 additions, 19 subtractions, 70 products, 6 cos, 6 sin.
 * Stack: at most 824 bytes in optimized code.
 * Returns 0.
 */
int six_center_of_mass_jacobian(const six_real q[SIX_RESTRICT 6], six_real J[SIX_RESTRICT 18]);

/*
 * Rates of the coordinates: q' = G(q) u.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  u[6]: generalized speeds [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 * out q_rate[6]: q' [rad/s or m/s]; j0, j1, j2, j3, j4, j5
 *
 * No operations.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int six_coordinate_rates(
    const six_real q[SIX_RESTRICT 6],
    const six_real u[SIX_RESTRICT 6],
    six_real q_rate[SIX_RESTRICT 6]);

/*
 * Configuration reached from q by the tangent displacement du.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * in  du[6]: displacement in the tangent space of q [rad or m]; j0, j1, j2, j3, j4, j5
 * out q_next[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 *
 * 6 operations: 6 additions.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int six_integrate(
    const six_real q[SIX_RESTRICT 6],
    const six_real du[SIX_RESTRICT 6],
    six_real q_next[SIX_RESTRICT 6]);

/*
 * Tangent displacement du that leads from q0 to q1.
 *
 * in  q0[6]: coordinates, from [rad or m]; j0, j1, j2, j3, j4, j5
 * in  q1[6]: coordinates, to [rad or m]; j0, j1, j2, j3, j4, j5
 * out du[6]: displacement [rad or m]; j0, j1, j2, j3, j4, j5
 *
 * 6 operations: 6 subtractions.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int six_difference(
    const six_real q0[SIX_RESTRICT 6],
    const six_real q1[SIX_RESTRICT 6],
    six_real du[SIX_RESTRICT 6]);

/*
 * Reference configuration: zero, quaternions without rotation.
 *
 * out q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 *
 * No operations.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int six_neutral(six_real q[SIX_RESTRICT 6]);

/*
 * q with its quaternions brought to unit length.
 *
 * in  q[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 * out q_unit[6]: coordinates [rad or m]; j0, j1, j2, j3, j4, j5
 *
 * No operations.
 * Stack: at most 256 bytes in optimized code.
 * Returns 0.
 */
int six_normalize(const six_real q[SIX_RESTRICT 6], six_real q_unit[SIX_RESTRICT 6]);

/* What a run of adaptive steps takes and tells. */
typedef struct {
    six_real h;     /* in: length of the first step to try, 0 to choose one; out: of the next */
    six_real time;  /* out: time that the steps have reached */
    int done;        /* out: rows recorded after the first */
    int steps;       /* out: steps taken */
    int rejected;    /* out: steps tried in vain */
} six_adaptive_run;

/*
 * Advances q and u in place by `steps` steps of length h, all other inputs held constant:
 * classical Runge-Kutta method of order 4. q is normalized after each step.
 *
 * Work: each step evaluates the rates 4 times.
 *
 * Stack: at most 2584 bytes in optimized code.
 *
 * Returns 0, or the code of the function that failed; q and u are then those of the last
 * complete step.
 */
int six_rk4(
    six_real q[SIX_RESTRICT 6],
    six_real u[SIX_RESTRICT 6],
    const six_real tau[SIX_RESTRICT 6],
    six_real h,
    int steps);

/*
 * The same with every step recorded. q and u have steps + 1 rows, the first of which the caller
 * sets; each other input has one row, or `steps` rows held for one step each if per_step is not 0.
 * `*done` counts the complete steps.
 */
int six_rk4_trajectory(
    six_real q[SIX_RESTRICT],
    six_real u[SIX_RESTRICT],
    const six_real tau[SIX_RESTRICT],
    six_real h,
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
 * between two steps are interpolated with order 4. q is normalized after each step.
 *
 * Work: two evaluations of the rates first; then at most max_steps trials of a step, each of which
 * evaluates them 6 times. Each of the rows is interpolated once.
 *
 * Stack: at most 3824 bytes in optimized code.
 *
 * Returns 0; SIX_STEP_UNDERFLOW if the error forbids every step longer than the
 * resolution of time; SIX_TOO_MANY_STEPS after max_steps steps, taken or
 * rejected; or the code of the function that fails however short the step. The first
 * run->done + 1 rows are then good.
 */
int six_dopri(
    six_real q[SIX_RESTRICT],
    six_real u[SIX_RESTRICT],
    const six_real tau[SIX_RESTRICT 6],
    const six_real times[SIX_RESTRICT],
    int rows,
    six_real rtol,
    six_real atol,
    int max_steps,
    six_adaptive_run *run);

#ifdef __cplusplus
}
#endif

#endif /* SIX_H */
