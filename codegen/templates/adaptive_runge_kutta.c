/* Rates of y = [q; u] at time t. */
static int ${m}_${method}_rates(
    const ${m}_real y[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real y_rate[${M}_RESTRICT ${n}])
{
    int status = ${coordinate_rates}(${coordinate_rates_arguments}, y_rate);
    (void)t;
    if (status == ${M}_OK) {
        status = ${forward_dynamics}(${forward_dynamics_arguments}, &y_rate[${nq_count}]);
    }
${element_state_rates}    return status;
}

/* The root mean square of x over the tolerance at y. */
static ${m}_real ${m}_${method}_norm(
    const ${m}_real x[${n}],
    const ${m}_real y[${n}],
    ${m}_real rtol,
    ${m}_real atol)
{
    ${m}_real sum = ${zero};
    for (int k = 0; k < ${n}; k++) {
        const ${m}_real ratio = x[k]/(atol + rtol*fabs${f}(y[k]));
        sum += ratio*ratio;
    }
    return sqrt${f}(sum/${n}.0${f});
}

/*
 * The length of a first step, at most span: Hairer, Norsett and Wanner, Solving Ordinary
 * Differential Equations I, section II.4.
 */
static ${m}_real ${m}_${method}_first(
    const ${m}_real y[${M}_RESTRICT ${n}],
    const ${m}_real y_rate[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real span,
    ${m}_real rtol,
    ${m}_real atol)
{
    const ${m}_real size = ${m}_${method}_norm(y, y, rtol, atol);
    const ${m}_real speed = ${m}_${method}_norm(y_rate, y, rtol, atol);
    ${m}_real y_stage[${n}];
    ${m}_real difference[${n}];
    ${m}_real bend;
    ${m}_real h = 1e-6${f};
    ${m}_real h_bend;
    if (size >= 1e-5${f} && speed >= 1e-5${f}) {
        h = 0.01${f}*size/speed;
    }
    h = fmin${f}(h, span);
    for (int k = 0; k < ${n}; k++) {
        y_stage[k] = y[k] + h*y_rate[k];
    }
    if (${m}_${method}_rates(y_stage, ${held}t + h, difference) != ${M}_OK) {
        return h;
    }
    for (int k = 0; k < ${n}; k++) {
        difference[k] -= y_rate[k];
    }
    bend = fmax${f}(${m}_${method}_norm(difference, y, rtol, atol)/h, speed);
    if (bend <= 1e-15${f}) {
        h_bend = fmax${f}(1e-6${f}, h*1e-3${f});
    } else {
        h_bend = pow${f}(0.01${f}/bend, ${exponent});
    }
    return fmin${f}(fmin${f}(100.0${f}*h, h_bend), span);
}

/*
 * A trial of a step of length h from y, where the rates are y_rate[0]: the state at its end, the
 * rates of its other stages, and the error over the tolerance.
 */
static int ${m}_${method}_try(
    const ${m}_real y[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real h,
    ${m}_real rtol,
    ${m}_real atol,
    ${m}_real y_rate[${M}_RESTRICT ${stages}][${n}],
    ${m}_real y_next[${M}_RESTRICT ${n}],
    ${m}_real *error)
{
    static const ${m}_real a[${stages}][${stages}] = {
${a}
    };
    static const ${m}_real c[${stages}] = {${c}};
    static const ${m}_real e[${stages}] = {${e}};
    ${m}_real estimate[${n}];
    ${m}_real magnitude[${n}];
    for (int i = 1; i < ${stages}; i++) {
        int status;
        for (int k = 0; k < ${n}; k++) {
            ${m}_real sum = ${zero};
            for (int j = 0; j < i; j++) {
                sum += a[i][j]*y_rate[j][k];
            }
            y_next[k] = y[k] + h*sum;
        }
${normalize_last}        status = ${m}_${method}_rates(y_next, ${held}t + c[i]*h, y_rate[i]);
        if (status != ${M}_OK) {
            return status;
        }
    }
    for (int k = 0; k < ${n}; k++) {
        ${m}_real sum = ${zero};
        for (int i = 0; i < ${stages}; i++) {
            sum += e[i]*y_rate[i][k];
        }
        estimate[k] = h*sum;
        magnitude[k] = fmax${f}(fabs${f}(y[k]), fabs${f}(y_next[k]));
    }
    *error = ${m}_${method}_norm(estimate, magnitude, rtol, atol);
    return ${M}_OK;
}

${advance}
/* The state at the fraction x of a step from y. */
static int ${m}_${method}_record(
    const ${m}_real y[${M}_RESTRICT ${n}],
    ${m}_real y_rate[${M}_RESTRICT ${stages}][${n}],
${record_parameters}    ${m}_real h,
    ${m}_real x,
    ${m}_real q[${M}_RESTRICT ${nq}],
    ${m}_real u[${M}_RESTRICT ${nu}])
{
    static const ${m}_real interpolant[${stages}][${dense_order}] = {
${interpolant}
    };
    ${m}_real y_next[${n}];
    ${m}_real b[${stages}];
    for (int i = 0; i < ${stages}; i++) {
        b[i] = ${zero};
        for (int j = ${dense_order}; j > 0; j--) {
            b[i] = x*(interpolant[i][j - 1] + b[i]);
        }
    }
    for (int k = 0; k < ${n}; k++) {
        ${m}_real sum = ${zero};
        for (int i = 0; i < ${stages}; i++) {
            sum += b[i]*y_rate[i][k];
        }
        y_next[k] = y[k] + h*sum;
    }
${normalize_record}    for (int k = 0; k < ${nq_count}; k++) {
        q[k] = y_next[k];
    }
    for (int k = 0; k < ${nu_count}; k++) {
        u[k] = y_next[${nq_count} + k];
    }
    return ${M}_OK;
}

int ${m}_${method}(
    ${m}_real q[${M}_RESTRICT],
    ${m}_real u[${M}_RESTRICT],
${held_declarations}    const ${m}_real times[${M}_RESTRICT],
    int rows,
    ${m}_real rtol,
    ${m}_real atol,
    int max_steps,
    ${m}_adaptive_run *run)
{
    const ${m}_real relative = fmax${f}(rtol, ${least_rtol});
    ${m}_real y_rate[${stages}][${n}];
    ${m}_real y[${n}];
    ${m}_real y_next[${n}];
    int status;
    run->time = times[0];
    run->done = 0;
    run->steps = 0;
    run->rejected = 0;
    for (int k = 0; k < ${nq_count}; k++) {
        y[k] = q[k];
    }
    for (int k = 0; k < ${nu_count}; k++) {
        y[${nq_count} + k] = u[k];
    }
    status = ${m}_${method}_rates(y, ${held}run->time, y_rate[0]);
    if (status == ${M}_OK && rows > 1 && !(run->h > ${zero})) {
        run->h = ${m}_${method}_first(
            y, y_rate[0], ${held}run->time, times[rows - 1] - run->time, relative, atol);
    }
    while (status == ${M}_OK && run->done + 1 < rows) {
        const ${m}_real t = run->time;
        ${m}_real h = ${zero};
        status = ${m}_${method}_advance(
            y, ${held}t, times[rows - 1], relative, atol, max_steps, y_rate, y_next, run, &h);
        while (status == ${M}_OK && run->done + 1 < rows && times[run->done + 1] <= run->time) {
            const size_t row = (size_t)run->done + 1u;
            status = ${m}_${method}_record(
                y, y_rate, ${record_p}h, (times[row] - t)/h, &q[row*${nq_count}u], &u[row*${nu_count}u]);
            if (status == ${M}_OK) {
                run->done++;
            }
        }
        if (status == ${M}_OK) {
            for (int k = 0; k < ${n}; k++) {
                y[k] = y_next[k];
                y_rate[0][k] = y_rate[${stages} - 1][k];
            }
        }
    }
    return status;
}
