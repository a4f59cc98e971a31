#if ${M}_TURN_BYTES == ${row_bytes}
/* One step of ${width} columns of a matrix at once. */
typedef ${m}_real ${m}_row${width} __attribute__((vector_size(${row_bytes}), may_alias));
#define ${M}_ROW${width}_AT(array, i) (*(${m}_row${width} *)(void *)((array) + (i)))

/* With another number on one lane. */
static inline ${m}_row${width} ${m}_put${width}(${m}_row${width} row, int lane, ${m}_real number)
{
    row[lane] = number;
    return row;
}
#endif
