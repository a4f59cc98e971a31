/* Equations of motion of ${title}, made by eomc: CUDA C++, or C++ on a processor. */
#ifndef __CUDACC_RTC__
#include <math.h>
#include <stddef.h>
#endif

#ifdef __CUDACC__
#define ${M}_DEVICE static __device__
#define ${M}_METHOD __device__
#define ${M}_PIECE static __device__ __noinline__
#define ${M}_TABLE static __device__ const
#define ${M}_KERNEL extern "C" __global__
#define ${M}_ROLLED _Pragma("unroll 1")
#define ${M}_STATES(k, count) \
    for (size_t k = blockIdx.x*(size_t)blockDim.x + threadIdx.x; k < (count); \
         k += gridDim.x*(size_t)blockDim.x)
#else
#define ${M}_DEVICE static inline
#define ${M}_METHOD
#define ${M}_PIECE [[maybe_unused]] static
#define ${M}_TABLE static const
#define ${M}_KERNEL extern "C"
#define ${M}_ROLLED
#define ${M}_STATES(k, count) for (size_t k = 0; k < (count); k++)
#endif
#define ${M}_RESTRICT

typedef ${real} ${m}_real;

/* Entries of one state among the arrays of all, or of an array of its own. */
struct ${m}_input {
    const ${m}_real *first;
    size_t count;
    ${M}_METHOD ${m}_input(const ${m}_real *place, size_t apart = 1) : first(place), count(apart)
    {
    }
    ${M}_METHOD const ${m}_real &operator[](size_t i) const
    {
        return first[i*count];
    }
};

struct ${m}_output {
    ${m}_real *first;
    size_t count;
    ${M}_METHOD ${m}_output(${m}_real *place, size_t apart = 1) : first(place), count(apart)
    {
    }
    ${M}_METHOD ${m}_real &operator[](size_t i) const
    {
        return first[i*count];
    }
};

${sine_cosine}
${declarations}${functions}${steps}