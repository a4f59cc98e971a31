/* Sine and cosine of the angles that are large, infinite or NaN, by the math library. */
static ${M}_NOINLINE void ${m}_lanes_far_turns(${m}_lanes_vector *turns, int count)
{
    for (int i = 0; i < count; i++) {
        for (int lane = 0; lane < ${M}_LANES; lane++) {
            const ${m}_real x = turns[i][lane];
            if (!(fabs${f}(x) <= ${limit})) {
                turns[count + i][lane] = sin${f}(x);
                turns[2*count + i][lane] = cos${f}(x);
            }
        }
    }
}

/*
 * After so many angles their sines, then their cosines, by the same steps as in ${m}_sincos, quarter
 * turns by bits.
 */
static ${M}_NOINLINE void ${m}_lanes_turns(${m}_lanes_vector *turns, int count)
{
    ${m}_lanes_mask many = {0};
    ${m}_lanes_vector rounder = (${m}_lanes_vector){0} + ${rounding};
    ${M}_PIN(rounder);
    for (int i = 0; i < count; i++) {
        const ${m}_lanes_vector x = turns[i];
        ${steps}
        ${quarter_turns}
        turns[count + i] = (${m}_lanes_vector)((${m}_lanes_mask)s ^ swapped ^ s_sign);
        turns[2*count + i] = (${m}_lanes_vector)((${m}_lanes_mask)c ^ swapped ^ c_sign);
    }
    const ${m}_lanes_mask few = (${m}_lanes_mask)((many & ${high_bits}) == 0);
    if (!${m}_lanes_all(&few)) {
        ${m}_lanes_far_turns(turns, count);
    }
}
