/*
 * Ends an expression on vectors: whatever compilers are allowed to do, such as to regroup sums, they
 * do not across it.
 */
#if (defined(__AVX512F__) && ${bytes} <= 64) || (defined(__AVX__) && ${bytes} <= 32) \
    || (defined(__SSE2__) && ${bytes} <= 16)
#define ${M}_PIN(x) __asm__("" : "+x"(x))
#elif defined(__aarch64__) && ${bytes} <= 16
#define ${M}_PIN(x) __asm__("" : "+w"(x))
#else
#define ${M}_PIN(x) __asm__("" : "+m"(x))
#endif

/* Angles of all lanes, their sines and cosines. */
typedef struct {
    ${m}_lanes_vector angle;
    ${m}_lanes_vector sine;
    ${m}_lanes_vector cosine;
} ${m}_lanes_turn;

/* Sine and cosine of the angles that are large, infinite or NaN, by the math library. */
static ${M}_NOINLINE void ${m}_lanes_far_turns(${m}_lanes_turn *turns, int count)
{
    for (int i = 0; i < count; i++) {
        for (int lane = 0; lane < ${M}_LANES; lane++) {
            const ${m}_real x = turns[i].angle[lane];
            if (!(fabs${f}(x) <= ${limit})) {
                turns[i].sine[lane] = sin${f}(x);
                turns[i].cosine[lane] = cos${f}(x);
            }
        }
    }
}

/* Sines and cosines by the same steps as in ${m}_sincos, quarter turns by bits. */
static ${M}_NOINLINE void ${m}_lanes_turns(${m}_lanes_turn *turns, int count)
{
    ${m}_lanes_mask is_near = ~(${m}_lanes_mask){0};
    for (int i = 0; i < count; i++) {
        const ${m}_lanes_vector x = turns[i].angle;
        ${m}_lanes_vector shifted = x*${per_half_pi} + ${rounder};
        ${m}_lanes_vector n, r1, second, third, r2, r, e, e1;
        ${M}_PIN(shifted);
        n = shifted - ${rounder};
        r1 = x - n*${half_pi_1};
        ${M}_PIN(r1);
        second = n*${half_pi_2};
        ${M}_PIN(second);
        third = n*${half_pi_3};
        ${M}_PIN(third);
        r2 = r1 - second;
        ${M}_PIN(r2);
        r = r2 - third;
        ${M}_PIN(r);
        e = (r2 - r) - third;
        ${M}_PIN(e);
        e1 = (r1 - r2) - second;
        ${M}_PIN(e1);
        e += e1;
        const ${m}_lanes_vector z = r*r;
        const ${m}_lanes_vector half = ${one_half}*z;
        const ${m}_lanes_vector w = ${one} - half;
        const ${m}_lanes_vector p = ${sine};
        const ${m}_lanes_vector k = ${cosine};
        const ${m}_lanes_vector s = r + (r*z*p + e*w);
        const ${m}_lanes_vector c = w + (((${one} - w) - half) + (z*z*k - r*e));
        /* The lowest bits of the shifted number count quarter turns. */
        const ${m}_lanes_mask quarter = (${m}_lanes_mask)shifted;
        const ${m}_lanes_mask odd = -(quarter & 1);
        const ${m}_lanes_mask s_sign = (quarter & 2) << ${sign_shift};
        const ${m}_lanes_mask c_sign = ((quarter + 1) & 2) << ${sign_shift};
        turns[i].sine = (${m}_lanes_vector)((${m}_lanes_mask)${M}_SELECT(odd, c, s) ^ s_sign);
        turns[i].cosine = (${m}_lanes_vector)((${m}_lanes_mask)${M}_SELECT(odd, s, c) ^ c_sign);
        is_near &= (${m}_lanes_mask)(${M}_ABS(x) <= ${M}_SPLAT(${limit}));
    }
    if (!${m}_lanes_all(&is_near)) {
        ${m}_lanes_far_turns(turns, count);
    }
}
