static int eomc_run_${method}(
    ${m}_real *q, ${m}_real *u, const ${m}_real *const *x, ${m}_real t, ${m}_real h,
    int steps, int per_step, int *done)
{
    (void)x;
    (void)t;
    return ${m}_${method}_trajectory(
        ${arguments}, h, steps, per_step, done);
}
