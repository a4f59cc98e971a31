#if ${M}_TURN_BYTES == ${row_bytes}
/* A row of neighbours in an array of numbers. */
typedef ${m}_real ${m}_row${width}_anywhere
    __attribute__((vector_size(${row_bytes}), may_alias, aligned(${real_bytes})));
#define ${M}_ROW${width}_FROM(array, i) (*(${m}_row${width}_anywhere *)(void *)((array) + (i)))

/* The first numbers of a row go where they follow one another. */
static ${M}_INLINE void ${m}_lay${width}(${m}_row${width} row, int end, ${m}_real *place)
{
    if (end == ${width}) {
        ${M}_ROW${width}_FROM(place, 0) = row;
        return;
    }
    ${m}_real numbers[${width}];
    ${M}_ROW${width}_FROM(numbers, 0) = row;
    for (int k = 0; k < end; ++k) {
        place[k] = numbers[k];
    }
}

/* The same to places that are so far apart. */
static ${M}_INLINE void ${m}_spread${width}(
    ${m}_row${width} row,
    int end,
    ${m}_real *place,
    int apart)
{
    if (end == ${width}) {
${stores}
        return;
    }
    ${m}_real numbers[${width}];
    ${M}_ROW${width}_FROM(numbers, 0) = row;
    for (int k = 0; k < end; ++k) {
        place[k * apart] = numbers[k];
    }
}
#endif
