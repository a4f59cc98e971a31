${banner}
#ifndef ${M}_H
#define ${M}_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Array arguments never overlap an output; C++ and some compilers have no word for it here, and
 * MISRA C none at all (-D${M}_NO_RESTRICT).
 */
#if defined(__cplusplus) || (defined(_MSC_VER) && !defined(__clang__)) \
    || defined(${M}_NO_RESTRICT)
#define ${M}_RESTRICT
#else
#define ${M}_RESTRICT restrict
#endif

/*
 * Every loop of these functions ends after passes whose number is known before the call: it is a
 * constant of the model, or what the comment of the function says. Sines and cosines have no loop.
 */

/* Scalar type of this model. */
typedef ${real} ${m}_real;

${status}
${indices}${parameters}${functions}
#ifdef __cplusplus
}
#endif

#endif /* ${M}_H */
