#define EOMC_SIGNALS ${signals}
#define EOMC_NU ${nu}
typedef ${m}_signal eomc_signal;

static int eomc_run_rollouts(
    ${m}_real *q, ${m}_real *u, const eomc_signal *inputs, const eomc_signal *references,
    const ${m}_real *kp, const ${m}_real *kd, int computed_torque, ${m}_real t, ${m}_real h,
    int steps, int every, npy_intp groups, npy_intp *bad)
{
    const size_t rows = (size_t)(steps/every + 1)*EOMC_LANES;
    int codes[EOMC_LANES];
    npy_intp group;
    int i;
    for (group = 0; group < groups; group++) {
        eomc_signal at[${most_signals}];
        int status;
${feedback}        for (i = 0; i < EOMC_SIGNALS; i++) {
            at[i] = inputs[i];
            at[i].rows += (size_t)group*EOMC_LANES*at[i].state;
        }
        status = ${m}_${method}_rollouts(
            q + (size_t)group*rows*${nq}, u + (size_t)group*rows*${width},
            ${arguments});
        if (status != 0) {
            for (i = 0; codes[i] == 0; i++) {
            }
            *bad = group*EOMC_LANES + i;
            return codes[i];
        }
    }
    return 0;
}
