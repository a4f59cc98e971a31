/* Cores that lower their clock for all that follows a product of 512 bits. */
#if defined(__skylake_avx512__) || defined(__cascadelake__) || defined(__cooperlake__) \
    || defined(__cannonlake__) || defined(__icelake_client__) || defined(__icelake_server__) \
    || defined(__tigerlake__) || defined(__rocketlake__)
#define ${M}_CLOCK_FALLS
#endif

/*
 * Bytes of the vectors on which sines and cosines of several angles are computed at once; 0 where
 * compilers know none, or where scalars have more digits than vectors, as on x87.
 */
#if !defined(__GNUC__) || (__GNUC__ < 9 && !defined(__clang__)) || defined(_WIN32) \
    || defined(${M}_NO_VECTORS) || __FLT_EVAL_METHOD__ > 0
#define ${M}_TURN_BYTES 0
#elif defined(__AVX512F__) && !defined(${M}_CLOCK_FALLS)
#define ${M}_TURN_BYTES 64
#elif defined(__AVX2__)
#define ${M}_TURN_BYTES 32
#elif defined(__SSE2__) || defined(__aarch64__) || defined(__wasm_simd128__)
#define ${M}_TURN_BYTES 16
#else
#define ${M}_TURN_BYTES 0
#endif

#if ${M}_TURN_BYTES
#define ${M}_ALIGNED __attribute__((aligned(${M}_TURN_BYTES)))
typedef ${m}_real ${m}_turn_vector __attribute__((vector_size(${M}_TURN_BYTES), may_alias));
typedef ${integer} ${m}_turn_mask __attribute__((vector_size(${M}_TURN_BYTES)));
#else
#define ${M}_ALIGNED
#endif
