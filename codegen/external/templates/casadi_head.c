/* ${name} for CasADi's external functions, made by eomc. Dense inputs; outputs by compressed columns. */

#include "${prefix}.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#elif defined(__GNUC__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

typedef long long int casadi_int;

/* What an argument that is not given stands for. */
static const double zeros[${largest}] = {0};

/* Nonzero entries of a row-major array, in the order of columns. */
static void copy(double *to, const double *from, const int *places, int count)
{
    int k;
    if (to) {
        for (k = 0; k < count; ++k) {
            to[k] = from[places[k]];
        }
    }
}

/* A matrix by rows, from one by columns. */
static void by_rows(double *to, const double *from, int rows, int columns)
{
    int i, j;
    for (i = 0; i < rows; ++i) {
        for (j = 0; j < columns; ++j) {
            to[i * columns + j] = from ? from[j * rows + i] : 0.0;
        }
    }
}
