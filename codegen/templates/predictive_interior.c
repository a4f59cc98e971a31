
/* A bound in the interior point method: what is eliminated from its linearized conditions. */
typedef struct {
    ${m}_real residual;
    ${m}_real pivot;
    ${m}_real width;
    ${m}_real right;
} ${m}_row;

/* sign (y - bound): positive where the bound is violated. */
static ${m}_real ${m}_beyond(const ${m}_stage *at, const ${m}_problem *problem, int row)
{
    const int place = ${m}_bound_place[row];
    const ${m}_real y = place < ${nx} ? at->x[place] + at->dx[place]
                                : at->v[place - ${nx}] + at->dv[place - ${nx}];
    return ${m}_bound_sign[row]*(y - problem->bound[row]);
}

/*
 * Of sign (y - bound) + t - s = 0, t z = mu, s (linear + quadratic s - z) = mu, where the factor of
 * s is `pull`: the change of z is (right + z change)/width, if sign y changes by `change`. Hard
 * bounds have no s.
 */
static ${m}_row ${m}_eliminated(
    const ${m}_stage *at, const ${m}_problem *problem, int row, ${m}_real mu, bool is_corrected)
{
    const ${m}_real z = at->multiplier[row];
    const ${m}_real s = at->excess[row];
    const ${m}_real first = mu - (is_corrected ? at->correction[row][0] : ${zero});
    const ${m}_real second = mu - (is_corrected ? at->correction[row][1] : ${zero});
    ${m}_row found;
    found.residual = ${m}_beyond(at, problem, row) + at->slack[row] - s;
    found.pivot = ${one};
    found.width = at->slack[row];
    found.right = first - z*at->slack[row] + z*found.residual;
    if (${m}_bound_soft[row] != 0) {
        found.pivot = at->pull[row] + problem->quadratic[row]*s;
        found.width += z*s/found.pivot;
        found.right -= z*(second - at->pull[row]*s)/found.pivot;
    }
    return found;
}

/* Terms of the bounds in the quadratic program of the next step. */
static void ${m}_weigh(
    ${m}_state *state, const ${m}_problem *problem, ${m}_real mu, bool is_corrected)
{
    for (int k = 0; k <= ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                const int place = ${m}_bound_place[row];
                const ${m}_row found = ${m}_eliminated(at, problem, row, mu, is_corrected);
                const ${m}_real y = place < ${nx} ? at->dx[place] : at->dv[place - ${nx}];
                at->curvature[row] = at->multiplier[row]/found.width;
                at->slope[row] = ${m}_bound_sign[row]*(at->multiplier[row]
                    + found.right/found.width) - at->curvature[row]*y;
            }
        }
    }
}

/* Changes of slack, multiplier and excess of a bound towards the next step. */
static void ${m}_changes(
    const ${m}_stage *at, const ${m}_problem *problem, int row, ${m}_real mu, bool is_corrected,
    ${m}_real change[4])
{
    const ${m}_row found = ${m}_eliminated(at, problem, row, mu, is_corrected);
    const int place = ${m}_bound_place[row];
    const ${m}_real moved = ${m}_bound_sign[row]*(place < ${nx}
        ? at->next_dx[place] - at->dx[place]
        : at->next_dv[place - ${nx}] - at->dv[place - ${nx}]);
    const ${m}_real second = mu - (is_corrected ? at->correction[row][1] : ${zero});
    change[1] = (found.right + at->multiplier[row]*moved)/found.width;
    change[2] = ${zero};
    change[3] = ${zero};
    if (${m}_bound_soft[row] != 0) {
        change[2] = (second - at->pull[row]*at->excess[row] + at->excess[row]*change[1])
            /found.pivot;
        change[3] = problem->quadratic[row]*change[2] - change[1];
    }
    change[0] = change[2] - found.residual - moved;
}

/* The part of a change after which a positive number is zero, if it is less than `part`. */
static ${m}_real ${m}_until(${m}_real value, ${m}_real change, ${m}_real part)
{
    return change < ${zero} && -value/change < part ? -value/change : part;
}

/* Slacks and multipliers of the first iteration, from the step without bounds. */
static void ${m}_start_rows(${m}_state *state, const ${m}_problem *problem)
{
    ${m}_real worst = ${zero};
    for (int k = 0; k <= ${nodes}; k++) {
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                worst = fmax${f}(worst, ${m}_beyond(&state->stages[k], problem, row));
            }
        }
    }
    for (int k = 0; k <= ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                const ${m}_real beyond = ${m}_beyond(at, problem, row);
                at->slack[row] = fmax${f}(-beyond, worst);
                at->multiplier[row] = ${start_weight}*worst*worst/at->slack[row];
                at->excess[row] = ${zero};
                if (${m}_bound_soft[row] != 0) {
                    at->multiplier[row] =
                        fmin${f}(at->multiplier[row], problem->linear[row]/${two});
                    at->excess[row] = worst;
                    at->pull[row] = problem->linear[row] + problem->quadratic[row]*worst
                        - at->multiplier[row];
                }
            }
        }
    }
}

/* Mean product of slacks and multipliers. */
static ${m}_real ${m}_mean(const ${m}_state *state)
{
    ${m}_real total = ${zero};
    for (int k = 0; k <= ${nodes}; k++) {
        const ${m}_stage *at = &state->stages[k];
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                total += at->slack[row]*at->multiplier[row];
                if (${m}_bound_soft[row] != 0) {
                    total += at->excess[row]*at->pull[row];
                }
            }
        }
    }
    return total/${products};
}

/* The mean after the step without centring; its products correct the next step. */
static ${m}_real ${m}_affine(${m}_state *state, const ${m}_problem *problem)
{
    ${m}_real sums[3] = {${zero}, ${zero}, ${zero}};
    ${m}_real part = ${one};
    for (int k = 0; k <= ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                const ${m}_real s = at->excess[row];
                const ${m}_real pull = at->pull[row];
                ${m}_real change[4];
                ${m}_changes(at, problem, row, ${zero}, false, change);
                part = ${m}_until(at->slack[row], change[0], part);
                part = ${m}_until(at->multiplier[row], change[1], part);
                sums[0] += at->slack[row]*at->multiplier[row];
                sums[1] += at->slack[row]*change[1] + at->multiplier[row]*change[0];
                sums[2] += change[0]*change[1];
                at->correction[row][0] = change[0]*change[1];
                at->correction[row][1] = change[2]*change[3];
                if (${m}_bound_soft[row] != 0) {
                    part = ${m}_until(s, change[2], part);
                    part = ${m}_until(pull, change[3], part);
                    sums[0] += s*pull;
                    sums[1] += s*change[3] + pull*change[2];
                    sums[2] += change[2]*change[3];
                }
            }
        }
    }
    return (sums[0] + part*(sums[1] + part*sums[2]))/${products};
}

/* Goes towards the step as far as all stay positive; returns the part that is left. */
static ${m}_real ${m}_advance(${m}_state *state, const ${m}_problem *problem, ${m}_real mu)
{
    ${m}_real part = ${one}/${most_part};
    for (int k = 0; k <= ${nodes}; k++) {
        const ${m}_stage *at = &state->stages[k];
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                ${m}_real change[4];
                ${m}_changes(at, problem, row, mu, true, change);
                part = ${m}_until(at->slack[row], change[0], part);
                part = ${m}_until(at->multiplier[row], change[1], part);
                if (${m}_bound_soft[row] != 0) {
                    part = ${m}_until(at->excess[row], change[2], part);
                    part = ${m}_until(at->pull[row], change[3], part);
                }
            }
        }
    }
    part = fmin${f}(${one}, ${most_part}*part);
    for (int k = 0; k <= ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        for (int row = 0; row < ${rows}; row++) {
            if (${m}_is_bounded(k, row)) {
                ${m}_real change[4];
                ${m}_changes(at, problem, row, mu, true, change);
                at->slack[row] += part*change[0];
                at->multiplier[row] += part*change[1];
                at->excess[row] += part*change[2];
                at->pull[row] += part*change[3];
            }
        }
        for (int i = 0; i < ${nx}; i++) {
            at->dx[i] += part*(at->next_dx[i] - at->dx[i]);
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            at->dv[i] += part*(at->next_dv[i] - at->dv[i]);
        }
    }
    return ${one} - part;
}

/* The first node where hard bounds of states are not met, and the state farthest beyond there. */
static int ${m}_unmet(${m}_state *state, const ${m}_problem *problem)
{
    for (int k = 1; k <= ${nodes} && state->failed_stage < 0; k++) {
        ${m}_real worst = ${feasible};
        for (int row = 0; row < ${rows}; row++) {
            const int place = ${m}_bound_place[row];
            if (place < ${nx} && ${m}_is_bounded(k, row) && ${m}_bound_soft[row] == 0) {
                const ${m}_real beyond = ${m}_beyond(&state->stages[k], problem, row);
                if (beyond > worst) {
                    worst = beyond;
                    state->failed_stage = k;
                    state->failed_state = place;
                }
            }
        }
    }
    return state->failed_stage < 0 ? ${not_converged} : ${infeasible};
}

/*
 * Mehrotra's predictor and corrector, from the step without bounds, until the mean is small or
 * rounding stops it.
 */
static int ${m}_interior(
    ${m}_state *state, const ${m}_problem *problem, ${m}_real shift, ${m}_real penalty)
{
    ${m}_real left = ${one};
    ${m}_real before = ${huge};
    ${m}_start_rows(state, problem);
    for (int iteration = 0; iteration < ${cap}; iteration++) {
        const ${m}_real mean = ${m}_mean(state);
        ${m}_real share;
        state->iterations = iteration;
        if (left <= ${closed} && (mean <= problem->tolerance
            || (mean <= ${rounding}*problem->tolerance && mean > ${stalled}*before))) {
            return ${M}_OK;
        }
        before = mean;
        ${m}_weigh(state, problem, ${zero}, false);
        if (!${m}_factors(state, problem, shift, penalty)) {
            return iteration > 0 ? ${m}_unmet(state, problem) : ${indefinite};
        }
        ${m}_substitute(state, problem, penalty);
        share = ${m}_affine(state, problem)/mean;
        share = share*share*share*mean;
        ${m}_weigh(state, problem, share, true);
        ${m}_substitute(state, problem, penalty);
        left *= ${m}_advance(state, problem, share);
    }
    state->iterations = ${cap};
    return ${m}_unmet(state, problem);
}
