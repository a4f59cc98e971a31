/*
 * Ends an expression on vectors: whatever compilers are allowed to do, such as to regroup sums, they
 * do not across it. Eight bytes are a vector that x86 compilers take for one of MMX: to memory.
 */
#if (defined(__AVX512F__) && ${bytes} == 64) || (defined(__AVX__) && ${bytes} == 32) \
    || (defined(__SSE2__) && ${bytes} == 16)
#define ${M}_PIN(x) __asm__("" : "+x"(x))
#elif defined(__aarch64__) && ${bytes} <= 16
#define ${M}_PIN(x) __asm__("" : "+w"(x))
#else
#define ${M}_PIN(x) __asm__("" : "+m"(x))
#endif
