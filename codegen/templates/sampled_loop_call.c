/* What Python calls: arguments of all loops alike. */

#include "${l}.h"

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
int eomc_loop(
    const double *numbers, const int *counts, unsigned long long seed, const double *times,
    const double *references, const double *const *x, double *coming, double *q, double *u,
    double *tau, int *done);

int eomc_loop(
    const double *numbers, const int *counts, unsigned long long seed, const double *times,
    const double *references, const double *const *x, double *coming, double *q, double *u,
    double *tau, int *done)
{
    ${l}_settings settings;
    ${c}_state state;
    settings.first = numbers[0];
    settings.period = numbers[1];
    settings.delay = numbers[2];
    settings.longest = numbers[3];
    settings.rtol = numbers[4];
    settings.atol = numbers[5];
    for (int k = 0; k < ${actuated}; k++) {
        settings.lag[k] = numbers[6 + k];
    }
    settings.adaptive = counts[0];
    settings.max_steps = counts[1];
    settings.samples = counts[2];
    settings.room = counts[3];
    (void)x;
    (void)seed;
    ${c}_init(&state${seed});
    return ${l}_run(
        &settings, &state, times, counts[4], references, ${arguments}coming, q, u, tau, done);
}
