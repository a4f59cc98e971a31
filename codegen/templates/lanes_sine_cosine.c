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
        ${steps}
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
