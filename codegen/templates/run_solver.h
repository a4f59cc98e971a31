static int eomc_solve_${solver}(
    const void *const *x, void *const *y, int *order, int *rank, double tolerance, int max_steps)
{
    (void)x;
    (void)order;
    (void)rank;
    (void)tolerance;
    (void)max_steps;
    return ${m}_${solver}(${arguments});
}
