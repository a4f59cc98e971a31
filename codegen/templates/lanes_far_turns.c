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
