/*
 * Runs of many states: ${title}, steps of length h, inputs constant over each step.
 *
 * q and u hold the histories, rows 0 to steps/every of (${nq}, count) and (${width}, count) numbers,
 * the first of which the caller sets; the last step of each `every` is recorded. Entry i of an input
 * of state k in step s stands at rows[s*step + i*entry + k*state]. codes[k] is the code of state k;
 * what follows its failure is NaN.
${behind} */
${M}_KERNEL void ${m}_${method}_rollouts(
    ${m}_real *q,
    ${m}_real *u,
${signal_declarations}${feedback_declaration}${time_declaration}    ${m}_real h,
    int steps,
    int every,
    int *codes,
    size_t count)
{
    ${M}_STATES(k, count) {
        ${m}_real q_next[${nq}];
        ${m}_real u_next[${width}];
${row_arrays}        int status = ${M}_OK;
        for (size_t i = 0; i < ${nq}; i++) {
            q_next[i] = q[i*count + k];
        }
        for (size_t i = 0; i < ${width}; i++) {
            u_next[i] = u[i*count + k];
        }
        for (int step = 0; step < steps; step++) {
            if (status == ${M}_OK) {
                const ${m}_real time = ${start}(${m}_real)step*h;
${row_loads}${feedback_call}                if (status == ${M}_OK) {
                    status = ${step}(q_next, u_next, ${held}time, h${how});
                }
                for (int i = 0; status != ${M}_OK && i < ${nq}; i++) {
                    q_next[i] = nan${f}("");
                }
                for (int i = 0; status != ${M}_OK && i < ${width}; i++) {
                    u_next[i] = nan${f}("");
                }
            }
            if ((step + 1) % every == 0) {
                const size_t row = (size_t)((step + 1)/every);
                for (size_t i = 0; i < ${nq}; i++) {
                    q[(row*${nq} + i)*count + k] = q_next[i];
                }
                for (size_t i = 0; i < ${width}; i++) {
                    u[(row*${width} + i)*count + k] = u_next[i];
                }
            }
        }
        codes[k] = status;
    }
}
