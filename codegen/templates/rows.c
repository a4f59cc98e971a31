#if ${M}_TURN_BYTES == ${row_bytes}
/* One step of ${width} columns of a matrix at once. */
typedef ${m}_real ${m}_row${width} __attribute__((vector_size(${row_bytes}), may_alias));
#define ${M}_ROW${width}_AT(array, i) (*(${m}_row${width} *)(void *)((array) + (i)))
#endif
