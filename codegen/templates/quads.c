/* Whether the values of two like limbs, and what they change by, are computed side by side. */
#if ${M}_TURN_BYTES >= 32 && (defined(__clang__) || __GNUC__ >= 12)
#define ${M}_QUADS 1
typedef ${m}_real ${m}_quad __attribute__((vector_size(${quad_bytes}), may_alias));
#define ${M}_QUAD_AT(array, i) (*(${m}_quad *)(void *)((array) + (i)))
#else
#define ${M}_QUADS 0
#endif
