static int eomc_run_${method}_rollouts(
    void *q, void *u, const eomc_signal *inputs, const eomc_signal *references, const void *kp,
    const void *kd, int computed_torque, double t, double h, int steps, int every, size_t groups,
    size_t *bad)
{
    const size_t rows = (size_t)(steps/every + 1)*${lanes};
    int codes[${lanes}];
    size_t group;
    int i;
    (void)t;
    for (group = 0; group < groups; group++) {
        ${m}_signal at[${most_signals}];
        int status;
${feedback}        for (i = 0; i < ${signals}; i++) {
            at[i] = eomc_typed(&inputs[i], group);
        }
        status = ${m}_${method}_rollouts(
            (${m}_real *)q + group*rows*${nq}, (${m}_real *)u + group*rows*${width},
            ${arguments});
${failed}    }
    return 0;
}
