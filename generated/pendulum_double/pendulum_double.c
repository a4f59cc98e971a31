/*
 * Equations of motion of pendulum, made by eomc.
 */
#include "pendulum_double.h"

#include <math.h>
#include <stddef.h>

#if defined(__GNUC__) || defined(__clang__)
#define PENDULUM_DOUBLE_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define PENDULUM_DOUBLE_NOINLINE __declspec(noinline)
#else
#define PENDULUM_DOUBLE_NOINLINE
#endif

const char *pendulum_double_status_name(int code)
{
    switch (code) {
    case PENDULUM_DOUBLE_OK:
        return "OK";
    case PENDULUM_DOUBLE_DEGENERATE_LENGTH:
        return "degenerate_length";
    default:
        return "unknown code";
    }
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
    const pendulum_double_real sin_hinge = sin(q[0]);
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
    const pendulum_double_real cos_hinge = cos(q[0]);
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
static int pendulum_double_rk4_step(
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
        const int status = pendulum_double_rk4_step(q, u, tau, p, time, h);
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
    for (*done = 0; *done < steps; ++*done) {
        const size_t step = (size_t)*done;
        const size_t row = per_step ? step : 0;
        const pendulum_double_real time = (pendulum_double_real)step*h;
        pendulum_double_real *q_next = q + (step + 1)*1;
        pendulum_double_real *u_next = u + (step + 1)*1;
        int status;
        for (int k = 0; k < 1; k++) {
            q_next[k] = q_next[k - 1];
        }
        for (int k = 0; k < 1; k++) {
            u_next[k] = u_next[k - 1];
        }
        (void)row;
        status = pendulum_double_rk4_step(q_next, u_next, tau + row*1, p, time, h);
        if (status != PENDULUM_DOUBLE_OK) {
            return status;
        }
    }
    return PENDULUM_DOUBLE_OK;
}
