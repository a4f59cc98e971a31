/* Angles side by side; stored as they will be loaded, so that no load waits for several stores. */
static ${M}_INLINE void ${m}_set_turns(
    ${m}_real *angles,
    ${arguments})
{
#if ${M}_TURN_BYTES
    ${m}_turn_vector *place = (${m}_turn_vector *)(void *)angles;
#endif
#if ${M}_TURN_BYTES == 64
${by_64}
#elif ${M}_TURN_BYTES == 32
${by_32}
#elif ${M}_TURN_BYTES == 16
${by_16}
#else
${one_by_one}
#endif
}
