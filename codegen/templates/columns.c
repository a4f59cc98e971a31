/* Columns side by side, as many as a vector has numbers. */
#if ${M}_TURN_BYTES
typedef ${m}_real ${m}_column_block __attribute__((vector_size(${M}_TURN_BYTES), may_alias));
typedef ${m}_real ${m}_column_block_anywhere
    __attribute__((vector_size(${M}_TURN_BYTES), may_alias, aligned(${real_bytes})));
#define ${M}_COLUMNS_FROM(array, i) (*(${m}_column_block_anywhere *)(void *)((array) + (i)))
#else
typedef ${m}_real ${m}_column_block;
#define ${M}_COLUMNS_FROM(array, i) ((array)[i])
#endif
