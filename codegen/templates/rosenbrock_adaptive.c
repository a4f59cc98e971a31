/* The root mean square of the errors of q and u over the tolerances at the ends of a step. */
static ${m}_real ${m}_${method}_error(
    const ${m}_real q[${nq}],
    const ${m}_real u[${n}],
    const ${m}_real q_next[${nq}],
    const ${m}_real u_next[${n}],
    const ${m}_real q_error[${nq}],
    const ${m}_real u_error[${n}],
    ${m}_real rtol,
    ${m}_real atol)
{
    ${m}_real sum = ${zero};
    for (int k = 0; k < ${nq}; k++) {
        const ${m}_real most = fmax${f}(fabs${f}(q[k]), fabs${f}(q_next[k]));
        const ${m}_real ratio = q_error[k]/(atol + rtol*most);
        sum += ratio*ratio;
    }
    for (int k = 0; k < ${n}; k++) {
        const ${m}_real most = fmax${f}(fabs${f}(u[k]), fabs${f}(u_next[k]));
        const ${m}_real ratio = u_error[k]/(atol + rtol*most);
        sum += ratio*ratio;
    }
    return sqrt${f}(sum/${all}.0${f});
}

/* A trial of a step of length h from time t: the state at its end, and the error over the tolerance. */
static int ${m}_${method}_trial(
    const ${m}_real q[${M}_RESTRICT ${nq}],
    const ${m}_real u[${M}_RESTRICT ${n}],
${held_declarations}    ${m}_real t,
    ${m}_real h,
    ${m}_real rtol,
    ${m}_real atol,
    ${m}_real q_next[${M}_RESTRICT ${nq}],
    ${m}_real u_next[${M}_RESTRICT ${n}],
    ${m}_real *error)
{
    ${m}_real estimate[${estimates}];
    ${m}_real q_error[${nq}];
    int status = ${m}_${method}_try(q, u, ${held}t, h, q_next, u_next, estimate);
    if (status == ${M}_OK) {
        status = ${coordinate_rates}(${coordinate_rates_arguments}, q_error);
    }
    if (status == ${M}_OK) {
        *error = ${m}_${method}_error(
            q, u, q_next, u_next, q_error, &estimate[${nu}], rtol, atol);
    }
    return status;
}

${advance}
int ${m}_${method}_adaptive(
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
    int status = ${M}_OK;
    run->time = times[0];
    run->done = 0;
    run->steps = 0;
    run->rejected = 0;
    if (rows > 1 && !(run->h > ${zero})) {
        run->h = 1e-3${f}*(times[rows - 1] - times[0]);
    }
    while (status == ${M}_OK && run->done + 1 < rows) {
        const size_t row = (size_t)run->done + 1u;
        const ${m}_real end = times[row];
        ${m}_real q_now[${nq}];
        ${m}_real u_now[${n}];
        for (int k = 0; k < ${nq}; k++) {
            q_now[k] = q[(row - 1u)*${nq}u + (size_t)k];
        }
        for (int k = 0; k < ${n}; k++) {
            u_now[k] = u[(row - 1u)*${n}u + (size_t)k];
        }
        while (status == ${M}_OK && run->time < end) {
            ${m}_real h = ${zero};
            status = ${m}_${method}_advance(
                q_now, u_now, ${held}run->time, end, relative, atol, max_steps, &q[row*${nq}u],
                &u[row*${n}u], run, &h);
            for (int k = 0; k < ${nq}; k++) {
                q_now[k] = q[row*${nq}u + (size_t)k];
            }
            for (int k = 0; k < ${n}; k++) {
                u_now[k] = u[row*${n}u + (size_t)k];
            }
        }
        if (status == ${M}_OK) {
            run->done++;
        }
    }
    return status;
}
