
static const ${m}_problem ${m}_numbers = {
    ${h},
    {${weight}},
    {
${final_weight}
    }${bound_numbers}${target_numbers}
};
static const ${m}_real ${m}_start_x[${start_rows}][${nx}] = {
${start_x}
};
static const ${m}_real ${m}_start_v[${start_rows}][${nv}] = {
${start_v}
};

/* The first trajectory, also after a sample that failed. */
static void ${m}_restart(${m}_state *state)
{
    for (int k = 0; k <= ${nodes}; k++) {
        const int row = k < ${start_rows} ? k : ${start_rows} - 1;
        for (int i = 0; i < ${nx}; i++) {
            state->stages[k].x[i] = ${m}_start_x[row][i];
#if ${exact}
            state->stages[k].price[i] = ${zero};
#endif
        }
        for (int i = 0; i < ${nv}; i++) {
            state->stages[k].v[i] = ${m}_start_v[row][i];
        }
    }
#if ${exact}
    state->penalty = ${zero};
    state->shift = ${zero};
#endif
    state->started = 0;
}

void ${m}_init(${m}_state *state)
{
    const ${m}_real centre[${nz}] = {${centre}};
    const ${m}_real final_centre[${nx}] = {${final_centre}};
    for (int i = 0; i < ${nz}; i++) {
        state->centre[i] = centre[i];
    }
    for (int i = 0; i < ${nx}; i++) {
        state->final_centre[i] = final_centre[i];
    }
    ${m}_restart(state);
    for (int i = 0; i < ${nv}; i++) {
        state->applied[i] = ${zero};
    }
    state->iterations = 0;
    state->failed_stage = -1;
    state->failed_state = -1;
}

static void ${m}_put_out(${m}_state *state, ${m}_real *${output})
{
    for (int i = 0; i < ${nv}; i++) {
        state->applied[i] = state->stages[0].v[i];
    }
${putting}}

/* Trajectory and multipliers one step later; the last controls stay, the last state follows. */
static void ${m}_shift(${m}_state *state${also_p})
{
    ${m}_stage *end = &state->stages[${nodes}];
    const ${m}_stage *last = &state->stages[${nodes} - 1];
    for (int k = 0; k < ${nodes}; k++) {
        ${m}_stage *at = &state->stages[k];
        const ${m}_stage *following = &state->stages[k + 1];
        for (int i = 0; i < ${nx}; i++) {
            at->x[i] = following->x[i];
#if ${exact}
            at->price[i] = following->price[i];
#endif
        }
        for (int i = 0; k < ${nodes} - 1 && i < ${nv}; i++) {
            at->v[i] = following->v[i];
        }
    }
    {
        ${m}_real next[${nx}];
        ${m}_real total = ${zero};
        const int status = ${m}_predict(last->x, last->v, ${m}_numbers.h, ${given}next);
        for (int i = 0; i < ${nx}; i++) {
            total += fabs${f}(next[i]);
        }
        for (int i = 0; status == ${M}_OK && isfinite(total) != 0 && i < ${nx}; i++) {
            end->x[i] = next[i];
        }
    }
}

/* One step of Newton's method from the measured state. */
static int ${m}_iterate(${m}_state *state, const ${m}_real *measured${also_p})
{
    ${m}_real total = ${zero};
    int status = ${m}_linearize(state, &${m}_numbers${also_given});
    if (status != ${M}_OK) {
        return status;
    }
    for (int i = 0; i < ${nx}; i++) {
        state->stages[0].dx[i] = measured[i] - state->stages[0].x[i];
    }
    status = ${quadratic};
    if (status != ${M}_OK && status != ${not_converged}) {
        return status;
    }
    for (int k = 0; k <= ${nodes}; k++) {
        for (int i = 0; i < ${nx}; i++) {
            total += fabs${f}(state->stages[k].dx[i]);
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            total += fabs${f}(state->stages[k].dv[i]);
        }
    }
    if (isfinite(total) == 0) {
        return ${not_finite};
    }
#if ${priced}
    ${m}_prices(state);
#endif
    ${m}_move(state, &${m}_numbers, ${one});
    return status;
}

int ${m}_step(
    ${m}_state *state,
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${nu}],
    const ${m}_real q_d[${M}_RESTRICT ${nq}],
    const ${m}_real u_d[${M}_RESTRICT ${nu}],
${declarations}    ${m}_real ${output}[${M}_RESTRICT ${size}])
{
    ${m}_real now[${nx}];
    ${m}_real total = ${zero};
    int status = ${M}_OK;
    for (int i = 0; i < ${nq}; i++) {
        now[i] = q[i];
        now[${nq} + i] = u[i];
        total += fabs${f}(q[i]) + fabs${f}(u[i]) + fabs${f}(q_d[i]) + fabs${f}(u_d[i]);
    }
    if (isfinite(total) == 0) {
        ${m}_put_out(state, ${output});
        return ${not_finite};
    }
    for (int i = 0; i < ${nq}; i++) {
        state->centre[i] = q_d[i];
        state->centre[${nq} + i] = u_d[i];
        state->final_centre[i] = q_d[i];
        state->final_centre[${nq} + i] = u_d[i];
    }
#if ${delays}
    {
        ${m}_real later[${nx}];
        status = ${m}_predict(now, state->applied, ${delay}, ${given}later);
        for (int i = 0; status == ${M}_OK && i < ${nx}; i++) {
            now[i] = later[i];
        }
    }
#endif
    {
        const int rounds = state->started != 0 ? ${iterations} : ${first_iterations};
        for (int round = 0; round < rounds && status == ${M}_OK; round++) {
            status = ${m}_iterate(state, now${also_given});
        }
    }
    ${m}_put_out(state, ${output});
    if (status == ${M}_OK || status == ${not_converged}) {
        state->started = 1;
        ${m}_shift(state${also_given});
    } else if (status != ${infeasible}) {
        ${m}_restart(state);
    }
    return status;
}
