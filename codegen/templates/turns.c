#if ${M}_TURN_BYTES
/* Sine and cosine of the angles that are large, infinite or NaN, by the math library. */
static ${M}_NOINLINE void ${m}_far_turns(${m}_real *turns, int count)
{
    for (int i = 0; i < count; i++) {
        if (!(fabs${f}(turns[i]) <= ${limit})) {
            const ${m}_turn turn = ${m}_far_turn(turns[i]);
            turns[count + i] = turn.sine;
            turns[2*count + i] = turn.cosine;
        }
    }
}
#endif

/*
 * After so many angles their sines, then their cosines: the same steps for several angles at once,
 * quarter turns by bits. The count fills whole vectors.
 */
static ${M}_NOINLINE void ${m}_turns(${m}_real *turns, int count)
{
#if ${M}_TURN_BYTES
    const int lanes = ${M}_TURN_BYTES/${real_bytes};
    ${m}_turn_vector *angles = (${m}_turn_vector *)(void *)turns;
    ${m}_turn_vector *sines = (${m}_turn_vector *)(void *)(turns + count);
    ${m}_turn_vector *cosines = (${m}_turn_vector *)(void *)(turns + 2*count);
    ${m}_turn_mask many = {0};
    ${m}_turn_vector rounder = (${m}_turn_vector){0} + ${rounding};
    int far = 0;
    ${M}_PIN(rounder);
    for (int i = 0; i < count/lanes; i++) {
        const ${m}_turn_vector x = angles[i];
        ${steps}
        ${quarter_turns}
        sines[i] = (${m}_turn_vector)((${m}_turn_mask)s ^ swapped ^ s_sign);
        cosines[i] = (${m}_turn_vector)((${m}_turn_mask)c ^ swapped ^ c_sign);
    }
    for (int lane = 0; lane < lanes; lane++) {
        far |= (many[lane] & ${high_bits}) != 0;
    }
    if (far) {
        ${m}_far_turns(turns, count);
    }
#else
    for (int i = 0; i < count; i++) {
        ${m}_sincos(turns[i], &turns[count + i], &turns[2*count + i]);
    }
#endif
}
