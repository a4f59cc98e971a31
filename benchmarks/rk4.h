/* One classical Runge-Kutta step around a contender's forward dynamics, for joints of one turn. */
#ifndef RK4_H
#define RK4_H

#define RK4_STEP 1e-3
#define RK4_JOINTS 64

/* x packs q, u and the forces, held over the step; y the new q and u. */
static void rk4_step_of(
    void (*forward_dynamics)(const double *x, double *a), int n, const double *x, double *y)
{
    static const double ahead[4] = {0.0, 0.5 * RK4_STEP, 0.5 * RK4_STEP, RK4_STEP};
    static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double stage[3 * RK4_JOINTS], a[RK4_JOINTS], rate[RK4_JOINTS];
    int i, k;
    for (k = 0; k < n; k++) {
        stage[2 * n + k] = x[2 * n + k];
        y[k] = x[k];
        y[n + k] = x[n + k];
        a[k] = rate[k] = 0.0;
    }
    for (i = 0; i < 4; i++) {
        for (k = 0; k < n; k++) {
            stage[k] = x[k] + ahead[i] * rate[k];
            rate[k] = stage[n + k] = x[n + k] + ahead[i] * a[k];
        }
        forward_dynamics(stage, a);
        for (k = 0; k < n; k++) {
            y[k] += RK4_STEP * weight[i] * rate[k];
            y[n + k] += RK4_STEP * weight[i] * a[k];
        }
    }
}
#endif
