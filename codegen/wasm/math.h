/* What the C files of a model ask of <math.h>, where there is no C library. */
#ifndef EOMC_FREESTANDING_MATH_H
#define EOMC_FREESTANDING_MATH_H

typedef double double_t;
typedef float float_t;

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) __builtin_signbit(x)

/* One instruction each, exact by IEEE 754. */
#define fabs(x) __builtin_fabs(x)
#define sqrt(x) __builtin_sqrt(x)

/* Of WebAssembly's own f64.min and f64.max a NaN comes back; of C's it does not. */
static inline double fmin(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a < b ? a : b;
}

static inline double fmax(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a > b ? a : b;
}

double exp(double), expm1(double), log(double), log1p(double), pow(double, double);
double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double);
double atan2(double, double), sinh(double), cosh(double), tanh(double);
double asinh(double), acosh(double), atanh(double), floor(double), scalbn(double, int);

#endif
