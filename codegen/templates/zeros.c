/*
 * Zeros to four neighbours, by vectors: of a loop as short, and of its like one after the other,
 * compilers make an instruction that takes long to start.
 */
static ${M}_INLINE void ${m}_four_zeros(${m}_real *first)
{
#if ${M}_TURN_BYTES
    typedef ${m}_real four
        __attribute__((vector_size(${bytes}), aligned(${real_bytes}), may_alias));
    *(four *)(void *)first = (four){0};
#else
    first[0] = ${zero};
    first[1] = ${zero};
    first[2] = ${zero};
    first[3] = ${zero};
#endif
}
