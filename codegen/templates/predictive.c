
#if ${bounded}
/* Bounds: the place of the variable in (x, v), 1 for upper and -1 for lower ones, 1 for soft. */
static const int ${m}_bound_place[${rows}] = {${places}};
static const ${m}_real ${m}_bound_sign[${rows}] = {${signs}};
static const int ${m}_bound_soft[${rows}] = {${softs}};

#endif
#if ${fixed}
/* States that are fixed at the end. */
static const int ${m}_fixed_place[${fixed_size}] = {${fixed_places}};

#endif
#if ${exact}
/* Places of states and controls among states, all forces and inputs. */
static const int ${m}_kept_place[${nz}] = {${kept_places}};

#endif
#if ${linear}
/* x_{k+1} = a x + b v + offset */
static const ${m}_real ${m}_linear_a[${nx}*${nx}] = {
${table_a}
};
static const ${m}_real ${m}_linear_b[${nx}*${nv}] = {
${table_b}
};
static const ${m}_real ${m}_linear_offset[${nx}] = {${table_offset}};

#endif
${hosts}
/* F(x, v) by a step of length h. */
static int ${m}_predict(
    const ${m}_real *x, const ${m}_real *v, ${m}_real h, ${parameter}${m}_real *next)
{
#if ${linear}
    (void)h;
    for (int i = 0; i < ${nx}; i++) {
        ${m}_real sum = ${m}_linear_offset[i];
        for (int j = 0; j < ${nx}; j++) {
            sum += ${m}_linear_a[i*${nx} + j]*x[j];
        }
        for (int j = 0; j < ${nv}; j++) {
            sum += ${m}_linear_b[i*${nv} + j]*v[j];
        }
        next[i] = sum;
    }
    return ${M}_OK;
#endif
#if ${nonlinear}
${forces}    return ${step}(${step_arguments}, next, &next[${nq}]);
#endif
}

/* Steps from all nodes with their derivatives, and the gradient of the cost. */
static int ${m}_linearize(${m}_state *state, const ${m}_problem *problem${also_p})
{
#if ${hosted_steps}
    const int evaluated = ${m}_evaluate(state, problem->h, p);
    if (evaluated != ${M}_OK) {
        return evaluated;
    }
#endif
    for (int k = 0; k < ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        const ${m}_real *following = state->stages[k + 1].x;
#if ${own_steps}
        const ${m}_real *x = at->x;
        const ${m}_real *v = at->v;
        const ${m}_real h = problem->h;
${more_work}        ${m}_real b[${nx}*${nb}];
${forces_within}        const int status = ${derivatives}(
            ${derivative_arguments}, at->gap, &at->gap[${nq}], at->a, b${rest});
        if (status != ${M}_OK) {
            return status;
        }
        for (int i = 0; i < ${nx}; i++) {
            at->gap[i] -= following[i];
${kept_columns}        }
#endif
#if ${linear}
        const int status = ${m}_predict(at->x, at->v, problem->h, ${given}at->gap);
        if (status != ${M}_OK) {
            return status;
        }
        for (int i = 0; i < ${nx}; i++) {
            at->gap[i] -= following[i];
        }
#endif
#if ${hosted_steps}
        for (int i = 0; i < ${nx}; i++) {
            at->gap[i] -= following[i];
        }
#endif
#if ${own_hessian}
        {
            ${m}_real h_all[${nh}*${nh}];
            const int bent_status = ${hessian}(
                ${bent_arguments}, state->stages[k + 1].price${also_given}, h_all);
            if (bent_status != ${M}_OK) {
                return bent_status;
            }
            for (int i = 0; i < ${nz}; i++) {
                for (int j = 0; j < ${nz}; j++) {
                    at->bent[i*${nz} + j] = h_all[${m}_kept_place[i]*${nh} + ${m}_kept_place[j]];
                }
            }
        }
#endif
        for (int i = 0; i < ${nx}; i++) {
            at->by_x[i] = problem->weight[i]*(at->x[i] - state->centre[i]);
        }
        for (int i = 0; i < ${nv}; i++) {
            at->by_v[i] = problem->weight[${nx} + i]*(at->v[i] - state->centre[${nx} + i]);
        }
    }
    {
        ${m}_stage *end = &state->stages[${nodes}];
        for (int i = 0; i < ${nx}; i++) {
            end->by_x[i] = ${zero};
            for (int j = 0; j < ${nx}; j++) {
                end->by_x[i] += problem->final_weight[i][j]*(end->x[j] - state->final_centre[j]);
            }
        }
    }
    return ${M}_OK;
}

/* a = L L^T in place, of size n with rows of length n; false if a is not positive definite. */
static bool ${m}_cholesky(${m}_real *a, int n)
{
    for (int j = 0; j < n; j++) {
        ${m}_real pivot = a[j*n + j];
        for (int k = 0; k < j; k++) {
            pivot -= a[j*n + k]*a[j*n + k];
        }
        if (!(pivot > ${zero})) {
            return false;
        }
        pivot = sqrt${f}(pivot);
        a[j*n + j] = pivot;
        for (int i = j + 1; i < n; i++) {
            ${m}_real sum = a[i*n + j];
            for (int k = 0; k < j; k++) {
                sum -= a[i*n + k]*a[j*n + k];
            }
            a[i*n + j] = sum/pivot;
        }
    }
    return true;
}

/* x = (L L^T)^-1 x in place. */
static void ${m}_cholesky_solve(const ${m}_real *l, int n, ${m}_real *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= l[i*n + k]*x[k];
        }
        x[i] /= l[i*n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            x[i] -= l[k*n + i]*x[k];
        }
        x[i] /= l[i*n + i];
    }
}

/* x = (L L^T)^-1 x for all columns of x. */
static void ${m}_rows_solve(${m}_real l[${nv}][${nv}], ${m}_real x[${nv}][${nx}])
{
    for (int i = 0; i < ${nv}; i++) {
        for (int k = 0; k < i; k++) {
            for (int j = 0; j < ${nx}; j++) {
                x[i][j] -= l[i][k]*x[k][j];
            }
        }
        for (int j = 0; j < ${nx}; j++) {
            x[i][j] /= l[i][i];
        }
    }
    for (int i = ${nv} - 1; i >= 0; i--) {
        for (int k = i + 1; k < ${nv}; k++) {
            for (int j = 0; j < ${nx}; j++) {
                x[i][j] -= l[k][i]*x[k][j];
            }
        }
        for (int j = 0; j < ${nx}; j++) {
            x[i][j] /= l[i][i];
        }
    }
}

#if ${bounded}
/* False for bounds of what is fixed at a node, or is not there. */
static bool ${m}_is_bounded(int k, int row)
{
    const int place = ${m}_bound_place[row];
#if ${fixed}
    for (int i = 0; k == ${nodes} && i < ${fixed}; i++) {
        if (${m}_fixed_place[i] == place) {
            return false;
        }
    }
#endif
    return place < ${nx} ? k > 0 : k < ${nodes};
}

#endif
/*
 * Factors of the recursion
 *     G = R + B^T P+ B,  K = -G^-1 (S + B^T P+ A),  P = Q + A^T P+ A + (S + B^T P+ A)^T K
 * with `shift` on the diagonals of Q and R, and `penalty` on that of what is fixed at the end.
 */
static bool ${m}_factors(
    ${m}_state *state, const ${m}_problem *problem, ${m}_real shift, ${m}_real penalty)
{
    ${m}_real p[${nx}][${nx}];
#if ${fixed}
    ${m}_real columns[${nx}][${fixed_size}] = {{${zero}}};
    for (int i = 0; i < ${fixed}; i++) {
        for (int j = 0; j < ${fixed}; j++) {
            state->final_factor[i][j] = ${zero};
        }
        columns[${m}_fixed_place[i]][i] = ${one};
    }
#endif
    for (int i = 0; i < ${nx}; i++) {
        for (int j = 0; j < ${nx}; j++) {
            p[i][j] = problem->final_weight[i][j];
        }
        p[i][i] += shift;
    }
#if ${fixed}
    for (int i = 0; i < ${fixed}; i++) {
        p[${m}_fixed_place[i]][${m}_fixed_place[i]] += penalty;
    }
#endif
    (void)penalty;
#if ${bounded}
    for (int row = 0; row < ${rows}; row++) {
        if (${m}_is_bounded(${nodes}, row)) {
            const int i = ${m}_bound_place[row];
            p[i][i] += state->stages[${nodes}].curvature[row];
        }
    }
#endif
    for (int k = ${nodes} - 1; k >= 0; k--) {
        ${m}_stage *at = &state->stages[k];
#if ${priced}
        for (int i = 0; i < ${nx}; i++) {
            for (int j = 0; j < ${nx}; j++) {
                state->stages[k + 1].p[i][j] = p[i][j];
            }
        }
#endif
        ${m}_real pa[${nx}][${nx}] = {{${zero}}};
        ${m}_real pb[${nx}][${nv}] = {{${zero}}};
        ${m}_real cross[${nv}][${nx}] = {{${zero}}};
        ${m}_real diagonal[${nz}];
        for (int i = 0; i < ${nx}; i++) {
            ${m}_real sum = ${zero};
            for (int l = 0; l < ${nx}; l++) {
                for (int j = 0; j < ${nx}; j++) {
                    pa[i][j] += p[i][l]*${a}[l*${nx} + j];
                }
                for (int j = 0; j < ${nv}; j++) {
                    pb[i][j] += p[i][l]*${b}[l*${nv} + j];
                }
                sum += p[i][l]*at->gap[l];
            }
            at->through[i] = sum;
        }
        for (int i = 0; i < ${nz}; i++) {
            diagonal[i] = problem->weight[i] + shift;
        }
#if ${bounded}
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                diagonal[${m}_bound_place[row]] += at->curvature[row];
            }
        }
#endif
        for (int i = 0; i < ${nv}; i++) {
            for (int j = 0; j < ${nv}; j++) {
                at->factor[i][j] = ${bent_vv};
            }
            at->factor[i][i] += diagonal[${nx} + i];
#if ${exact}
            for (int j = 0; j < ${nx}; j++) {
                cross[i][j] = at->bent[(${nx} + i)*${nz} + j];
            }
#endif
        }
        for (int l = 0; l < ${nx}; l++) {
            for (int i = 0; i < ${nv}; i++) {
                for (int j = 0; j < ${nv}; j++) {
                    at->factor[i][j] += ${b}[l*${nv} + i]*pb[l][j];
                }
                for (int j = 0; j < ${nx}; j++) {
                    cross[i][j] += ${b}[l*${nv} + i]*pa[l][j];
                }
            }
        }
        if (!${m}_cholesky(&at->factor[0][0], ${nv})) {
            return false;
        }
        for (int j = 0; j < ${nx}; j++) {
            for (int i = 0; i < ${nv}; i++) {
                at->gain[i][j] = -cross[i][j];
            }
        }
        ${m}_rows_solve(at->factor, at->gain);
        for (int i = 0; i < ${nx}; i++) {
            for (int j = 0; j < ${nx}; j++) {
                p[i][j] = ${bent_xx};
            }
            p[i][i] += diagonal[i];
        }
        for (int l = 0; l < ${nx}; l++) {
            for (int i = 0; i < ${nx}; i++) {
                for (int j = 0; j < ${nx}; j++) {
                    p[i][j] += ${a}[l*${nx} + i]*pa[l][j];
                }
            }
        }
        for (int l = 0; l < ${nv}; l++) {
            for (int i = 0; i < ${nx}; i++) {
                for (int j = 0; j < ${nx}; j++) {
                    p[i][j] += cross[l][i]*at->gain[l][j];
                }
            }
        }
        for (int i = 0; i < ${nx}; i++) {
            for (int j = 0; j < i; j++) {
                p[i][j] = (p[i][j] + p[j][i])/${two};
                p[j][i] = p[i][j];
            }
        }
#if ${fixed}
        {
            ${m}_real by_v[${nv}][${fixed_size}] = {{${zero}}};
            ${m}_real before[${nx}][${fixed_size}] = {{${zero}}};
            for (int l = 0; l < ${nx}; l++) {
                for (int j = 0; j < ${fixed}; j++) {
                    for (int i = 0; i < ${nv}; i++) {
                        by_v[i][j] += ${b}[l*${nv} + i]*columns[l][j];
                    }
                    for (int i = 0; i < ${nx}; i++) {
                        before[i][j] += ${a}[l*${nx} + i]*columns[l][j];
                    }
                }
            }
            for (int l = 0; l < ${nv}; l++) {
                for (int i = 0; i < ${nx}; i++) {
                    for (int j = 0; j < ${fixed}; j++) {
                        before[i][j] += at->gain[l][i]*by_v[l][j];
                    }
                }
            }
            for (int i = 0; i < ${nv}; i++) {
                for (int j = 0; j < ${fixed}; j++) {
                    for (int l = 0; l < i; l++) {
                        by_v[i][j] -= at->factor[i][l]*by_v[l][j];
                    }
                    by_v[i][j] /= at->factor[i][i];
                }
                for (int l = 0; l < ${fixed}; l++) {
                    for (int j = 0; j < ${fixed}; j++) {
                        state->final_factor[l][j] += by_v[i][l]*by_v[i][j];
                    }
                }
            }
            for (int i = 0; i < ${nx}; i++) {
                for (int j = 0; j < ${fixed}; j++) {
                    columns[i][j] = before[i][j];
                }
            }
        }
#endif
    }
#if ${fixed}
    return ${m}_cholesky(&state->final_factor[0][0], ${fixed});
#endif
#if ${free_end}
    return true;
#endif
}

/* Gradients backwards: p = q + A^T (p+ + P+ d) + K^T (r + B^T (p+ + P+ d)). */
static void ${m}_backward(${m}_state *state, const ${m}_problem *problem, ${m}_real penalty)
{
    const ${m}_stage *end = &state->stages[${nodes}];
    ${m}_real p[${nx}];
    (void)problem;
    (void)penalty;
    for (int i = 0; i < ${nx}; i++) {
        p[i] = end->by_x[i];
    }
#if ${fixed}
    for (int i = 0; i < ${fixed}; i++) {
        const int place = ${m}_fixed_place[i];
        p[place] += state->final_price[i] + penalty*${reach}(end->x[place] - problem->target[i]);
    }
#endif
#if ${bounded}
    for (int row = 0; row < ${rows}; row++) {
        if (${m}_is_bounded(${nodes}, row)) {
            p[${m}_bound_place[row]] += end->slope[row];
        }
    }
#endif
    for (int k = ${nodes} - 1; k >= 0; k--) {
        ${m}_stage *at = &state->stages[k];
        ${m}_real by[${nz}];
        for (int i = 0; i < ${nx}; i++) {
#if ${priced}
            state->stages[k + 1].by[i] = p[i];
#endif
            p[i] += at->through[i];
            by[i] = at->by_x[i];
        }
        for (int i = 0; i < ${nv}; i++) {
            by[${nx} + i] = at->by_v[i];
        }
#if ${bounded}
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                by[${m}_bound_place[row]] += at->slope[row];
            }
        }
#endif
        for (int l = 0; l < ${nx}; l++) {
            for (int i = 0; i < ${nx}; i++) {
                by[i] += ${a}[l*${nx} + i]*p[l];
            }
            for (int i = 0; i < ${nv}; i++) {
                by[${nx} + i] += ${b}[l*${nv} + i]*p[l];
            }
        }
        for (int i = 0; i < ${nv}; i++) {
            at->feedforward[i] = -by[${nx} + i];
            for (int j = 0; j < ${nx}; j++) {
                by[j] += at->gain[i][j]*by[${nx} + i];
            }
        }
        ${m}_cholesky_solve(&at->factor[0][0], ${nv}, at->feedforward);
        for (int i = 0; i < ${nx}; i++) {
            p[i] = by[i];
        }
    }
}

/* Steps of states and controls forwards from dx_0. */
static void ${m}_forward(${m}_state *state)
{
    for (int i = 0; i < ${nx}; i++) {
        state->stages[0].${next_dx}[i] = state->stages[0].dx[i];
    }
    for (int k = 0; k < ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        ${m}_real *following = state->stages[k + 1].${next_dx};
        for (int i = 0; i < ${nv}; i++) {
            ${m}_real sum = at->feedforward[i];
            for (int j = 0; j < ${nx}; j++) {
                sum += at->gain[i][j]*at->${next_dx}[j];
            }
            at->${next_dv}[i] = sum;
        }
        for (int i = 0; i < ${nx}; i++) {
            ${m}_real sum = at->gap[i];
            for (int j = 0; j < ${nx}; j++) {
                sum += ${a}[i*${nx} + j]*at->${next_dx}[j];
            }
            for (int j = 0; j < ${nv}; j++) {
                sum += ${b}[i*${nv} + j]*at->${next_dv}[j];
            }
            following[i] = sum;
        }
    }
}

/* The step that the factors give, what is fixed at the end by its multipliers. */
static void ${m}_substitute(${m}_state *state, const ${m}_problem *problem, ${m}_real penalty)
{
#if ${fixed}
    for (int i = 0; i < ${fixed}; i++) {
        state->final_price[i] = ${zero};
    }
    ${m}_backward(state, problem, penalty);
    ${m}_forward(state);
    for (int i = 0; i < ${fixed}; i++) {
        const ${m}_stage *end = &state->stages[${nodes}];
        const int place = ${m}_fixed_place[i];
        state->final_price[i] =
            end->${next_dx}[place] + ${reach}(end->x[place] - problem->target[i]);
    }
    ${m}_cholesky_solve(&state->final_factor[0][0], ${fixed}, state->final_price);
#endif
    ${m}_backward(state, problem, penalty);
    ${m}_forward(state);
}
