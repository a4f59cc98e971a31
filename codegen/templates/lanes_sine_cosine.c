/*
 * After so many angles their sines, then their cosines, by the same steps as in ${m}_sincos, quarter
 * turns by bits.${remark}
 */
static ${M}_NOINLINE void ${m}_lanes_turns${beside}(
    ${m}_lanes_vector *turns, int count${arguments})
{
    ${m}_lanes_mask many = {0};
    ${m}_lanes_vector rounder = (${m}_lanes_vector){0} + ${rounding};
    ${M}_PIN(rounder);
    for (int i = 0; i < count; i++) {
${clearing}        const ${m}_lanes_vector x = turns[i];
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
