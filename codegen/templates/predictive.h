/*
 * Predictive control: at each sample one step of a Newton method (${method}) on the
 * controls v and states x over ${nodes} steps of ${period} s (real-time iteration), then a shift.
 *
 *     minimize    sum_k 1/2 |(x_k, v_k) - centre|^2_W + 1/2 |x_N - final_centre|^2_P
 *     subject to  x_{k+1} = F(x_k, v_k), bounds, and soft bounds, whose violation s
 *                 costs linear s + 1/2 quadratic s^2
 *
 * x: ${states}.
 * v: ${control_names}.
 *
 * The quadratic program of a sample is solved by a Riccati recursion if no bound is reached, else
 * by an interior point method, with one recursion in each of at most ${cap} iterations.
 * Reference: Diehl, Bock and Schloeder, SIAM J. Control Optim. 43 (2005); Rao, Wright and
 * Rawlings, J. Optim. Theory Appl. 99 (1998).
 */

/* A node of the horizon: trajectory, linearized step, factors of the recursion, bounds. */
typedef struct {
    ${m}_real x[${nx}];
    ${m}_real v[${nv}];
    ${m}_real dx[${nx}];           /* step of the quadratic program */
    ${m}_real dv[${nv}];
#if ${bounded}
    ${m}_real next_dx[${nx}];
    ${m}_real next_dv[${nv}];
    ${m}_real slack[${rows}];        /* to the bounds, with their multipliers */
    ${m}_real multiplier[${rows}];
    ${m}_real excess[${rows}];       /* beyond soft bounds, with their multipliers */
    ${m}_real pull[${rows}];
    ${m}_real curvature[${rows}];
    ${m}_real slope[${rows}];
    ${m}_real correction[${rows}][2];
#endif
#if ${nonlinear}
    ${m}_real a[${nx}*${nx}];
    ${m}_real b[${nx}*${nv}];
#endif
    ${m}_real gap[${nx}];          /* F(x_k, v_k) - x_{k+1} */
    ${m}_real by_x[${nx}];         /* gradient of the cost */
    ${m}_real by_v[${nv}];
    ${m}_real factor[${nv}][${nv}];  /* Cholesky factor of R + B^T P B */
    ${m}_real gain[${nv}][${nx}];
    ${m}_real feedforward[${nv}];
    ${m}_real through[${nx}];      /* P gap */
#if ${priced}
    ${m}_real price[${nx}];        /* derivatives of the cost by x_k */
    ${m}_real next_price[${nx}];
    ${m}_real p[${nx}][${nx}];       /* cost to go: P and p */
    ${m}_real by[${nx}];
#endif
#if ${exact}
    ${m}_real bent[${nz}*${nz}];    /* second derivatives of price^T F */
#endif
} ${m}_stage;

/* State of the controller: ${bytes} bytes. No function allocates memory or keeps state elsewhere. */
typedef struct {
    ${m}_stage stages[${count}];
    ${m}_real centre[${nz}];
    ${m}_real final_centre[${nx}];
#if ${solves}
    ${m}_real reach;         /* part of all violations that a step takes away */
#endif
#if ${fixed}
    ${m}_real final_price[${fixed_size}];
    ${m}_real final_factor[${fixed_size}][${fixed_size}];
#endif
    ${m}_real applied[${nv}];      /* controls that act now */
#if ${exact}
    ${m}_real penalty;        /* that make the problem convex */
    ${m}_real shift;
#endif
    int started;
    int iterations;          /* of the last quadratic program; 0: no bound was reached */
    int failed_stage;        /* of the bound that cannot be met, or -1 */
    int failed_state;        /* that state's place in x */
} ${m}_state;
