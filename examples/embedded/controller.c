/*
 * Computed-torque control of the arm at 1 kHz, with the emitted C alone.
 *
 *     tau = M(q) (a_d + Kd (u_d - u) + Kp (q_d - q)) + c(q, u)
 *
 * which is inverse dynamics at the bracketed acceleration. The plant is simulated here by the
 * emitted Runge-Kutta method; on a robot it is the robot, and `control` stays as it is.
 */
#include "arm.h"

#include <math.h>
#include <stdio.h>

#define NU ARM_U_COUNT

/* Desired motion: a slow wave in each joint. */
static void desired(double t, double q[NU], double u[NU], double a[NU])
{
    static const double amplitude[NU] = {0.8, -1.1};
    static const double omega = 1.5;
    for (int i = 0; i < NU; i++) {
        q[i] = amplitude[i]*(1.0 - cos(omega*t));
        u[i] = amplitude[i]*omega*sin(omega*t);
        a[i] = amplitude[i]*omega*omega*cos(omega*t);
    }
}

/* One cycle of the controller: no allocation, no global state; safe in an interrupt. */
static int control(
    const arm_parameters *p, double t, const double q[NU], const double u[NU], double tau[NU])
{
    static const double kp = 400.0;
    static const double kd = 40.0;
    double q_d[NU], u_d[NU], a[NU];
    desired(t, q_d, u_d, a);
    for (int i = 0; i < NU; i++) {
        a[i] += kd*(u_d[i] - u[i]) + kp*(q_d[i] - q[i]);
    }
    return arm_inverse_dynamics(q, u, a, p, tau);
}

int main(void)
{
    const double h = 0.001;
    double q[NU] = {0.2, 0.0}; /* not where the desired motion starts */
    double u[NU] = {0.0, 0.0};
    double tau[NU], q_d[NU], u_d[NU], a_d[NU];
    arm_parameters p = arm_default_parameters();

    p.payload = 1.3; /* weighed when it was picked up */
    for (int step = 0; step <= 3000; step++) {
        const double t = step*h;
        int status = control(&p, t, q, u, tau);
        if (step % 1000 == 0) {
            desired(t, q_d, u_d, a_d);
            printf(
                "t = %.0f s  q = (%+.4f, %+.4f)  error = (%.0e, %.0e)\n", t, q[ARM_Q_SHOULDER],
                q[ARM_Q_ELBOW], fabs(q[0] - q_d[0]), fabs(q[1] - q_d[1]));
        }
        if (status == ARM_OK) {
            status = arm_rk4(q, u, tau, &p, h, 1);
        }
        if (status != ARM_OK) {
            fprintf(stderr, "%s\n", arm_status_name(status));
            return 1;
        }
    }
    return 0;
}
