/* Whether the values of two like limbs are computed side by side. */
#if ${M}_TURN_BYTES
#define ${M}_PAIRS 1
typedef ${m}_real ${m}_pair __attribute__((vector_size(${pair_bytes}), may_alias));
#define ${M}_PAIR_AT(array, i) (*(${m}_pair *)(void *)((array) + (i)))
#else
#define ${M}_PAIRS 0
#endif
