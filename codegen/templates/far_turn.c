/*
 * Ends an expression: whatever compilers are allowed to do, such as to regroup sums or to keep more
 * digits than ${m}_real has, they do not across it.
 */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__SSE2_MATH__)
#define ${M}_PIN(x) __asm__("" : "+x"(x))
#elif (defined(__GNUC__) || defined(__clang__)) && defined(__aarch64__)
#define ${M}_PIN(x) __asm__("" : "+w"(x))
#elif defined(__GNUC__) || defined(__clang__)
#define ${M}_PIN(x) __asm__("" : "+m"(x))
#elif defined(_MSC_VER) && !defined(_M_FP_FAST)
#define ${M}_PIN(x) ((void)0)
#else
#define ${M}_PIN(x) \
    do { \
        volatile ${m}_real pinned = (x); \
        (x) = pinned; \
    } while (0)
#endif

/* Sine and cosine of large angles, infinities and NaN. */
typedef struct {
    ${m}_real sine;
    ${m}_real cosine;
} ${m}_turn;

static ${M}_NOINLINE ${m}_turn ${m}_far_turn(${m}_real x)
{
    const ${m}_turn turn = {sin${f}(x), cos${f}(x)};
    return turn;
}
