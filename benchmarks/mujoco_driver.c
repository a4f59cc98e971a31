/* MuJoCo behind the benchmark's calls: smooth dynamics alone, no contacts, limits or actuators. */
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "rk4.h"

static mjModel *model;
static mjData *data;
static double *slopes; /* of inverse dynamics by q and by u, a row each */

/* 0, or 1 with MuJoCo's words in `error`. */
int load(const char *path, char *error, int size)
{
    model = mj_loadXML(path, NULL, error, size);
    data = model == NULL ? NULL : mj_makeData(model);
    free(slopes);
    slopes = data == NULL ? NULL : malloc(2 * sizeof(double) * (size_t)(model->nv * model->nv));
    return slopes == NULL;
}

static void place(const double *q)
{
    memcpy(data->qpos, q, sizeof(double) * (size_t)model->nq);
    mj_kinematics(model, data);
    mj_comPos(model, data);
}

static void move(const double *u)
{
    memcpy(data->qvel, u, sizeof(double) * (size_t)model->nv);
    mj_comVel(model, data);
}

void forward_dynamics(const double *x, double *y)
{
    const int n = (int)model->nv;
    int i;
    place(x);
    mj_makeM(model, data);
    mj_factorM(model, data);
    move(x + n);
    mj_rne(model, data, 0, data->qfrc_bias);
    for (i = 0; i < n; i++) {
        data->qfrc_smooth[i] = x[2 * n + i] - data->qfrc_bias[i];
    }
    mj_solveM(model, data, y, data->qfrc_smooth, 1);
}

/* With what acts passively, such as the springs of tendons; joints may be balls. */
void passive_dynamics(const double *x, double *y)
{
    const int n = (int)model->nv;
    int i;
    place(x);
    mj_tendon(model, data);
    mj_makeM(model, data);
    mj_factorM(model, data);
    memcpy(data->qvel, x + model->nq, sizeof(double) * (size_t)n);
    mj_fwdVelocity(model, data);
    for (i = 0; i < n; i++) {
        data->qfrc_smooth[i] =
            x[model->nq + n + i] + data->qfrc_passive[i] - data->qfrc_bias[i];
    }
    mj_solveM(model, data, y, data->qfrc_smooth, 1);
}

void rk4_step(const double *x, double *y)
{
    rk4_step_of(forward_dynamics, (int)model->nv, x, y);
}

void inverse_dynamics(const double *x, double *y)
{
    const int n = (int)model->nv;
    place(x);
    move(x + n);
    memcpy(data->qacc, x + 2 * n, sizeof(double) * (size_t)n);
    mj_rne(model, data, 1, y);
}

void mass_matrix(const double *x, double *y)
{
    place(x);
    mj_makeM(model, data);
    mj_fullM(model, data, y);
}

/* da/dq, da/du, da/dtau: -M^-1 of the differences of inverse dynamics at a, and M^-1. */
void forward_dynamics_derivatives(const double *x, double *y)
{
    const int n = (int)model->nv;
    int block, i, j;
    forward_dynamics(x, data->qacc);
    mjd_inverseFD(model, data, 1e-6, 0, slopes, slopes + n * n, NULL, NULL, NULL, NULL, NULL);
    place(x);
    mj_makeM(model, data);
    mj_factorM(model, data);
    for (block = 0; block < 3; block++) {
        double *out = y + block * n * n;
        for (i = 0; i < n; i++) { /* one direction: a row of the differences */
            double right[n], solved[n];
            for (j = 0; j < n; j++) {
                right[j] = block < 2 ? -slopes[(block * n + i) * n + j] : (double)(i == j);
            }
            mj_solveM(model, data, solved, right, 1);
            for (j = 0; j < n; j++) {
                out[j * n + i] = solved[j];
            }
        }
    }
}
