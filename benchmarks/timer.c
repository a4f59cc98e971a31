/* Thread CPU time of many calls of one function over a ring of states. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds that `calls` calls take; x holds `states` rows of `stride` numbers, a power of two. */
double time_calls(
    void (*function)(const double *x, double *y), const double *x, long stride, long states,
    long calls, double *y)
{
    long i;
    double start = now();
    for (i = 0; i < calls; i++) {
        function(x + (i & (states - 1)) * stride, y);
    }
    return now() - start;
}
