/*
 * Steps of the classical Runge-Kutta method of x' = f(x, v, t, p), x = (${state}), with the
 * derivatives S = dx/dtheta of the steps themselves, not of the flow:
 *
 *     X_i = x + c_i h k_{i-1},   k_i = f(X_i),   T_i = A_i (S + c_i h T_{i-1}) + (B_i, V_i v')
 *
 * with A, B, V the derivatives of f by x, p, v, and v' that of v by its delay. Exact to rounding, whatever h. Rows of speeds are
 * those of the equations of motion where L^T D L is given: M T_u = -(rows).
 *
 * Columns stand in blocks of LANES, each with one pack for a row.
 */
#include "${prefix}.h"
#include <stdint.h>
#include <string.h>

/* Of a motion that diverges. */
#define HUGE_SQUARE 1e100

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
typedef double pack __attribute__((vector_size(BYTES), may_alias));
#define NOINLINE __attribute__((noinline))
#else
typedef double pack;
#define NOINLINE
#endif

enum { LANES = sizeof(pack)/sizeof(double), NX = ${nx}, NV = ${nv}, NU = ${nu} };

/* Parameters, rounded up to whole packs, and rows that depend on them or on v. */
enum { NP = ${np}, WIDE = ${wide}, MORE = ${more} };

/* Entries of B and V: row among those, column, place in e. */
enum { BY_P = ${by_p_count}, BY_V = ${by_v_count} };
static const int by_p[][3] = {${by_p}};
static const int by_v[][3] = {${by_v}};

/*
 * Bodies with free inertial numbers: ten columns of B, those of known numbers behind all others,
 * whether they follow each other; the number of speeds that move each, and their rows.
 */
enum { BODIES = ${bodies}, MOTIONS = ${motions} };
static const int number_column[] = {${columns}};
static const int moved[] = {${moved}}, speed_row[] = {${speeds}};

static int rates(const double *x, const double *v, double t, const double *p, double *f)
{
    (void)v;
    (void)t;
    (void)p;
    return ${rates};
}

static int slopes(
    const double *x, const double *v, double t, const double *p, double *f, double *e, double *l,
    double *g)
{
    (void)v;
    (void)t;
    (void)p;
    (void)l;
    (void)g;
    return ${slopes};
}

typedef union { double of[16]; pack all[16/LANES]; } numbers;

/*
 * Columns of B by inertial numbers: with the wrench w that the acceleration (U, a) of a body's frame
 * takes for a unit of a number, and its motion s at a unit of a speed, s . w.
 */
static void regress(const double *g, double *b)
{
    const int *column = number_column, *row = speed_row;
    for (int body = 0; body < BODIES; body++, column += 11) {
        const double *U = g, *a = g + 9;
        const double x = (U[7] - U[5])/2, y = (U[2] - U[6])/2, z = (U[3] - U[1])/2;
        const double yz = (U[7] + U[5])/2, xz = (U[2] + U[6])/2, xy = (U[3] + U[1])/2;
        const numbers w[6] = {
            {{a[0], U[0], U[1], U[2]}},
            {{a[1], U[3], U[4], U[5]}},
            {{a[2], U[6], U[7], U[8]}},
            {{0, 0, a[2], -a[1], x, -yz, yz, y - xz, z + xy, U[4] - U[8]}},
            {{0, -a[2], 0, a[0], xz, y, -xz, x + yz, U[8] - U[0], z - xy}},
            {{0, a[1], -a[0], 0, -xy, xy, z, U[0] - U[4], x - yz, y + xz}}};
        g += 12;
        for (int k = 0; k < moved[body]; k++, row++, g += 6) {
            numbers force;
            for (int i = 0; i < 16/LANES; i++) {
                force.all[i] = g[0]*w[0].all[i] + g[1]*w[1].all[i] + g[2]*w[2].all[i]
                    + g[3]*w[3].all[i] + g[4]*w[4].all[i] + g[5]*w[5].all[i];
            }
            if (column[10]) {
                memcpy(b + *row*WIDE + column[0], force.of, 10*sizeof(double));
                continue;
            }
            for (int i = 0; i < 10; i++) {
                b[*row*WIDE + column[i]] = force.of[i];
            }
        }
    }
}

/*
 * A stage of one block: T = A (S + ch T) + more and end = from + bh T. Inlined, numbers of e would be
 * spread over packs ahead of the loop over blocks, more than there are registers.
 */
static NOINLINE void stage_of_block(
    const double *e, const double *l, double ch, double bh, const pack *S, pack *T,
    const pack *from, pack *end, const pack *more, int stride)
{
    const pack zero = {0.0};
    pack y[NX], t[NX];
    (void)l;
    (void)zero;
    (void)stride;
    for (int i = 0; i < NX; i++) {
        y[i] = S[i] + ch*T[i];
    }
${products}    for (int i = 0; i < NX; i++) {
        T[i] = t[i];
        end[i] = from[i] + bh*t[i];
    }
}

EXPORT int sensitivities(
    int samples, int substeps, int others, const double *times, const double *v,
    const double *v_rate, const double *p, int by_parameters, const double *delay, double *x,
    double *s, double *work, int *done);

/*
 * Rows x[samples][NX] and s[samples][NX][n] at the times, of which the caller sets the first: n = NP
 * columns by the parameters, if `by_parameters`, and `others` by what moves the first state and by
 * the time by which v is late, whose derivatives by them are `delay`.
 *
 * v and v_rate have three rows a step: at its beginning, middle and end. work has 4 NX + MORE
 * entries for each of n columns, both kinds rounded up to a multiple of 8, and 8 more. *done counts
 * the complete samples; returns 0, the code of the function that failed, or -1 if the motion
 * diverges.
 */
int sensitivities(
    int samples, int substeps, int others, const double *times, const double *v,
    const double *v_rate, const double *p, int by_parameters, const double *delay, double *x,
    double *s, double *work, int *done)
{
    static const double c[4] = {0.0, 0.5, 0.5, 1.0};
    static const double share[4] = {1.0/6, 1.0/3, 1.0/3, 1.0/6};
    static const int row[4] = {0, 1, 1, 2};
    const int first = by_parameters ? WIDE : 0, np = by_parameters ? NP : 0, n = np + others;
    const int own = first/LANES, blocks = own + (others + LANES - 1)/LANES;
    const int size = blocks*LANES*NX, late_size = (blocks - own)*LANES;
    double *S = (double *)(((uintptr_t)work + 63)/64*64), *T = S + size, *end = T + size;
    double *late = end + size;
    double X[NX], k[NX], x_end[NX], e[${count} + 1], l[${factor_count} + 1];
    double g[MOTIONS + 1];
    pack packs[MORE*WIDE/LANES + 1];
    double *b = (double *)packs;
    for (int i = 0; i < 3*size + MORE*late_size; i++) {
        S[i] = 0.0;
    }
    for (int i = 0; i < MORE*WIDE; i++) {
        b[i] = 0.0;
    }
#define PLACE(i, j) (((j)/LANES*NX + (i))*LANES + (j)%LANES)
    for (int i = 0; i < NX; i++) {
        for (int j = 0; j < n; j++) {
            const int at = j < np ? PLACE(i, j) : PLACE(i, first + j - np);
            S[at] = s[i*n + j];
        }
    }
    for (*done = 1; *done < samples; ++*done) {
        const double *x_before = x + (size_t)(*done - 1)*NX;
        double *x_now = x + (size_t)*done*NX, *s_now = s + (size_t)*done*NX*(size_t)n;
        const double h = (times[*done] - times[*done - 1])/substeps;
        double largest = 0.0;
        pack squares = {0.0};
        for (int i = 0; i < NX; i++) {
            x_now[i] = x_before[i];
        }
        for (int step = 0; step < substeps; step++) {
            const size_t begin = 3u*((size_t)(*done - 1)*(size_t)substeps + (size_t)step);
            for (int i = 0; i < NX; i++) {
                x_end[i] = x_now[i];
            }
            for (int stage = 0; stage < 4; stage++) {
                const double ch = c[stage]*h, bh = share[stage]*h;
                const double t = times[*done - 1] + step*h + ch;
                const size_t at = (begin + (size_t)row[stage])*NV;
                int code;
                for (int i = 0; i < NX; i++) {
                    X[i] = stage ? x_now[i] + ch*k[i] : x_now[i];
                }
                code = n ? slopes(X, v + at, t, p, k, e, l, g) : rates(X, v + at, t, p, k);
                if (code != 0) {
                    return code;
                }
                for (int i = 0; n && i < BY_P; i++) {
                    b[by_p[i][0]*WIDE + by_p[i][1]] = e[by_p[i][2]];
                }
                if (n) {
                    regress(g, b);
                }
                for (int i = 0; i < NX; i++) {
                    x_end[i] += bh*k[i];
                }
                if (v_rate) {
                    for (int i = 0; i < MORE*late_size; i++) {
                        late[i] = 0.0;
                    }
                    for (int i = 0; i < BY_V; i++) {
                        const double slope = e[by_v[i][2]]*v_rate[at + (size_t)by_v[i][1]];
                        for (int j = 0; j < others; j++) {
                            late[by_v[i][0]*late_size + j] -= slope*delay[j];
                        }
                    }
                }
                for (int i = 0; i < blocks; i++) {
                    const int place = i*NX*LANES;
                    const pack *more = i < own ? packs + i : (const pack *)late + (i - own);
                    stage_of_block(
                        e, l, ch, bh, (pack *)(S + place), (pack *)(T + place),
                        (pack *)((stage ? end : S) + place), (pack *)(end + place), more,
                        i < own ? own : blocks - own);
                }
            }
            for (int i = 0; i < NX; i++) {
                x_now[i] = x_end[i];
            }
            double *before = S;
            S = end;
            end = before;
        }
        for (int i = 0; i < NX; i++) {
            largest += x_now[i]*x_now[i];
            for (int j = 0; j < np; j++) {
                s_now[i*n + j] = S[PLACE(i, j)];
            }
            for (int j = 0; j < others; j++) {
                s_now[i*n + np + j] = S[PLACE(i, first + j)];
            }
        }
        for (int i = 0; i < size/LANES; i++) {
            squares += ((pack *)S)[i]*((pack *)S)[i];
        }
        for (int i = 0; i < LANES; i++) {
            largest += ((double *)&squares)[i];
        }
        if (!(largest < HUGE_SQUARE)) {
            return -1;
        }
    }
    return 0;
}
