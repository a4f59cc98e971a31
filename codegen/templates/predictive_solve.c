
/* Violations of steps and of what is fixed at the end, at a part of the step. */
static int ${m}_violation(
    const ${m}_state *state, const ${m}_problem *problem, ${m}_real part, ${parameter}${m}_real *total)
{
    *total = ${zero};
    for (int k = 0; k < ${nodes}; k++) {
        const ${m}_stage *at = &state->stages[k];
        const ${m}_stage *following = &state->stages[k + 1];
        ${m}_real x[${nx}];
        ${m}_real v[${nv}];
        ${m}_real next[${nx}];
        int status;
        for (int i = 0; i < ${nx}; i++) {
            x[i] = at->x[i] + part*at->dx[i];
        }
        for (int i = 0; i < ${nv}; i++) {
            v[i] = at->v[i] + part*at->dv[i];
        }
        status = ${m}_predict(x, v, problem->h, ${given}next);
        if (status != ${M}_OK) {
            return status;
        }
        for (int i = 0; i < ${nx}; i++) {
            *total += fabs${f}(next[i] - following->x[i] - part*following->dx[i]);
        }
    }
#if ${fixed}
    for (int i = 0; i < ${fixed}; i++) {
        const ${m}_stage *end = &state->stages[${nodes}];
        const int place = ${m}_fixed_place[i];
        *total += fabs${f}(end->x[place] + part*end->dx[place] - problem->target[i]);
    }
#endif
    return ${M}_OK;
}

/* Cost at a part of the step, and its slope along the step. */
static ${m}_real ${m}_cost(
    const ${m}_state *state, const ${m}_problem *problem, ${m}_real part, ${m}_real *along)
{
    ${m}_real total = ${zero};
    *along = ${zero};
    for (int k = 0; k <= ${nodes}; k++) {
        const ${m}_stage *at = &state->stages[k];
        ${m}_real x[${nx}];
        for (int i = 0; i < ${nx}; i++) {
            x[i] = at->x[i] + part*at->dx[i] - (k < ${nodes} ? state->centre[i]
                                                 : state->final_centre[i]);
            *along += at->by_x[i]*at->dx[i];
            if (k < ${nodes}) {
                total += problem->weight[i]*x[i]*x[i];
            }
        }
        for (int i = 0; k == ${nodes} && i < ${nx}; i++) {
            for (int j = 0; j < ${nx}; j++) {
                total += problem->final_weight[i][j]*x[i]*x[j];
            }
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            const ${m}_real v = at->v[i] + part*at->dv[i] - state->centre[${nx} + i];
            total += problem->weight[${nx} + i]*v*v;
            *along += at->by_v[i]*at->dv[i];
        }
    }
    return total/${two};
}

/* The part of the step that makes the merit cost + rate |violations|_1 smaller; 0 if none does. */
static ${m}_real ${m}_search(
    const ${m}_state *state, const ${m}_problem *problem, ${m}_real rate,
    ${m}_real violation, ${m}_real past[4][2]${also_p})
{
    ${m}_real along;
    ${m}_real ignored;
    ${m}_real worst;
    const ${m}_real cost = ${m}_cost(state, problem, ${zero}, &along);
    for (int i = 3; i > 0; i--) {
        past[i][0] = past[i - 1][0];
        past[i][1] = past[i - 1][1];
    }
    past[0][0] = cost;
    past[0][1] = violation;
    worst = -HUGE_VAL;
    for (int i = 0; i < 4; i++) {
        worst = fmax${f}(worst, past[i][0] + rate*past[i][1]);
    }
    along = fmin${f}(along - state->reach*rate*violation, ${zero});
    for (${m}_real part = ${one}; part > ${least_part}; part /= ${two}) {
        ${m}_real after;
        const int status = ${m}_violation(state, problem, part, ${given}&after);
        const ${m}_real merit = ${m}_cost(state, problem, part, &ignored) + rate*after;
        if (status == ${M}_OK && merit <= worst + ${armijo}*part*along + ${noise}*(fabs${f}(worst) + rate)) {
            return part;
        }
    }
    return ${zero};
}

/* Gaps become a part of what they are, within bounds that no other step meets; all violations. */
static ${m}_real ${m}_reach(${m}_state *state, const ${m}_problem *problem, ${m}_real part)
{
    ${m}_real total = ${zero};
    (void)problem;
    for (int k = 0; k < ${nodes}; k++) {
        for (int i = 0; i < ${nx}; i++) {
            total += fabs${f}(state->stages[k].gap[i]);
            state->stages[k].gap[i] *= part;
        }
    }
    for (int i = 0; i < ${nx}; i++) {
        state->stages[0].dx[i] = ${zero};
    }
#if ${fixed}
    for (int i = 0; i < ${fixed}; i++) {
        total += fabs${f}(state->stages[${nodes}].x[${m}_fixed_place[i]] - problem->target[i]);
    }
#endif
    return total;
}

int ${m}_solve(
    ${m}_state *state, const ${m}_problem *problem, ${m}_real tolerance, int most${also_p},
    int *iterations)
{
    ${m}_real past[4][2] = {
        {-HUGE_VAL, ${zero}}, {-HUGE_VAL, ${zero}}, {-HUGE_VAL, ${zero}}, {-HUGE_VAL, ${zero}}
    };
    ${m}_real rate = ${zero};
    ${m}_real scale = ${zero};
    state->reach = ${one};
    for (int i = 0; i < ${nz}; i++) {
        scale = fmax${f}(scale, problem->weight[i]);
    }
#if ${exact}
    state->penalty = ${least_penalty}*scale;
    state->shift = ${zero};
#endif
    for (*iterations = 0; *iterations < most; ++*iterations) {
        ${m}_real size = ${zero};
        ${m}_real price = ${zero};
        ${m}_real violation;
        ${m}_real part;
        ${m}_real enough = tolerance;
        int status = ${m}_linearize(state, problem${also_given});
        if (status != ${M}_OK) {
            return status;
        }
        violation = ${m}_reach(state, problem, state->reach);
        status = ${quadratic_of_problem};
#if ${bounded}
        while ((status == ${infeasible} || status == ${not_converged})
               && state->reach > ${least_reach}) {
            state->reach /= ${four};
            (void)${m}_reach(state, problem, ${one}/${four});
            status = ${quadratic_of_problem};
        }
#endif
        if (status != ${M}_OK) {
            return status;
        }
        ${m}_prices(state);
        for (int k = 0; k <= ${nodes}; k++) {
            const ${m}_stage *at = &state->stages[k];
            for (int i = 0; i < ${nx}; i++) {
                size = fmax${f}(size, fabs${f}(at->dx[i])/(${one} + fabs${f}(at->x[i])));
                price = k > 0 ? fmax${f}(price, fabs${f}(at->next_price[i])) : price;
            }
            for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
                size = fmax${f}(size, fabs${f}(at->dv[i])/(${one} + fabs${f}(at->v[i])));
            }
        }
#if ${fixed}
        for (int i = 0; i < ${fixed}; i++) {
            price = fmax${f}(price, fabs${f}(state->final_price[i]));
        }
#endif
        if (isfinite(size) == 0) {
            return ${not_finite};
        }
        rate = fmax${f}(${rate_decay}*rate, ${rate_factor}*price);
        part = ${m}_search(state, problem, rate, violation, past${also_given});
#if ${exact}
        if (part == ${zero}) {
            state->shift = fmax${f}(scale*${least_shift}, ${shift_factor}*state->shift);
            if (state->shift > scale*${most_shift}) {
                return ${not_converged};
            }
            continue;
        }
        if (part == ${one} && state->shift == ${zero}) {
            enough = sqrt${f}(tolerance)*${tenth};
        }
        if (part < ${short_part}) {
            state->shift = fmax${f}(scale*${least_shift}, ${shift_relief}*state->shift);
        } else if (part == ${one}) {
            state->shift = state->shift > scale*${least_shift} ? state->shift/${shift_relief} : ${zero};
        }
#else
        if (part == ${zero}) {
            return ${not_converged};
        }
#endif
        ${m}_move(state, problem, part);
        if (state->reach < ${one}) {
            state->reach = fmin${f}(${one}, ${four}*state->reach);
            continue;
        }
#if ${exact}
        if (state->shift*size > tolerance*(${one} + price)) {
            continue;
        }
#endif
        if (part == ${one} && size <= enough) {
            ++*iterations;
            return ${M}_OK;
        }
    }
    return ${not_converged};
}
