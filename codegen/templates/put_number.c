#if ${M}_TURN_BYTES == ${row_bytes}
/* With another number on one lane. */
static inline ${m}_row${width} ${m}_put${width}(${m}_row${width} row, int lane, ${m}_real number)
{
    row[lane] = number;
    return row;
}
#endif
