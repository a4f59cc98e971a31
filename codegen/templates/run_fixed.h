static int eomc_run_${method}(
    void *q, void *u, const void *const *x, double t, double h, int steps, int per_step, int *done)
{
    (void)x;
    (void)t;
    return ${m}_${method}_trajectory(
        ${arguments}, (${m}_real)h, steps, per_step, done);
}
