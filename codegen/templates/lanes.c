${banner}
#include "${m}.h"

#include <math.h>
#include <stddef.h>

/* Not where scalars have more digits than vectors, as on x87. */
#if defined(__GNUC__) && (__GNUC__ >= 9 || defined(__clang__)) && !defined(_WIN32) \
    && !defined(${M}_NO_VECTORS) && __FLT_EVAL_METHOD__ <= 0
#define ${M}_VECTORS 1
#define ${M}_NOINLINE __attribute__((noinline))
#define ${M}_INLINE inline __attribute__((always_inline))
/* Arrays of whole vectors, none of which lies across two lines of the cache. */
#define ${M}_LANES_ALIGNED __attribute__((aligned(${bytes})))
/* Whether vectors can be shuffled by literal indices. */
#if defined(__clang__) || __GNUC__ >= 12
#define ${M}_SHUFFLES 1
#else
#define ${M}_SHUFFLES 0
#endif
#else
#define ${M}_VECTORS 0
#define ${M}_LANES_ALIGNED
#define ${M}_SHUFFLES 0
#endif

#if ${M}_VECTORS
/* One number of each state; in arguments it is not aligned. */
typedef ${m}_real ${m}_lanes_vector __attribute__((vector_size(${bytes})));
typedef ${m}_real ${m}_lanes_row
    __attribute__((vector_size(${bytes}), aligned(${real_bytes}), may_alias));
/* The result of a comparison: all bits of a lane, or none. */
typedef ${integer} ${m}_lanes_mask __attribute__((vector_size(${bytes})));

#define ${M}_ROW(array, i) (((const ${m}_lanes_row *)(const void *)(array))[i])
#define ${M}_PUT(array, i) (((${m}_lanes_row *)(void *)(array))[i])
#define ${M}_SPLAT(number) ((number) - (${m}_lanes_vector){0})
#define ${M}_SELECT(mask, a, b) \
    ((${m}_lanes_vector)(((mask) & (${m}_lanes_mask)(a)) | (~(mask) & (${m}_lanes_mask)(b))))
#define ${M}_ABS(a) \
    ((${m}_lanes_vector)((${m}_lanes_mask)(a) & ~(${m}_lanes_mask)(-(${m}_lanes_vector){0})))
#endif

${support}${functions}
