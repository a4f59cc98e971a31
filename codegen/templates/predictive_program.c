
/* The quadratic program about the trajectory, from dx_0. */
static int ${m}_quadratic(
    ${m}_state *state, const ${m}_problem *problem, ${m}_real shift, ${m}_real penalty)
{
#if ${bounded}
    ${m}_real worst = ${zero};
    for (int k = 0; k <= ${nodes}; k++) {
        for (int row = 0; row < ${rows}; row++) {
            state->stages[k].curvature[row] = ${zero};
            state->stages[k].slope[row] = ${zero};
            state->stages[k].multiplier[row] = ${zero};
        }
    }
#endif
    state->iterations = 0;
    state->failed_stage = -1;
    if (!${m}_factors(state, problem, shift, penalty)) {
        return ${indefinite};
    }
    ${m}_substitute(state, problem, penalty);
#if ${bounded}
    for (int k = 0; k <= ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        for (int i = 0; i < ${nx}; i++) {
            at->dx[i] = at->next_dx[i];
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            at->dv[i] = at->next_dv[i];
        }
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                worst = fmax${f}(worst, ${m}_beyond(at, problem, row));
            }
        }
    }
    if (worst > ${zero}) {
        return ${m}_interior(state, problem, shift, penalty);
    }
#endif
    return ${M}_OK;
}

#if ${exact}
/* The same, made convex: first by the penalty of what is fixed at the end, then by a shift. */
static int ${m}_convex(${m}_state *state, const ${m}_problem *problem, ${m}_real scale)
{
    int status = ${m}_quadratic(state, problem, state->shift, state->penalty);
    for (int trial = 0; trial < ${trials} && status == ${indefinite}; trial++) {
        if (state->penalty < ${most_penalty}*scale) {
            state->penalty = fmax${f}(${least_penalty}*scale, ${penalty_factor}*state->penalty);
        } else {
            state->shift = fmax${f}(scale*${least_shift}, ${shift_factor}*state->shift);
        }
        status = ${m}_quadratic(state, problem, state->shift, state->penalty);
    }
    return status;
}

#endif
#if ${priced}
/* Derivatives of the cost to go by the states after the step: multipliers of the steps. */
static void ${m}_prices(${m}_state *state)
{
    for (int k = 1; k <= ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        for (int i = 0; i < ${nx}; i++) {
            at->next_price[i] = at->by[i];
            for (int j = 0; j < ${nx}; j++) {
                at->next_price[i] += at->p[i][j]*at->${next_dx}[j];
            }
        }
    }
}

#endif
/* Moves the trajectory along the step; controls stay within hard bounds to the last digit. */
static void ${m}_move(${m}_state *state, const ${m}_problem *problem, ${m}_real part)
{
    (void)problem;
    for (int k = 0; k <= ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        for (int i = 0; i < ${nx}; i++) {
            at->x[i] += part*at->dx[i];
#if ${priced}
            at->price[i] += k > 0 ? part*(at->next_price[i] - at->price[i]) : ${zero};
#endif
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            at->v[i] += part*at->dv[i];
        }
#if ${bounded}
        for (int row = 0; k < ${nodes} && row < ${rows}; row++) {
            const int i = ${m}_bound_place[row] - ${nx};
            if (i >= 0 && ${m}_bound_sign[row]*(at->v[i] - problem->bound[row]) > ${zero}) {
                at->v[i] = problem->bound[row];
            }
        }
#endif
    }
}
