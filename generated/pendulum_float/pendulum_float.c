/*
 * Equations of motion of pendulum, made by eomc 0.1.0.
 * Model 15e4766e927ad9ffad8f0aa897f9720771b91cd01b46f17a2a3a120e660fb6d4
 */
#include "pendulum_float.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE_SIZE__)
#define PENDULUM_FLOAT_INLINE inline __attribute__((always_inline))
#else
#define PENDULUM_FLOAT_INLINE inline
#endif

#if defined(__GNUC__) || defined(__clang__)
#define PENDULUM_FLOAT_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define PENDULUM_FLOAT_NOINLINE __declspec(noinline)
#else
#define PENDULUM_FLOAT_NOINLINE
#endif

/*
 * Ends an expression: whatever compilers are allowed to do, such as to regroup sums or to keep more
 * digits than pendulum_float_real has, they do not across it.
 */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2_MATH__)
#define PENDULUM_FLOAT_PIN(x) __asm__("" : "+x"(x))
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#define PENDULUM_FLOAT_PIN(x) __asm__("" : "+w"(x))
#elif defined(__GNUC__) || defined(__clang__)
#define PENDULUM_FLOAT_PIN(x) __asm__("" : "+m"(x))
#elif defined(_MSC_VER) && !defined(_M_FP_FAST)
#define PENDULUM_FLOAT_PIN(x) ((void)0)
#else
#define PENDULUM_FLOAT_PIN(x) \
    do { \
        volatile pendulum_float_real pinned = (x); \
        (x) = pinned; \
    } while (0)
#endif

/* Sine and cosine of large angles, infinities and NaN. */
typedef struct {
    pendulum_float_real sine;
    pendulum_float_real cosine;
} pendulum_float_turn;

static PENDULUM_FLOAT_NOINLINE pendulum_float_turn pendulum_float_far_turn(pendulum_float_real x)
{
    const pendulum_float_turn turn = {sinf(x), cosf(x)};
    return turn;
}

/* Sine and cosine of x within 0.83 units in the last place; no branch depends on x unless it is large. */
static PENDULUM_FLOAT_INLINE void pendulum_float_sincos(
    pendulum_float_real x,
    pendulum_float_real *sine,
    pendulum_float_real *cosine)
{
    if (!(fabsf(x) <= 402.0f)) {
        const pendulum_float_turn turn = pendulum_float_far_turn(x);
        *sine = turn.sine;
        *cosine = turn.cosine;
    } else {
        /*
         * x = n pi/2 + (r + e): adding and subtracting the large number rounds to an integer. The
         * parts of pi/2 have the digits of their type, also where literals have more.
         */
        pendulum_float_real shifted = x*0.63661975f + 12582912.0f;
        pendulum_float_real n;
        pendulum_float_real r1;
        pendulum_float_real second;
        pendulum_float_real third;
        pendulum_float_real r2;
        pendulum_float_real r;
        pendulum_float_real e;
        pendulum_float_real e1;
        PENDULUM_FLOAT_PIN(shifted);
        n = shifted - 12582912.0f;
        r1 = x - n*(pendulum_float_real)1.5707703f;
        PENDULUM_FLOAT_PIN(r1);
        second = n*(pendulum_float_real)2.6063062e-05f;
        PENDULUM_FLOAT_PIN(second);
        third = n*(pendulum_float_real)6.0771006e-11f;
        PENDULUM_FLOAT_PIN(third);
        r2 = r1 - second;
        PENDULUM_FLOAT_PIN(r2);
        r = r2 - third;
        PENDULUM_FLOAT_PIN(r);
        e = (r2 - r) - third;
        PENDULUM_FLOAT_PIN(e);
        e1 = (r1 - r2) - second;
        PENDULUM_FLOAT_PIN(e1);
        e += e1;
        const pendulum_float_real z = r*r;
        const pendulum_float_real half = 0.5f*z;
        const pendulum_float_real w = 1.0f - half;
        const pendulum_float_real p = -0.16666655f + z*(0.0083322f + z*-0.00019519971f);
        const pendulum_float_real k = 0.041666646f + z*(-0.0013887332f + z*2.4436136e-05f);
        const pendulum_float_real s = r + (r*z*p + e*w);
        const pendulum_float_real c = w + (((1.0f - w) - half) + (z*z*k - r*e));
        /* A quarter turn takes sine to cosine and cosine to minus sine. */
        const pendulum_float_real quarters[4] = {s, c, -s, -c};
        const unsigned quarter = (unsigned)(int)n;
        *sine = quarters[quarter & 3u];
        *cosine = quarters[(quarter + 1u) & 3u];
    }
}

static PENDULUM_FLOAT_INLINE pendulum_float_real pendulum_float_sin(pendulum_float_real x)
{
    pendulum_float_real sine;
    pendulum_float_real cosine;
    pendulum_float_sincos(x, &sine, &cosine);
    return sine;
}

static PENDULUM_FLOAT_INLINE pendulum_float_real pendulum_float_cos(pendulum_float_real x)
{
    pendulum_float_real sine;
    pendulum_float_real cosine;
    pendulum_float_sincos(x, &sine, &cosine);
    return cosine;
}

const char *pendulum_float_status_name(int code)
{
    const char *name;
    switch (code) {
    case PENDULUM_FLOAT_OK:
        name = "OK";
        break;
    case PENDULUM_FLOAT_DEGENERATE_LENGTH:
        name = "degenerate_length";
        break;
    case PENDULUM_FLOAT_STEP_UNDERFLOW:
        name = "step_underflow";
        break;
    case PENDULUM_FLOAT_TOO_MANY_STEPS:
        name = "too_many_steps";
        break;
    default:
        name = "unknown code";
        break;
    }
    return name;
}

pendulum_float_parameters pendulum_float_default_parameters(void)
{
    const pendulum_float_parameters defaults = {
        .mass = 2.0f,
        .length = 0.7f
    };
    return defaults;
}

int pendulum_float_forward_dynamics(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real a[PENDULUM_FLOAT_RESTRICT 1])
{
    const pendulum_float_real sin_hinge = pendulum_float_sin(q[0]);
    const pendulum_float_real t1 = tau[0] - 9.81f*p->mass*(p->length*sin_hinge);
    const pendulum_float_real t2 = p->mass*(p->length*p->length);  /* inertia about the hinge */
    a[0] = (t1 - 0.1f*u[0])/t2;
    if (!(p->length > 0.0f)) {
        return PENDULUM_FLOAT_DEGENERATE_LENGTH;
    }
    return PENDULUM_FLOAT_OK;
}

int pendulum_float_coordinate_rates(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real qdot[PENDULUM_FLOAT_RESTRICT 1])
{
    (void)q;
    (void)p;
    qdot[0] = u[0];
    return PENDULUM_FLOAT_OK;
}

int pendulum_float_mass_matrix(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real M[PENDULUM_FLOAT_RESTRICT 1])
{
    (void)q;
    M[0] = p->mass*(p->length*p->length);  /* inertia about the hinge */
    return PENDULUM_FLOAT_OK;
}

int pendulum_float_energies(
    const pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real T[PENDULUM_FLOAT_RESTRICT 1],
    pendulum_float_real V[PENDULUM_FLOAT_RESTRICT 1])
{
    const pendulum_float_real cos_hinge = pendulum_float_cos(q[0]);
    const pendulum_float_real t1 = p->mass*(p->length*p->length);  /* inertia about the hinge */
    T[0] = 0.5f*(t1*(u[0]*u[0]));
    V[0] = -(9.81f*p->mass*(p->length*cos_hinge));
    return PENDULUM_FLOAT_OK;
}

int pendulum_float_neutral(
    const pendulum_float_parameters *p,
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1])
{
    (void)p;
    q[0] = 0.0f;
    return PENDULUM_FLOAT_OK;
}

/* One step from time t of the classical Runge-Kutta method of order 4. */
static int pendulum_float_rk4_in_place(
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real t,
    pendulum_float_real h)
{
    static const pendulum_float_real a[4][4] = {
        {0.0f, 0.0f, 0.0f, 0.0f},
        {0.5f, 0.0f, 0.0f, 0.0f},
        {0.0f, 0.5f, 0.0f, 0.0f},
        {0.0f, 0.0f, 1.0f, 0.0f}
    };
    static const pendulum_float_real b[4] = {(1.0f/6.0f), (1.0f/3.0f), (1.0f/3.0f), (1.0f/6.0f)};
    static const pendulum_float_real c[4] = {0.0f, 0.5f, 0.5f, 1.0f};
    pendulum_float_real q_rate[4][1];
    pendulum_float_real u_rate[4][1];
    pendulum_float_real q_stage[1];
    pendulum_float_real u_stage[1];
    for (int i = 0; i < 4; i++) {
        const pendulum_float_real t_stage = t + c[i]*h;
        int status;
        for (int k = 0; k < 1; k++) {
            pendulum_float_real sum = 0.0f;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*q_rate[j][k];
            }
            q_stage[k] = q[k] + h*sum;
        }
        for (int k = 0; k < 1; k++) {
            pendulum_float_real sum = 0.0f;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*u_rate[j][k];
            }
            u_stage[k] = u[k] + h*sum;
        }
        (void)t_stage;
        status = pendulum_float_coordinate_rates(q_stage, u_stage, p, q_rate[i]);
        if (status == PENDULUM_FLOAT_OK) {
            status = pendulum_float_forward_dynamics(q_stage, u_stage, tau, p, u_rate[i]);
        }
        if (status != PENDULUM_FLOAT_OK) {
            return status;
        }
    }
    for (int k = 0; k < 1; k++) {
        pendulum_float_real sum = 0.0f;
        for (int i = 0; i < 4; i++) {
            sum += b[i]*q_rate[i][k];
        }
        q_stage[k] = q[k] + h*sum;
    }
    for (int k = 0; k < 1; k++) {
        q[k] = q_stage[k];
    }
    for (int k = 0; k < 1; k++) {
        pendulum_float_real sum = 0.0f;
        for (int i = 0; i < 4; i++) {
            sum += b[i]*u_rate[i][k];
        }
        u[k] += h*sum;
    }
    return PENDULUM_FLOAT_OK;
}

int pendulum_float_rk4(
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real h,
    int steps)
{
    for (int step = 0; step < steps; step++) {
        const pendulum_float_real time = (pendulum_float_real)step*h;
        const int status = pendulum_float_rk4_in_place(q, u, tau, p, time, h);
        if (status != PENDULUM_FLOAT_OK) {
            return status;
        }
    }
    return PENDULUM_FLOAT_OK;
}

int pendulum_float_rk4_trajectory(
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT],
    pendulum_float_real u[PENDULUM_FLOAT_RESTRICT],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT],
    const pendulum_float_parameters *p,
    pendulum_float_real h,
    int steps,
    int per_step,
    int *done)
{
    *done = 0;
    for (int step = 0; step < steps; step++) {
        const size_t next = (size_t)step + 1u;
        const size_t row = (per_step != 0) ? (size_t)step : 0u;
        const pendulum_float_real time = (pendulum_float_real)step*h;
        pendulum_float_real *q_next = &q[next*1u];
        pendulum_float_real *u_next = &u[next*1u];
        int status;
        for (int k = 0; k < 1; k++) {
            q_next[k] = q_next[k - 1];
        }
        for (int k = 0; k < 1; k++) {
            u_next[k] = u_next[k - 1];
        }
        (void)row;
        status = pendulum_float_rk4_in_place(q_next, u_next, &tau[row*1u], p, time, h);
        if (status != PENDULUM_FLOAT_OK) {
            return status;
        }
        *done = step + 1;
    }
    return PENDULUM_FLOAT_OK;
}

/* Rates of y = [q; u] at time t. */
static int pendulum_float_dopri_rates(
    const pendulum_float_real y[PENDULUM_FLOAT_RESTRICT 2],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real t,
    pendulum_float_real y_rate[PENDULUM_FLOAT_RESTRICT 2])
{
    int status = pendulum_float_coordinate_rates(y, &y[1], p, y_rate);
    (void)t;
    if (status == PENDULUM_FLOAT_OK) {
        status = pendulum_float_forward_dynamics(y, &y[1], tau, p, &y_rate[1]);
    }
    return status;
}

/* The root mean square of x over the tolerance at y. */
static pendulum_float_real pendulum_float_dopri_norm(
    const pendulum_float_real x[2],
    const pendulum_float_real y[2],
    pendulum_float_real rtol,
    pendulum_float_real atol)
{
    pendulum_float_real sum = 0.0f;
    for (int k = 0; k < 2; k++) {
        const pendulum_float_real ratio = x[k]/(atol + rtol*fabsf(y[k]));
        sum += ratio*ratio;
    }
    return sqrtf(sum/2.0f);
}

/*
 * The length of a first step, at most span: Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, section II.4.
 */
static pendulum_float_real pendulum_float_dopri_first(
    const pendulum_float_real y[PENDULUM_FLOAT_RESTRICT 2],
    const pendulum_float_real y_rate[PENDULUM_FLOAT_RESTRICT 2],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real t,
    pendulum_float_real span,
    pendulum_float_real rtol,
    pendulum_float_real atol)
{
    const pendulum_float_real size = pendulum_float_dopri_norm(y, y, rtol, atol);
    const pendulum_float_real speed = pendulum_float_dopri_norm(y_rate, y, rtol, atol);
    pendulum_float_real y_stage[2];
    pendulum_float_real difference[2];
    pendulum_float_real bend;
    pendulum_float_real h = 1e-6f;
    pendulum_float_real h_bend;
    if (size >= 1e-5f && speed >= 1e-5f) {
        h = 0.01f*size/speed;
    }
    h = fminf(h, span);
    for (int k = 0; k < 2; k++) {
        y_stage[k] = y[k] + h*y_rate[k];
    }
    if (pendulum_float_dopri_rates(y_stage, tau, p, t + h, difference) != PENDULUM_FLOAT_OK) {
        return h;
    }
    for (int k = 0; k < 2; k++) {
        difference[k] -= y_rate[k];
    }
    bend = fmaxf(pendulum_float_dopri_norm(difference, y, rtol, atol)/h, speed);
    if (bend <= 1e-15f) {
        h_bend = fmaxf(1e-6f, h*1e-3f);
    } else {
        h_bend = powf(0.01f/bend, 0.2f);
    }
    return fminf(fminf(100.0f*h, h_bend), span);
}

/*
 * A trial of a step of length h from y, where the rates are y_rate[0]: the state at its end, the
 * rates of its other stages, and the error over the tolerance.
 */
static int pendulum_float_dopri_try(
    const pendulum_float_real y[PENDULUM_FLOAT_RESTRICT 2],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real t,
    pendulum_float_real h,
    pendulum_float_real rtol,
    pendulum_float_real atol,
    pendulum_float_real y_rate[PENDULUM_FLOAT_RESTRICT 7][2],
    pendulum_float_real y_next[PENDULUM_FLOAT_RESTRICT 2],
    pendulum_float_real *error)
{
    static const pendulum_float_real a[7][7] = {
        {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
        {0.2f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
        {0.075f, 0.225f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f},
        {(44.0f/45.0f), (-56.0f/15.0f), (32.0f/9.0f), 0.0f, 0.0f, 0.0f, 0.0f},
        {(19372.0f/6561.0f), (-25360.0f/2187.0f), (64448.0f/6561.0f), (-212.0f/729.0f), 0.0f, 0.0f, 0.0f},
        {(9017.0f/3168.0f), (-355.0f/33.0f), (46732.0f/5247.0f), (49.0f/176.0f), (-5103.0f/18656.0f), 0.0f, 0.0f},
        {(35.0f/384.0f), 0.0f, (500.0f/1113.0f), (125.0f/192.0f), (-2187.0f/6784.0f), (11.0f/84.0f), 0.0f}
    };
    static const pendulum_float_real c[7] = {0.0f, 0.2f, 0.3f, 0.8f, (8.0f/9.0f), 1.0f, 1.0f};
    static const pendulum_float_real e[7] = {(71.0f/57600.0f), 0.0f, (-71.0f/16695.0f), (71.0f/1920.0f), (-17253.0f/339200.0f), (22.0f/525.0f), -0.025f};
    pendulum_float_real estimate[2];
    pendulum_float_real magnitude[2];
    for (int i = 1; i < 7; i++) {
        int status;
        for (int k = 0; k < 2; k++) {
            pendulum_float_real sum = 0.0f;
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*y_rate[j][k];
            }
            y_next[k] = y[k] + h*sum;
        }
        status = pendulum_float_dopri_rates(y_next, tau, p, t + c[i]*h, y_rate[i]);
        if (status != PENDULUM_FLOAT_OK) {
            return status;
        }
    }
    for (int k = 0; k < 2; k++) {
        pendulum_float_real sum = 0.0f;
        for (int i = 0; i < 7; i++) {
            sum += e[i]*y_rate[i][k];
        }
        estimate[k] = h*sum;
        magnitude[k] = fmaxf(fabsf(y[k]), fabsf(y_next[k]));
    }
    *error = pendulum_float_dopri_norm(estimate, magnitude, rtol, atol);
    return PENDULUM_FLOAT_OK;
}

/*
 * The longest step from time t, not beyond the end, that the tolerances allow; run counts and
 * proposes the next one, *h is its length.
 */
static int pendulum_float_dopri_advance(
    const pendulum_float_real y[PENDULUM_FLOAT_RESTRICT 2],
    const pendulum_float_real tau[PENDULUM_FLOAT_RESTRICT 1],
    const pendulum_float_parameters *p,
    pendulum_float_real t,
    pendulum_float_real end,
    pendulum_float_real rtol,
    pendulum_float_real atol,
    int max_steps,
    pendulum_float_real y_rate[PENDULUM_FLOAT_RESTRICT 7][2],
    pendulum_float_real y_next[PENDULUM_FLOAT_RESTRICT 2],
    pendulum_float_adaptive_run *run,
    pendulum_float_real *h)
{
    const pendulum_float_real shortest = (5.0f/8388608.0f)*fmaxf(fabsf(t), fabsf(end));
    pendulum_float_real longest_growth = 10.0f;
    int status = PENDULUM_FLOAT_STEP_UNDERFLOW;
    for (;;) {
        const bool is_last = !(t + run->h < end);
        const pendulum_float_real t_next = is_last ? end : t + run->h;
        pendulum_float_real error = 0.0f;
        *h = is_last ? end - t : run->h;
        if (!(t_next > t) || (!is_last && *h < shortest)) {
            return status;
        }
        if (run->steps + run->rejected >= max_steps) {
            return PENDULUM_FLOAT_TOO_MANY_STEPS;
        }
        status = pendulum_float_dopri_try(y, tau, p, t, *h, rtol, atol, y_rate, y_next, &error);
        if (status == PENDULUM_FLOAT_OK && error <= 1.0f) {
            pendulum_float_real growth = longest_growth;
            if (error > 0.0f) {
                growth = fminf(growth, 0.9f*powf(error, -0.2f));
            }
            run->h = is_last ? fmaxf(run->h, *h*growth) : *h*growth;
            run->time = t_next;
            run->steps++;
            return PENDULUM_FLOAT_OK;
        }
        /* Rates that fail or are not finite say nothing of the error. */
        run->h = *h*0.2f;
        if (status == PENDULUM_FLOAT_OK) {
            status = PENDULUM_FLOAT_STEP_UNDERFLOW;
            if (error > 1.0f) {
                run->h = *h*fmaxf(0.2f, 0.9f*powf(error, -0.2f));
            }
        }
        run->rejected++;
        longest_growth = 1.0f;
    }
}

/* The state at the fraction x of a step from y. */
static int pendulum_float_dopri_record(
    const pendulum_float_real y[PENDULUM_FLOAT_RESTRICT 2],
    pendulum_float_real y_rate[PENDULUM_FLOAT_RESTRICT 7][2],
    pendulum_float_real h,
    pendulum_float_real x,
    pendulum_float_real q[PENDULUM_FLOAT_RESTRICT 1],
    pendulum_float_real u[PENDULUM_FLOAT_RESTRICT 1])
{
    static const pendulum_float_real interpolant[7][4] = {
        {1.0f, -2.85358f, 3.0717435f, -1.1270176f},
        {0.0f, 0.0f, 0.0f, 0.0f},
        {0.0f, 4.0231333f, -6.2493215f, 2.6754246f},
        {0.0f, -3.7324018f, 10.068971f, -5.685527f},
        {0.0f, 2.5548038f, -6.399112f, 3.5219324f},
        {0.0f, -1.3744241f, 3.2726579f, -1.7672813f},
        {0.0f, 1.3824689f, -3.7649379f, 2.382469f}
    };
    pendulum_float_real y_next[2];
    pendulum_float_real b[7];
    for (int i = 0; i < 7; i++) {
        b[i] = 0.0f;
        for (int j = 4; j > 0; j--) {
            b[i] = x*(interpolant[i][j - 1] + b[i]);
        }
    }
    for (int k = 0; k < 2; k++) {
        pendulum_float_real sum = 0.0f;
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
    return PENDULUM_FLOAT_OK;
}

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
    pendulum_float_adaptive_run *run)
{
    const pendulum_float_real relative = fmaxf(rtol, 1.1920929e-05f);
    pendulum_float_real y_rate[7][2];
    pendulum_float_real y[2];
    pendulum_float_real y_next[2];
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
    status = pendulum_float_dopri_rates(y, tau, p, run->time, y_rate[0]);
    if (status == PENDULUM_FLOAT_OK && rows > 1 && !(run->h > 0.0f)) {
        run->h = pendulum_float_dopri_first(
            y, y_rate[0], tau, p, run->time, times[rows - 1] - run->time, relative, atol);
    }
    while (status == PENDULUM_FLOAT_OK && run->done + 1 < rows) {
        const pendulum_float_real t = run->time;
        pendulum_float_real h = 0.0f;
        status = pendulum_float_dopri_advance(
            y, tau, p, t, times[rows - 1], relative, atol, max_steps, y_rate, y_next, run, &h);
        while (status == PENDULUM_FLOAT_OK && run->done + 1 < rows && times[run->done + 1] <= run->time) {
            const size_t row = (size_t)run->done + 1u;
            status = pendulum_float_dopri_record(
                y, y_rate, h, (times[row] - t)/h, &q[row*1u], &u[row*1u]);
            if (status == PENDULUM_FLOAT_OK) {
                run->done++;
            }
        }
        if (status == PENDULUM_FLOAT_OK) {
            for (int k = 0; k < 2; k++) {
                y[k] = y_next[k];
                y_rate[0][k] = y_rate[7 - 1][k];
            }
        }
    }
    return status;
}
