static int eomc_run_${method}(
    ${m}_real *q, ${m}_real *u, const ${m}_real *const *x, const ${m}_real *times, int rows,
    ${m}_real rtol, ${m}_real atol, int max_steps, ${m}_adaptive_run *run)
{
    (void)x;
    return ${m}_${method}(
        ${arguments}, times, rows, rtol, atol, max_steps, run);
}
