${banner}
#include "${m}.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__OPTIMIZE_SIZE__)
#define ${M}_INLINE inline __attribute__((always_inline))
#else
#define ${M}_INLINE inline
#endif

#if defined(__GNUC__) || defined(__clang__)
#define ${M}_NOINLINE __attribute__((noinline))
#elif defined(_MSC_VER)
#define ${M}_NOINLINE __declspec(noinline)
#else
#define ${M}_NOINLINE
#endif

${support}${functions}
