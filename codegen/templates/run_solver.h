static int eomc_solve_${solver}(
    const ${m}_real *const *x, ${m}_real *const *y, int *order, int *rank, ${m}_real tolerance,
    int max_steps)
{
    (void)x;
    (void)order;
    (void)rank;
    (void)tolerance;
    (void)max_steps;
    return ${m}_${solver}(${arguments});
}
