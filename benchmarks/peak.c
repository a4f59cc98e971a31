/* As many independent additions and multiplications, in equal parts, as the processor can do. */
#if LANES > 1
typedef double number __attribute__((vector_size(8 * LANES)));
#else
typedef double number;
#endif

/* Enough to fill the pipelines of three units, few enough for 16 registers. */
#define CHAINS 12

void call(const double *x, double *y);

void call(const double *x, double *y)
{
    const number factor = (number){0} + (1.0 + 1e-9 * x[0]);
    const number term = (number){0} + 1e-9 * x[0];
    number chain[CHAINS];
    int i, k;
    for (i = 0; i < CHAINS; i++) {
        chain[i] = factor * (double)i;
    }
    for (k = 0; k < ROUNDS; k++) {
#pragma GCC unroll 16
        for (i = 0; i < CHAINS; i++) {
            chain[i] = i % 2 ? chain[i] * factor : chain[i] + term;
        }
    }
    for (i = 1; i < CHAINS; i++) {
        chain[0] += chain[i];
    }
    __builtin_memcpy(y, &chain[0], sizeof chain[0]);
}
