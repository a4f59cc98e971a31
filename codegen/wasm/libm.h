/* What the files of musl include: bits of doubles, and the functions that they share. */
#ifndef EOMC_FREESTANDING_LIBM_H
#define EOMC_FREESTANDING_LIBM_H

#include <features.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

/* WebAssembly rounds to nearest, and has neither floating-point flags nor signals. */
#define WANT_ROUNDING 0
#define TOINT_INTRINSICS 0
#define FORCE_EVAL(x) ((void)(x))
#define issignaling_inline(x) 0
#define predict_true(x) __builtin_expect(!!(x), 1)
#define predict_false(x) __builtin_expect(x, 0)
#define M_PI_2 1.57079632679489661923
#define fp_barrier(x) ((double)(x))
#define eval_as_double(x) ((double)(x))
#define fp_force_eval(x) ((void)(x))

static inline uint64_t asuint64(double x)
{
    const union { double f; uint64_t i; } u = {x};
    return u.i;
}

static inline double asdouble(uint64_t x)
{
    const union { uint64_t i; double f; } u = {x};
    return u.f;
}

#define EXTRACT_WORDS(hi, lo, x)                  \
    do {                                          \
        const uint64_t bits_ = asuint64(x);       \
        (hi) = (uint32_t)(bits_ >> 32);           \
        (lo) = (uint32_t)bits_;                   \
    } while (0)
#define GET_HIGH_WORD(hi, x) ((hi) = (uint32_t)(asuint64(x) >> 32))
#define GET_LOW_WORD(lo, x) ((lo) = (uint32_t)asuint64(x))
#define INSERT_WORDS(x, hi, lo) ((x) = asdouble(((uint64_t)(hi) << 32) | (uint32_t)(lo)))
#define SET_HIGH_WORD(x, hi) INSERT_WORDS(x, hi, (uint32_t)asuint64(x))
#define SET_LOW_WORD(x, lo) INSERT_WORDS(x, asuint64(x) >> 32, lo)

int __rem_pio2_large(double *, double *, int, int, int);
int __rem_pio2(double, double *);
double __sin(double, double, int);
double __cos(double, double);
double __tan(double, double, int);
double __expo2(double);
double __math_xflow(uint32_t, double);
double __math_uflow(uint32_t);
double __math_oflow(uint32_t);
double __math_divzero(uint32_t);
double __math_invalid(double);

#endif
