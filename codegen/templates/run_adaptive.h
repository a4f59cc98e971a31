static int eomc_run_${method}(
    void *q, void *u, const void *const *x, const void *times, int rows, double rtol, double atol,
    int max_steps, eomc_adaptive_run *record)
{
    ${m}_adaptive_run run = {(${m}_real)record->h, 0, 0, 0, 0};
    int status;
    (void)x;
    status = ${m}_${method}(
        ${arguments}, times, rows, (${m}_real)rtol, (${m}_real)atol, max_steps, &run);
    record->h = run.h;
    record->time = run.time;
    record->done = run.done;
    record->steps = run.steps;
    record->rejected = run.rejected;
    return status;
}
