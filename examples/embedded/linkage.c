/*
 * A four-bar linkage held up by a motor at its crank, with the emitted C alone.
 *
 * It is assembled from a guess and linearized where it shall stand; in the crank's small motion
 *
 *     M z'' + C z' + K z = v
 *
 * a proportional-derivative law gets the frequency and damping that are wanted. Then the crank
 * starts 20 degrees off. Every step of the simulation ends on the constraints.
 */
#include "linkage.h"

#include <math.h>
#include <stdio.h>

#define NQ LINKAGE_Q_COUNT
#define NU LINKAGE_U_COUNT
#define ROWS 2

enum { MOST_STEPS = 20 };

/* Crank at `angle` and at rest, the others where they close the loop next to their guess. */
static int assemble(double angle, double q[NQ], double u[NU])
{
    static const int order[NU] = {LINKAGE_U_A, LINKAGE_U_B, LINKAGE_U_D}; /* independent first */
    q[LINKAGE_Q_A] = angle;
    for (int i = 0; i < NU; i++) {
        u[i] = 0.0;
    }
    return linkage_dependent_coordinates(q, order, 1e-12, MOST_STEPS);
}

/* Torque that holds the crank there, and the gains on its angle and speed. */
static int design(const double q[NQ], const double u[NU], double tau[NU], double gains[2])
{
    static const int actuated[NU] = {1, 0, 0}, order[NU] = {LINKAGE_U_A, LINKAGE_U_B, LINKAGE_U_D};
    static const double a[NU] = {0.0, 0.0, 0.0}, omega = 8.0, damping_ratio = 0.7;
    double multipliers[ROWS], M[1], C[1], K[1], B[NU];
    int status = linkage_actuated_inverse_dynamics(q, u, a, actuated, tau, multipliers);
    if (status == LINKAGE_OK) {
        status = linkage_reduced_linearization(q, u, a, multipliers, order, M, C, K, B);
    }
    if (status == LINKAGE_OK) {
        gains[0] = (omega*omega*M[0] - K[0])/B[LINKAGE_U_A];
        gains[1] = (2.0*damping_ratio*omega*M[0] - C[0])/B[LINKAGE_U_A];
        printf("holding %.3f N m, M = %.4f, C = %.4f, K = %.4f\n", tau[0], M[0], C[0], K[0]);
        printf("pins of the cut joint: %.3f N, %.3f N\n", multipliers[0], multipliers[1]);
    }
    return status;
}

/* Largest residual of positions and speeds. */
static int gap(const double q[NQ], const double u[NU], double *worst)
{
    double phi[ROWS], rate[ROWS];
    int status = linkage_constraint_residual(q, phi);
    if (status == LINKAGE_OK) {
        status = linkage_constraint_velocity(q, u, rate);
    }
    *worst = fmax(fmax(fabs(phi[0]), fabs(phi[1])), fmax(fabs(rate[0]), fabs(rate[1])));
    return status;
}

int main(void)
{
    const double h = 0.001, wanted = 1.0;
    double q[NQ] = {wanted, -0.5, 1.5}, u[NU], tau[NU], hold[NU], gains[2], worst = 0.0;
    int status = assemble(wanted, q, u);
    if (status == LINKAGE_OK) {
        status = design(q, u, hold, gains);
    }
    if (status == LINKAGE_OK) {
        status = assemble(wanted + 0.35, q, u);
    }
    for (int step = 0; status == LINKAGE_OK && step <= 1500; step++) {
        const double error = q[LINKAGE_Q_A] - wanted;
        if (step % 500 == 0) {
            status = gap(q, u, &worst);
            printf("t = %.1f s  error = %+.5f  on the constraints: %s\n", step*h, error,
                worst < 1e-12 ? "yes" : "no");
        }
        for (int i = 0; i < NU; i++) {
            tau[i] = hold[i];
        }
        tau[LINKAGE_U_A] -= gains[0]*error + gains[1]*u[LINKAGE_U_A];
        if (status == LINKAGE_OK) {
            status = linkage_rk4(q, u, tau, h, 1);
        }
    }
    if (status != LINKAGE_OK) {
        fprintf(stderr, "%s\n", linkage_status_name(status));
        return 1;
    }
    return 0;
}
