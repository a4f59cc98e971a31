/*
 * Steps of the classical Runge-Kutta method of x' = f(x, v, t, p), x = (${state}), with the
 * derivatives S = dx/dtheta of the steps themselves, not of the flow:
 *
 *     X_i = x + c_i h k_{i-1},   k_i = f(X_i),   T_i = A_i (S + c_i h T_{i-1}) + B_i dp + V_i dv
 *
 * with A, B, V the derivatives of f by x, p, v. Exact to rounding, whatever h. Rows of speeds are
 * those of the equations of motion where L^T D L is given: M T_u = -(rows).
 *
 * Columns stand in blocks of LANES, each with one pack for a row.
 */
#include "${prefix}.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#if defined(__AVX512F__)
#define BYTES 64
#else
#define BYTES 32
#endif
#if defined(__GNUC__)
typedef double pack __attribute__((vector_size(BYTES), aligned(8), may_alias));
#else
typedef double pack;
#endif

enum { LANES = sizeof(pack)/sizeof(double), NX = ${nx}, NV = ${nv}, NP = ${np} };

/* Entries of B and V: row, column, place in e. */
enum { BY_P = ${by_p_count}, BY_V = ${by_v_count} };
static const int by_p[][3] = {${by_p}};
static const int by_v[][3] = {${by_v}};

static int rates(const double *x, const double *v, double t, const double *p, double *f)
{
    (void)v;
    (void)t;
    (void)p;
    return ${rates};
}

static int slopes(
    const double *x, const double *v, double t, const double *p, double *f, double *e, double *l)
{
    (void)v;
    (void)t;
    (void)p;
    (void)l;
    return ${slopes};
}

/* A stage of one block: T = A (S + ch T) + more and end += bh T; `more` is cleared. */
static void stage_of_block(
    const double *e, const double *l, double ch, double bh, const pack *S, pack *T, pack *end,
    pack *more)
{
    const pack zero = {0.0};
    pack y[NX], t[NX];
    (void)l;
    for (int i = 0; i < NX; i++) {
        y[i] = S[i] + ch*T[i];
    }
${products}    for (int i = 0; i < NX; i++) {
        T[i] = t[i];
        end[i] += bh*t[i];
        more[i] = zero;
    }
}

/* Entries of B dp that are not zero: `from` in e times `by` is added at `to`. */
typedef struct {
    int count;
    int *from, *to;
    double *by;
} terms;

/* The place of column j of row i. */
static int place(int i, int j)
{
    return (j/LANES*NX + i)*LANES + j%LANES;
}

EXPORT int sensitivities(
    int samples, int substeps, int n, const double *times, const double *v, const double *v_rate,
    const double *p, const double *dp, const double *delay, double *x, double *s, double *work,
    int *places, int *done);

/*
 * Rows x[samples][NX] and s[samples][NX][n] at the times, of which the caller sets the first.
 *
 * v and v_rate have three rows a step: at its beginning, middle and end. dp[NP][n] are the
 * derivatives of the parameters, delay[n] those of the time by which v is late. work has
 * 4 NX entries for each of n columns, rounded up to a multiple of 8, and BY_P n others; places has
 * 2 BY_P n. *done counts the complete samples; returns 0, or the code of the function that failed.
 */
int sensitivities(
    int samples, int substeps, int n, const double *times, const double *v, const double *v_rate,
    const double *p, const double *dp, const double *delay, double *x, double *s, double *work,
    int *places, int *done)
{
    static const double c[4] = {0.0, 0.5, 0.5, 1.0};
    static const double b[4] = {1.0/6, 1.0/3, 1.0/3, 1.0/6};
    static const int row[4] = {0, 1, 1, 2};
    const int blocks = (n + LANES - 1)/LANES, size = blocks*LANES*NX;
    double *S = work, *T = S + size, *end = T + size, *more = end + size;
    terms dB = {0, places, places + BY_P*n, more + size};
    double X[NX], k[NX], x_end[NX], e[${count} + 1], l[${factor_count} + 1];
    for (int i = 0; i < 4*size; i++) {
        work[i] = 0.0;
    }
    for (int i = 0; i < NX; i++) {
        for (int j = 0; j < n; j++) {
            S[place(i, j)] = end[place(i, j)] = s[i*n + j];
        }
    }
    for (int i = 0; i < BY_P; i++) {
        for (int j = 0; j < n; j++) {
            const double by = dp[by_p[i][1]*n + j];
            if (by != 0.0) {
                dB.from[dB.count] = by_p[i][2];
                dB.to[dB.count] = place(by_p[i][0], j);
                dB.by[dB.count++] = by;
            }
        }
    }
    for (*done = 1; *done < samples; ++*done) {
        const double *x_before = x + (size_t)(*done - 1)*NX;
        double *x_now = x + (size_t)*done*NX, *s_now = s + (size_t)*done*NX*(size_t)n;
        const double h = (times[*done] - times[*done - 1])/substeps;
        for (int i = 0; i < NX; i++) {
            x_now[i] = x_before[i];
        }
        for (int step = 0; step < substeps; step++) {
            const size_t begin = 3u*((size_t)(*done - 1)*(size_t)substeps + (size_t)step);
            for (int i = 0; i < NX; i++) {
                x_end[i] = x_now[i];
            }
            for (int stage = 0; stage < 4; stage++) {
                const double ch = c[stage]*h, bh = b[stage]*h;
                const double t = times[*done - 1] + step*h + ch;
                const size_t at = (begin + (size_t)row[stage])*NV;
                int code;
                for (int i = 0; i < NX; i++) {
                    X[i] = stage ? x_now[i] + ch*k[i] : x_now[i];
                }
                code = n ? slopes(X, v + at, t, p, k, e, l) : rates(X, v + at, t, p, k);
                if (code != 0) {
                    return code;
                }
                for (int i = 0; i < NX; i++) {
                    x_end[i] += bh*k[i];
                }
                for (int i = 0; i < dB.count; i++) {
                    more[dB.to[i]] += e[dB.from[i]]*dB.by[i];
                }
                for (int i = 0; v_rate && i < BY_V; i++) {
                    const double late = -e[by_v[i][2]]*v_rate[at + (size_t)by_v[i][1]];
                    for (int j = 0; j < n; j++) {
                        more[place(by_v[i][0], j)] += late*delay[j];
                    }
                }
                for (int i = 0; i < size; i += NX*LANES) {
                    stage_of_block(
                        e, l, ch, bh, (pack *)(S + i), (pack *)(T + i), (pack *)(end + i),
                        (pack *)(more + i));
                }
            }
            for (int i = 0; i < NX; i++) {
                x_now[i] = x_end[i];
            }
            for (int i = 0; i < size; i++) {
                S[i] = end[i];
            }
        }
        for (int i = 0; i < NX; i++) {
            for (int j = 0; j < n; j++) {
                s_now[i*n + j] = S[place(i, j)];
            }
        }
    }
    return 0;
}
