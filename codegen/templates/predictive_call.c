/* What Python calls: the trajectory of the state in rows of arrays. */

#if ${hosts_model}
#include <string.h>
#endif
#include "${m}.h"

#if defined(__GNUC__)
#define SEEN __attribute__((visibility("default")))
#else
#define SEEN
#endif

SEEN int eomc_size(void);
int eomc_size(void)
{
    return (int)sizeof(${m}_state);
}

#if ${hosts_model}
SEEN int eomc_find(const eomc_table *table, const char *name, int which, ${m}_host *host);
int eomc_find(const eomc_table *table, const char *name, int which, ${m}_host *host)
{
    const eomc_entry *entry = table->functions;
    while (entry->name != NULL && strcmp(entry->name, name) != 0) {
        entry++;
    }
    if (entry->name == NULL) {
        return 0;
    }
    if (which == 0) {
        host->rk4_step = entry->call;
    } else if (which == 1) {
        host->rk4_step_derivatives = entry->call;
        host->lanes_derivatives = entry->lanes;
        host->lanes = table->lanes <= ${most_lanes} && entry->lanes != NULL ? table->lanes : 1;
    } else {
        host->rk4_step_hessian = entry->call;
        host->lanes_hessian = entry->lanes;
        host->lanes = entry->lanes == NULL || table->lanes != host->lanes ? 1 : host->lanes;
    }
    return table->real;
}

SEEN int eomc_host(${m}_host *host, const void *parameters, const void *lane_parameters);
int eomc_host(${m}_host *host, const void *parameters, const void *lane_parameters)
{
    host->parameters = parameters;
    host->lane_parameters = lane_parameters;
    return host->lanes;
}

#endif
#if ${solves}
SEEN int eomc_solve(
    ${m}_state *state, const double *problem, const double *centres, double tolerance, int most,
    const void *p, double *x, double *v, double *prices, double *multipliers, int *told);
int eomc_solve(
    ${m}_state *state, const double *problem, const double *centres, double tolerance, int most,
    const void *p, double *x, double *v, double *prices, double *multipliers, int *told)
{
    int status;
    (void)p;
    (void)multipliers;
    for (int i = 0; i < ${nz}; i++) {
        state->centre[i] = centres[i];
    }
    for (int i = 0; i < ${nx}; i++) {
        state->final_centre[i] = centres[${nz} + i];
    }
    for (int k = 0; k <= ${nodes}; k++) {
        for (int i = 0; i < ${nx}; i++) {
            state->stages[k].x[i] = x[k*${nx} + i];
            state->stages[k].price[i] = ${zero};
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            state->stages[k].v[i] = v[k*${nv} + i];
        }
    }
    status = ${m}_solve(
        state, (const ${m}_problem *)(const void *)problem, tolerance, most${also_cast}, &told[0]);
    told[1] = state->failed_stage;
    told[2] = state->failed_state;
    for (int k = 0; k <= ${nodes}; k++) {
        for (int i = 0; i < ${nx}; i++) {
            x[k*${nx} + i] = state->stages[k].x[i];
            prices[k*${nx} + i] = state->stages[k].price[i];
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            v[k*${nv} + i] = state->stages[k].v[i];
        }
#if ${bounded}
        for (int row = 0; row < ${rows}; row++) {
            multipliers[k*${rows} + row] = state->stages[k].multiplier[row];
        }
#endif
    }
    return status;
}
#else
SEEN void eomc_begin(${m}_state *state);
void eomc_begin(${m}_state *state)
{
    ${m}_init(state);
}

SEEN void eomc_plan(const ${m}_state *state, double *x, double *v);
void eomc_plan(const ${m}_state *state, double *x, double *v)
{
    for (int k = 0; k <= ${nodes}; k++) {
        for (int i = 0; i < ${nx}; i++) {
            x[k*${nx} + i] = state->stages[k].x[i];
        }
        for (int i = 0; k < ${nodes} && i < ${nv}; i++) {
            v[k*${nv} + i] = state->stages[k].v[i];
        }
    }
}

SEEN int eomc_sample(
    ${m}_state *state, const double *q, const double *u, const double *q_d, const double *u_d,
    const void *p, double *made, int *told);
int eomc_sample(
    ${m}_state *state, const double *q, const double *u, const double *q_d, const double *u_d,
    const void *p, double *made, int *told)
{
    const int status = ${m}_step(state, q, u, q_d, u_d${also_cast}, made);
    (void)p;
    told[0] = state->iterations;
    told[1] = state->failed_stage;
    told[2] = state->failed_state;
    return status;
}
#endif
