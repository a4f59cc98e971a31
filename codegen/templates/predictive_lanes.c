
/* Steps from all nodes with their derivatives, as many at once as the model has lanes. */
static int ${m}_evaluate(${m}_state *state, ${m}_real h_held, const ${m}_host *p)
{
    const int lanes = p->lanes;
    for (int first = 0; first < ${nodes}; first += lanes) {
        ${m}_real q[${nq}*${most_lanes}];
        ${m}_real u[${nu}*${most_lanes}];
        ${m}_real h[${most_lanes}];
        ${m}_real a[${nx}*${nx}*${most_lanes}];
        ${m}_real b[${nx}*${nb}*${most_lanes}];
        ${m}_real q_next[${nq}*${most_lanes}];
        ${m}_real u_next[${nu}*${most_lanes}];
${lane_arrays}        int codes[${most_lanes}] = {0};
        int status;
        for (int lane = 0; lane < lanes; lane++) {
            const ${m}_stage *at =
                &state->stages[first + lane < ${nodes} ? first + lane : ${nodes} - 1];
            for (int i = 0; i < ${nq}; i++) {
                q[i*lanes + lane] = at->x[i];
                u[i*lanes + lane] = at->x[${nq} + i];
            }
            h[lane] = h_held;
${lane_forces}        }
        {
            const void *const x[] = {${lane_inputs}p->lane_parameters};
            void *const y[] = {${lane_outputs}};
            status = p->lanes > 1 ? p->lanes_derivatives(x, y, codes)
                                  : p->rk4_step_derivatives(x, y);
        }
        if (status != 0) {
            return ${hosted_code};
        }
        for (int lane = 0; lane < lanes && first + lane < ${nodes}; lane++) {
            ${m}_stage *at = &state->stages[first + lane];
            for (int i = 0; i < ${nq}; i++) {
                at->gap[i] = q_next[i*lanes + lane];
                at->gap[${nq} + i] = u_next[i*lanes + lane];
            }
            for (int i = 0; i < ${nx}*${nx}; i++) {
                at->a[i] = a[i*lanes + lane];
            }
            for (int i = 0; i < ${nx}; i++) {
                for (int j = 0; j < ${nv}; j++) {
                    at->b[i*${nv} + j] = b[(i*${nb} + ${m}_control_place[j])*lanes + lane];
                }
            }
        }
#if ${exact}
        {
            ${m}_real w[${nx}*${most_lanes}];
            ${m}_real bent[${nh}*${nh}*${most_lanes}];
            const void *const x[] = {${lane_inputs}w, p->lane_parameters};
            void *const y[] = {bent};
            for (int lane = 0; lane < lanes; lane++) {
                const int k = first + lane < ${nodes} ? first + lane : ${nodes} - 1;
                for (int i = 0; i < ${nx}; i++) {
                    w[i*lanes + lane] = state->stages[k + 1].price[i];
                }
            }
            status = p->lanes > 1 ? p->lanes_hessian(x, y, codes) : p->rk4_step_hessian(x, y);
            if (status != 0) {
                return ${hosted_code};
            }
            for (int lane = 0; lane < lanes && first + lane < ${nodes}; lane++) {
                ${m}_stage *at = &state->stages[first + lane];
                for (int i = 0; i < ${nz}; i++) {
                    for (int j = 0; j < ${nz}; j++) {
                        at->bent[i*${nz} + j] = bent[
                            (${m}_kept_place[i]*${nh} + ${m}_kept_place[j])*lanes + lane];
                    }
                }
            }
        }
#endif
    }
    return ${M}_OK;
}
