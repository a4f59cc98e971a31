/* Columns side by side, as many as a vector has numbers. */
#if ${M}_TURN_BYTES
typedef ${m}_real ${m}_columns __attribute__((vector_size(${M}_TURN_BYTES), may_alias));
typedef ${m}_real ${m}_columns_anywhere
    __attribute__((vector_size(${M}_TURN_BYTES), may_alias, aligned(${real_bytes})));
#define ${M}_COLUMNS_FROM(array, i) (*(${m}_columns_anywhere *)(void *)((array) + (i)))
#else
typedef ${m}_real ${m}_columns;
#define ${M}_COLUMNS_FROM(array, i) ((array)[i])
#endif
