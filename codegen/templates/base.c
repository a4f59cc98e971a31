/*
 * A place that distances to its neighbours are counted from: of compilers for x86, whose
 * instructions take one byte for short distances and four for others, its own place is hidden.
 * Where a file computes on vectors alone, nothing calls it.
 */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((unused))
#endif
static inline ${m}_real *${m}_base(${m}_real *place)
{
    ${m}_real *base = place;
#if defined(__GNUC__) && defined(__x86_64__)
    __asm__("" : "+r"(base));
#endif
    return base;
}
