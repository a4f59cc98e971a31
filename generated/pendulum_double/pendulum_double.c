/*
 * Equations of motion of pendulum, made by eomc 0.1.0.
 * Model 89dd8f06fffbbf7d4dd3c2e110cfdf128da4fd55fcfe26fcbc4bc4f42ba29353
 */
#include "pendulum_double.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE_SIZE__)
#define PENDULUM_DOUBLE_INLINE inline __attribute__((always_inline))
#else
#define PENDULUM_DOUBLE_INLINE inline
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PENDULUM_DOUBLE_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define PENDULUM_DOUBLE_NOINLINE __declspec(noinline)
#else
#define PENDULUM_DOUBLE_NOINLINE
#endif

/*
 * Ends an expression: whatever compilers are allowed to do, such as to regroup sums or to keep more
 * digits than pendulum_double_real has, they do not across it.
 */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2_MATH__)
#define PENDULUM_DOUBLE_PIN(x) __asm__("" : "+x"(x))
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#define PENDULUM_DOUBLE_PIN(x) __asm__("" : "+w"(x))
#elif defined(__GNUC__) || defined(__clang__)
#define PENDULUM_DOUBLE_PIN(x) __asm__("" : "+m"(x))
#elif defined(_MSC_VER) && !defined(_M_FP_FAST)
#define PENDULUM_DOUBLE_PIN(x) ((void)0)
#else
#define PENDULUM_DOUBLE_PIN(x) \
    do { \
        volatile pendulum_double_real pinned = (x); \
        (x) = pinned; \
    } while (0)
#endif

/* Sine and cosine of large angles, infinities and NaN. */
typedef struct {
    pendulum_double_real sine;
    pendulum_double_real cosine;
} pendulum_double_turn;

static PENDULUM_DOUBLE_NOINLINE pendulum_double_turn pendulum_double_far_turn(pendulum_double_real x)
{
    const pendulum_double_turn turn = {sin(x), cos(x)};
    return turn;
}

/* Sine and cosine of x within 0.83 units in the last place; no branch depends on x unless it is large. */
static PENDULUM_DOUBLE_INLINE void pendulum_double_sincos(
    pendulum_double_real x,
    pendulum_double_real *sine,
    pendulum_double_real *cosine)
{
    if (!(fabs(x) <= 51471.0)) {
        const pendulum_double_turn turn = pendulum_double_far_turn(x);
        *sine = turn.sine;
        *cosine = turn.cosine;
    } else {
        /*
         * x = n pi/2 + (r + e): adding and subtracting the large number rounds to an integer. The
         * parts of pi/2 have the digits of their type, also where literals have more.
         */
        pendulum_double_real shifted = x*0.6366197723675814 + 6755399441055744.0;
        pendulum_double_real n;
        pendulum_double_real r1;
        pendulum_double_real second;
        pendulum_double_real third;
        pendulum_double_real r2;
        pendulum_double_real r;
        pendulum_double_real e;
        pendulum_double_real e1;
        PENDULUM_DOUBLE_PIN(shifted);
        n = shifted - 6755399441055744.0;
        r1 = x - n*(pendulum_double_real)1.5707963267923333;
        PENDULUM_DOUBLE_PIN(r1);
        second = n*(pendulum_double_real)2.5633441515839558e-12;
        PENDULUM_DOUBLE_PIN(second);
        third = n*(pendulum_double_real)1.0562999066987428e-23;
        PENDULUM_DOUBLE_PIN(third);
        r2 = r1 - second;
        PENDULUM_DOUBLE_PIN(r2);
        r = r2 - third;
        PENDULUM_DOUBLE_PIN(r);
        e = (r2 - r) - third;
        PENDULUM_DOUBLE_PIN(e);
        e1 = (r1 - r2) - second;
        PENDULUM_DOUBLE_PIN(e1);
        e += e1;
        const pendulum_double_real z = r*r;
        const pendulum_double_real half = 0.5*z;
        const pendulum_double_real w = 1.0 - half;
        const pendulum_double_real p = -0.16666666666666632 + z*(0.008333333333322713 + z*(-0.00019841269830183278 + z*(2.7557313844073607e-06 + z*(-2.505078288512393e-08 + z*1.5898206353815472e-10))));
        const pendulum_double_real k = 0.0416666666666666 + z*(-0.0013888888888873466 + z*(2.4801587287985298e-05 + z*(-2.7557313605210255e-07 + z*(2.087559005375572e-09 + z*-1.1351949061089001e-11))));
        const pendulum_double_real s = r + (r*z*p + e*w);
        const pendulum_double_real c = w + (((1.0 - w) - half) + (z*z*k - r*e));
        /* A quarter turn takes sine to cosine and cosine to minus sine. */
        const pendulum_double_real quarters[4] = {s, c, -s, -c};
        const unsigned quarter = (unsigned)(int)n;
        *sine = quarters[quarter & 3u];
        *cosine = quarters[(quarter + 1u) & 3u];
    }
}

static PENDULUM_DOUBLE_INLINE pendulum_double_real pendulum_double_sin(pendulum_double_real x)
{
    pendulum_double_real sine;
    pendulum_double_real cosine;
    pendulum_double_sincos(x, &sine, &cosine);
    return sine;
}

static PENDULUM_DOUBLE_INLINE pendulum_double_real pendulum_double_cos(pendulum_double_real x)
{
    pendulum_double_real sine;
    pendulum_double_real cosine;
    pendulum_double_sincos(x, &sine, &cosine);
    return cosine;
}

const char *pendulum_double_status_name(int code)
{
    const char *name;
    switch (code) {
    case PENDULUM_DOUBLE_OK:
        name = "OK";
        break;
    case PENDULUM_DOUBLE_DEGENERATE_LENGTH:
        name = "degenerate_length";
        break;
    case PENDULUM_DOUBLE_STEP_UNDERFLOW:
        name = "step_underflow";
        break;
    case PENDULUM_DOUBLE_TOO_MANY_STEPS:
        name = "too_many_steps";
        break;
    default:
        name = "unknown code";
        break;
    }
    return name;
}

pendulum_double_parameters pendulum_double_default_parameters(void)
{
    const pendulum_double_parameters defaults = {
        .mass = 2.0,
        .length = 0.7
    };
    return defaults;
}

int pendulum_double_forward_dynamics(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real a[PENDULUM_DOUBLE_RESTRICT 1])
{
    const pendulum_double_real sin_hinge = pendulum_double_sin(q[0]);
    const pendulum_double_real t1 = tau[0] - 9.81*p->mass*(p->length*sin_hinge);
    const pendulum_double_real t2 = p->mass*(p->length*p->length);  /* inertia about the hinge */
    a[0] = (t1 - 0.1*u[0])/t2;
    if (!(p->length > 0.0)) {
        return PENDULUM_DOUBLE_DEGENERATE_LENGTH;
    }
    return PENDULUM_DOUBLE_OK;
}

int pendulum_double_coordinate_rates(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real qdot[PENDULUM_DOUBLE_RESTRICT 1])
{
    (void)q;
    (void)p;
    qdot[0] = u[0];
    return PENDULUM_DOUBLE_OK;
}

int pendulum_double_mass_matrix(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real M[PENDULUM_DOUBLE_RESTRICT 1])
{
    (void)q;
    M[0] = p->mass*(p->length*p->length);  /* inertia about the hinge */
    return PENDULUM_DOUBLE_OK;
}

int pendulum_double_energies(
    const pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real T[PENDULUM_DOUBLE_RESTRICT 1],
    pendulum_double_real V[PENDULUM_DOUBLE_RESTRICT 1])
{
    const pendulum_double_real cos_hinge = pendulum_double_cos(q[0]);
    const pendulum_double_real t1 = p->mass*(p->length*p->length);  /* inertia about the hinge */
    T[0] = 0.5*(t1*(u[0]*u[0]));
    V[0] = -(9.81*p->mass*(p->length*cos_hinge));
    return PENDULUM_DOUBLE_OK;
}

int pendulum_double_neutral(
    const pendulum_double_parameters *p,
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1])
{
    (void)p;
    q[0] = 0.0;
    return PENDULUM_DOUBLE_OK;
}

/* One step from time t of the classical Runge-Kutta method of order 4. */
static int pendulum_double_rk4_in_place(
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real t,
    pendulum_double_real h)
{
    static const pendulum_double_real a[4][4] = {
        {0.0, 0.0, 0.0, 0.0},
        {0.5, 0.0, 0.0, 0.0},
        {0.0, 0.5, 0.0, 0.0},
        {0.0, 0.0, 1.0, 0.0}
    };
    static const pendulum_double_real b[4] = {(1.0/6.0), (1.0/3.0), (1.0/3.0), (1.0/6.0)};
    static const pendulum_double_real c[4] = {0.0, 0.5, 0.5, 1.0};
    pendulum_double_real q_rate[4][1];
    pendulum_double_real u_rate[4][1];
    pendulum_double_real q_stage[1];
    pendulum_double_real u_stage[1];
    for (int i = 0; i < 4; i++) {
        const pendulum_double_real t_stage = t + c[i]*h;
        int status;
        for (int k = 0; k < 1; k++) {
            pendulum_double_real sum = 0.0;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*q_rate[j][k];
            }
            q_stage[k] = q[k] + h*sum;
        }
        for (int k = 0; k < 1; k++) {
            pendulum_double_real sum = 0.0;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*u_rate[j][k];
            }
            u_stage[k] = u[k] + h*sum;
        }
        (void)t_stage;
        status = pendulum_double_coordinate_rates(q_stage, u_stage, p, q_rate[i]);
        if (status == PENDULUM_DOUBLE_OK) {
            status = pendulum_double_forward_dynamics(q_stage, u_stage, tau, p, u_rate[i]);
        }
        if (status != PENDULUM_DOUBLE_OK) {
            return status;
        }
    }
    for (int k = 0; k < 1; k++) {
        pendulum_double_real sum = 0.0;
        for (int i = 0; i < 4; i++) {
            sum += b[i]*q_rate[i][k];
        }
        q_stage[k] = q[k] + h*sum;
    }
    for (int k = 0; k < 1; k++) {
        q[k] = q_stage[k];
    }
    for (int k = 0; k < 1; k++) {
        pendulum_double_real sum = 0.0;
        for (int i = 0; i < 4; i++) {
            sum += b[i]*u_rate[i][k];
        }
        u[k] += h*sum;
    }
    return PENDULUM_DOUBLE_OK;
}

int pendulum_double_rk4(
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real h,
    int steps)
{
    for (int step = 0; step < steps; step++) {
        const pendulum_double_real time = (pendulum_double_real)step*h;
        const int status = pendulum_double_rk4_in_place(q, u, tau, p, time, h);
        if (status != PENDULUM_DOUBLE_OK) {
            return status;
        }
    }
    return PENDULUM_DOUBLE_OK;
}

int pendulum_double_rk4_trajectory(
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT],
    pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT],
    const pendulum_double_parameters *p,
    pendulum_double_real h,
    int steps,
    int per_step,
    int *done)
{
    *done = 0;
    for (int step = 0; step < steps; step++) {
        const size_t next = (size_t)step + 1u;
        const size_t row = (per_step != 0) ? (size_t)step : 0u;
        const pendulum_double_real time = (pendulum_double_real)step*h;
        pendulum_double_real *q_next = &q[next*1u];
        pendulum_double_real *u_next = &u[next*1u];
        int status;
        for (int k = 0; k < 1; k++) {
            q_next[k] = q_next[k - 1];
        }
        for (int k = 0; k < 1; k++) {
            u_next[k] = u_next[k - 1];
        }
        (void)row;
        status = pendulum_double_rk4_in_place(q_next, u_next, &tau[row*1u], p, time, h);
        if (status != PENDULUM_DOUBLE_OK) {
            return status;
        }
        *done = step + 1;
    }
    return PENDULUM_DOUBLE_OK;
}

/* Rates of y = [q; u] at time t. */
static int pendulum_double_dopri_rates(
    const pendulum_double_real y[PENDULUM_DOUBLE_RESTRICT 2],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real t,
    pendulum_double_real y_rate[PENDULUM_DOUBLE_RESTRICT 2])
{
    int status = pendulum_double_coordinate_rates(y, &y[1], p, y_rate);
    (void)t;
    if (status == PENDULUM_DOUBLE_OK) {
        status = pendulum_double_forward_dynamics(y, &y[1], tau, p, &y_rate[1]);
    }
    return status;
}

/* The root mean square of x over the tolerance at y. */
static pendulum_double_real pendulum_double_dopri_norm(
    const pendulum_double_real x[2],
    const pendulum_double_real y[2],
    pendulum_double_real rtol,
    pendulum_double_real atol)
{
    pendulum_double_real sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const pendulum_double_real ratio = x[k]/(atol + rtol*fabs(y[k]));
        sum += ratio*ratio;
    }
    return sqrt(sum/2.0);
}

/*
 * The length of a first step, at most span: Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, section II.4.
 */
static pendulum_double_real pendulum_double_dopri_first(
    const pendulum_double_real y[PENDULUM_DOUBLE_RESTRICT 2],
    const pendulum_double_real y_rate[PENDULUM_DOUBLE_RESTRICT 2],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real t,
    pendulum_double_real span,
    pendulum_double_real rtol,
    pendulum_double_real atol)
{
    const pendulum_double_real size = pendulum_double_dopri_norm(y, y, rtol, atol);
    const pendulum_double_real speed = pendulum_double_dopri_norm(y_rate, y, rtol, atol);
    pendulum_double_real y_stage[2];
    pendulum_double_real difference[2];
    pendulum_double_real bend;
    pendulum_double_real h = 1e-6;
    pendulum_double_real h_bend;
    if (size >= 1e-5 && speed >= 1e-5) {
        h = 0.01*size/speed;
    }
    h = fmin(h, span);
    for (int k = 0; k < 2; k++) {
        y_stage[k] = y[k] + h*y_rate[k];
    }
    if (pendulum_double_dopri_rates(y_stage, tau, p, t + h, difference) != PENDULUM_DOUBLE_OK) {
        return h;
    }
    for (int k = 0; k < 2; k++) {
        difference[k] -= y_rate[k];
    }
    bend = fmax(pendulum_double_dopri_norm(difference, y, rtol, atol)/h, speed);
    if (bend <= 1e-15) {
        h_bend = fmax(1e-6, h*1e-3);
    } else {
        h_bend = pow(0.01/bend, 0.2);
    }
    return fmin(fmin(100.0*h, h_bend), span);
}

/*
 * A trial of a step of length h from y, where the rates are y_rate[0]: the state at its end, the
 * rates of its other stages, and the error over the tolerance.
 */
static int pendulum_double_dopri_try(
    const pendulum_double_real y[PENDULUM_DOUBLE_RESTRICT 2],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real t,
    pendulum_double_real h,
    pendulum_double_real rtol,
    pendulum_double_real atol,
    pendulum_double_real y_rate[PENDULUM_DOUBLE_RESTRICT 7][2],
    pendulum_double_real y_next[PENDULUM_DOUBLE_RESTRICT 2],
    pendulum_double_real *error)
{
    static const pendulum_double_real a[7][7] = {
        {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0},
        {0.075, 0.225, 0.0, 0.0, 0.0, 0.0, 0.0},
        {(44.0/45.0), (-56.0/15.0), (32.0/9.0), 0.0, 0.0, 0.0, 0.0},
        {(19372.0/6561.0), (-25360.0/2187.0), (64448.0/6561.0), (-212.0/729.0), 0.0, 0.0, 0.0},
        {(9017.0/3168.0), (-355.0/33.0), (46732.0/5247.0), (49.0/176.0), (-5103.0/18656.0), 0.0, 0.0},
        {(35.0/384.0), 0.0, (500.0/1113.0), (125.0/192.0), (-2187.0/6784.0), (11.0/84.0), 0.0}
    };
    static const pendulum_double_real c[7] = {0.0, 0.2, 0.3, 0.8, (8.0/9.0), 1.0, 1.0};
    static const pendulum_double_real e[7] = {(71.0/57600.0), 0.0, (-71.0/16695.0), (71.0/1920.0), (-17253.0/339200.0), (22.0/525.0), -0.025};
    pendulum_double_real estimate[2];
    pendulum_double_real magnitude[2];
    for (int i = 1; i < 7; i++) {
        int status;
        for (int k = 0; k < 2; k++) {
            pendulum_double_real sum = 0.0;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*y_rate[j][k];
            }
            y_next[k] = y[k] + h*sum;
        }
        status = pendulum_double_dopri_rates(y_next, tau, p, t + c[i]*h, y_rate[i]);
        if (status != PENDULUM_DOUBLE_OK) {
            return status;
        }
    }
    for (int k = 0; k < 2; k++) {
        pendulum_double_real sum = 0.0;
        for (int i = 0; i < 7; i++) {
            sum += e[i]*y_rate[i][k];
        }
        estimate[k] = h*sum;
        magnitude[k] = fmax(fabs(y[k]), fabs(y_next[k]));
    }
    *error = pendulum_double_dopri_norm(estimate, magnitude, rtol, atol);
    return PENDULUM_DOUBLE_OK;
}

/*
 * The longest step from time t, not beyond the end, that the tolerances allow; run counts and
 * proposes the next one, *h is its length.
 */
static int pendulum_double_dopri_advance(
    const pendulum_double_real y[PENDULUM_DOUBLE_RESTRICT 2],
    const pendulum_double_real tau[PENDULUM_DOUBLE_RESTRICT 1],
    const pendulum_double_parameters *p,
    pendulum_double_real t,
    pendulum_double_real end,
    pendulum_double_real rtol,
    pendulum_double_real atol,
    int max_steps,
    pendulum_double_real y_rate[PENDULUM_DOUBLE_RESTRICT 7][2],
    pendulum_double_real y_next[PENDULUM_DOUBLE_RESTRICT 2],
    pendulum_double_adaptive_run *run,
    pendulum_double_real *h)
{
    const pendulum_double_real shortest = (5.0/4503599627370496.0)*fmax(fabs(t), fabs(end));
    pendulum_double_real longest_growth = 10.0;
    int status = PENDULUM_DOUBLE_STEP_UNDERFLOW;
    for (;;) {
        const bool is_last = !(t + run->h < end);
        const pendulum_double_real t_next = is_last ? end : t + run->h;
        pendulum_double_real error = 0.0;
        *h = is_last ? end - t : run->h;
        if (!(t_next > t) || (!is_last && *h < shortest)) {
            return status;
        }
        if (run->steps + run->rejected >= max_steps) {
            return PENDULUM_DOUBLE_TOO_MANY_STEPS;
        }
        status = pendulum_double_dopri_try(y, tau, p, t, *h, rtol, atol, y_rate, y_next, &error);
        if (status == PENDULUM_DOUBLE_OK && error <= 1.0) {
            pendulum_double_real growth = longest_growth;
            if (error > 0.0) {
                growth = fmin(growth, 0.9*pow(error, -0.2));
            }
            run->h = is_last ? fmax(run->h, *h*growth) : *h*growth;
            run->time = t_next;
            run->steps++;
            return PENDULUM_DOUBLE_OK;
        }
        /* Rates that fail or are not finite say nothing of the error. */
        run->h = *h*0.2;
        if (status == PENDULUM_DOUBLE_OK) {
            status = PENDULUM_DOUBLE_STEP_UNDERFLOW;
            if (error > 1.0) {
                run->h = *h*fmax(0.2, 0.9*pow(error, -0.2));
            }
        }
        run->rejected++;
        longest_growth = 1.0;
    }
}

/* The state at the fraction x of a step from y. */
static int pendulum_double_dopri_record(
    const pendulum_double_real y[PENDULUM_DOUBLE_RESTRICT 2],
    pendulum_double_real y_rate[PENDULUM_DOUBLE_RESTRICT 7][2],
    pendulum_double_real h,
    pendulum_double_real x,
    pendulum_double_real q[PENDULUM_DOUBLE_RESTRICT 1],
    pendulum_double_real u[PENDULUM_DOUBLE_RESTRICT 1])
{
    static const pendulum_double_real interpolant[7][4] = {
        {1.0, (-8048581381.0/2820520608.0), (8663915743.0/2820520608.0), (-12715105075.0/11282082432.0)},
        {0.0, 0.0, 0.0, 0.0},
        {0.0, (131558114200.0/32700410799.0), (-68118460800.0/10900136933.0), (87487479700.0/32700410799.0)},
        {0.0, (-1754552775.0/470086768.0), (14199869525.0/1410260304.0), (-10690763975.0/1880347072.0)},
        {0.0, (127303824393.0/49829197408.0), (-318862633887.0/49829197408.0), (701980252875.0/199316789632.0)},
        {0.0, (-282668133.0/205662961.0), (2019193451.0/616988883.0), (-1453857185.0/822651844.0)},
        {0.0, (40617522.0/29380423.0), (-110615467.0/29380423.0), (69997945.0/29380423.0)}
    };
    pendulum_double_real y_next[2];
    pendulum_double_real b[7];
    for (int i = 0; i < 7; i++) {
        b[i] = 0.0;
        for (int j = 4; j > 0; j--) {
            b[i] = x*(interpolant[i][j - 1] + b[i]);
        }
    }
    for (int k = 0; k < 2; k++) {
        pendulum_double_real sum = 0.0;
        for (int i = 0; i < 7; i++) {
            sum += b[i]*y_rate[i][k];
        }
        y_next[k] = y[k] + h*sum;
    }
    for (int k = 0; k < 1; k++) {
        q[k] = y_next[k];
    }
    for (int k = 0; k < 1; k++) {
        u[k] = y_next[1 + k];
    }
    return PENDULUM_DOUBLE_OK;
}

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
    pendulum_double_adaptive_run *run)
{
    const pendulum_double_real relative = fmax(rtol, (25.0/1125899906842624.0));
    pendulum_double_real y_rate[7][2];
    pendulum_double_real y[2];
    pendulum_double_real y_next[2];
    int status;
    run->time = times[0];
    run->done = 0;
    run->steps = 0;
    run->rejected = 0;
    for (int k = 0; k < 1; k++) {
        y[k] = q[k];
    }
    for (int k = 0; k < 1; k++) {
        y[1 + k] = u[k];
    }
    status = pendulum_double_dopri_rates(y, tau, p, run->time, y_rate[0]);
    if (status == PENDULUM_DOUBLE_OK && rows > 1 && !(run->h > 0.0)) {
        run->h = pendulum_double_dopri_first(
            y, y_rate[0], tau, p, run->time, times[rows - 1] - run->time, relative, atol);
    }
    while (status == PENDULUM_DOUBLE_OK && run->done + 1 < rows) {
        const pendulum_double_real t = run->time;
        pendulum_double_real h = 0.0;
        status = pendulum_double_dopri_advance(
            y, tau, p, t, times[rows - 1], relative, atol, max_steps, y_rate, y_next, run, &h);
        while (status == PENDULUM_DOUBLE_OK && run->done + 1 < rows && times[run->done + 1] <= run->time) {
            const size_t row = (size_t)run->done + 1u;
            status = pendulum_double_dopri_record(
                y, y_rate, h, (times[row] - t)/h, &q[row*1u], &u[row*1u]);
            if (status == PENDULUM_DOUBLE_OK) {
                run->done++;
            }
        }
        if (status == PENDULUM_DOUBLE_OK) {
            for (int k = 0; k < 2; k++) {
                y[k] = y_next[k];
                y_rate[0][k] = y_rate[7 - 1][k];
            }
        }
    }
    return status;
}
