/*
 * Steps of the classical Runge-Kutta method of x' = f(x, v, t, p), x = (${state}), with the
 * derivatives S = dx/dtheta of the steps themselves, not of the flow:
 *
 *     X_i = x + c_i h k_{i-1},   k_i = f(X_i),   T_i = A_i (S + c_i h T_{i-1}) + B_i dp + V_i dv
 *
 * with A, B, V the derivatives of f by x, p, v. Exact to rounding, whatever h.
 */
#include "${prefix}.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

enum { NX = ${nx}, NV = ${nv}, NP = ${np} };

static int rates(const double *x, const double *v, double t, const double *p, double *f)
{
    int code;
    (void)v;
    (void)t;
    (void)p;
${rates}    return 0;
}

static void put(double *to, int width, const double *block, int rows, int columns)
{
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            to[i*width + j] = block[i*columns + j];
        }
    }
}

/* (A, V, B) side by side, NX rows. */
static int slopes(const double *x, const double *v, double t, const double *p, double *all)
{
    double w[${work}];
    int code;
    (void)v;
    (void)t;
    (void)p;
${slopes}    return 0;
}

EXPORT int sensitivities(
    int samples, int substeps, int n, const double *times, const double *v, const double *v_rate,
    const double *p, const double *dp, const double *delay, double *x, double *s, double *work,
    int *done);

/*
 * Rows x[samples][NX] and s[samples][NX][n] at the times, of which the caller sets the first.
 *
 * v and v_rate have three rows a step: at its beginning, middle and end. dp[NP][n] are the
 * derivatives of the parameters, delay[n] those of the time by which v is late. work has 3 NX n
 * entries. *done counts the complete samples; returns 0, or the code of the function that failed.
 */
int sensitivities(
    int samples, int substeps, int n, const double *times, const double *v, const double *v_rate,
    const double *p, const double *dp, const double *delay, double *x, double *s, double *work,
    int *done)
{
    static const double c[4] = {0.0, 0.5, 0.5, 1.0};
    static const double b[4] = {1.0/6, 1.0/3, 1.0/3, 1.0/6};
    static const int row[4] = {0, 1, 1, 2};
    enum { WIDTH = NX + NV + NP };
    double *S = work, *T = work + NX*n, *end = work + 2*NX*n;
    double X[NX], k[NX], x_end[NX], all[NX*WIDTH];
    for (*done = 1; *done < samples; ++*done) {
        const double *x_before = x + (size_t)(*done - 1)*NX;
        const double *s_before = s + (size_t)(*done - 1)*NX*(size_t)n;
        double *x_now = x + (size_t)*done*NX, *s_now = s + (size_t)*done*NX*(size_t)n;
        const double h = (times[*done] - times[*done - 1])/substeps;
        for (int i = 0; i < NX; i++) {
            x_now[i] = x_before[i];
        }
        for (int i = 0; i < NX*n; i++) {
            s_now[i] = s_before[i];
        }
        for (int step = 0; step < substeps; step++) {
            const size_t first = 3u*((size_t)(*done - 1)*(size_t)substeps + (size_t)step);
            for (int i = 0; i < NX; i++) {
                x_end[i] = x_now[i];
            }
            for (int i = 0; i < NX*n; i++) {
                end[i] = s_now[i];
            }
            for (int stage = 0; stage < 4; stage++) {
                const double ch = c[stage]*h, bh = b[stage]*h;
                const double t = times[*done - 1] + step*h + ch;
                const double *at = v + (first + (size_t)row[stage])*NV;
                int code;
                for (int i = 0; i < NX; i++) {
                    X[i] = stage ? x_now[i] + ch*k[i] : x_now[i];
                }
                if ((code = rates(X, at, t, p, k)) != 0) {
                    return code;
                }
                for (int i = 0; i < NX; i++) {
                    x_end[i] += bh*k[i];
                }
                if (n == 0) {
                    continue;
                }
                if ((code = slopes(X, at, t, p, all)) != 0) {
                    return code;
                }
                for (int i = 0; i < NX*n; i++) {
                    S[i] = stage ? s_now[i] + ch*T[i] : s_now[i];
                }
                for (int i = 0; i < NX; i++) {
                    const double *A = all + i*WIDTH, *V = A + NX, *B = V + NV;
                    double late = 0.0;
                    for (int j = 0; v_rate && j < NV; j++) {
                        late -= V[j]*v_rate[(first + (size_t)row[stage])*NV + (size_t)j];
                    }
                    for (int m = 0; m < n; m++) {
                        T[i*n + m] = late*delay[m];
                    }
                    for (int j = 0; j < NX; j++) {
                        for (int m = 0; A[j] != 0.0 && m < n; m++) {
                            T[i*n + m] += A[j]*S[j*n + m];
                        }
                    }
                    for (int j = 0; j < NP; j++) {
                        for (int m = 0; B[j] != 0.0 && m < n; m++) {
                            T[i*n + m] += B[j]*dp[j*n + m];
                        }
                    }
                }
                for (int i = 0; i < NX*n; i++) {
                    end[i] += bh*T[i];
                }
            }
            for (int i = 0; i < NX; i++) {
                x_now[i] = x_end[i];
            }
            for (int i = 0; i < NX*n; i++) {
                s_now[i] = end[i];
            }
        }
    }
    return 0;
}
