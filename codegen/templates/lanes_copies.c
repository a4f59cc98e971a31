/* Rows `first` and on of a block, number by number. */
static void ${m}_lanes_gather(
    const ${m}_real *rows, size_t first, size_t size, size_t stride, ${m}_real *lanes)
{
    for (size_t i = first; i < size; i++) {
        for (size_t k = 0; k < (size_t)${M}_LANES; k++) {
            lanes[i*(size_t)${M}_LANES + k] = rows[k*stride + i];
        }
    }
}

static void ${m}_lanes_scatter(
    const ${m}_real *lanes, size_t first, size_t size, size_t stride, ${m}_real *rows)
{
    for (size_t i = first; i < size; i++) {
        for (size_t k = 0; k < (size_t)${M}_LANES; k++) {
            rows[k*stride + i] = lanes[i*(size_t)${M}_LANES + k];
        }
    }
}

#if ${M}_VECTORS && ${M}_SHUFFLES
/* Rows to columns, halves of ever larger blocks changing places. */
#define ${M}_TRANSPOSE() \
    do { \
        ${m}_lanes_vector a, b; \
${transposition}    } while (0)

void ${m}_to_lanes(const ${m}_real *rows, size_t size, size_t stride, ${m}_real *lanes)
{
    size_t i = 0;
    /* Vectors may read on into the next row, but not beyond the last one. */
    for (; i < size && i + ${M}_LANES <= stride + size; i += ${M}_LANES) {
        const ${m}_real *row = rows + i;
        const size_t filled = size - i < ${M}_LANES ? size - i : ${M}_LANES;
        ${m}_lanes_vector ${vectors};
${loads}        if (filled == ${M}_LANES) {
            v${last} = ${M}_ROW(row + ${last}*stride, 0);
        } else {
            ${m}_real part[${M}_LANES] = {0};
            for (size_t j = 0; j < filled; j++) {
                part[j] = row[${last}*stride + j];
            }
            v${last} = ${M}_ROW(part, 0);
        }
        ${M}_TRANSPOSE();
${stores}    }
    ${m}_lanes_gather(rows, i, size, stride, lanes);
}

void ${m}_from_lanes(const ${m}_real *lanes, size_t size, size_t stride, ${m}_real *rows)
{
    const size_t whole = size/${M}_LANES*${M}_LANES;
    const size_t left = size - whole;
    /* First what is left behind whole vectors: they may go on into the next row, which comes later. */
    if (left > 0 && stride == size && whole + ${M}_LANES <= 2*size) {
        ${m}_real *row = rows + whole;
        ${m}_real part[${M}_LANES];
        ${m}_lanes_vector ${vectors};
${part_loads}        ${M}_TRANSPOSE();
${part_stores}        ${M}_PUT(part, 0) = v${last};
        for (size_t j = 0; j < left; j++) {
            row[${last}*stride + j] = part[j];
        }
    } else {
        ${m}_lanes_scatter(lanes, whole, size, stride, rows);
    }
    for (size_t i = 0; i < whole; i += ${M}_LANES) {
        ${m}_real *row = rows + i;
        ${m}_lanes_vector ${vectors};
${back_loads}        ${M}_TRANSPOSE();
${back_stores}    }
}
#else
void ${m}_to_lanes(const ${m}_real *rows, size_t size, size_t stride, ${m}_real *lanes)
{
    ${m}_lanes_gather(rows, 0, size, stride, lanes);
}

void ${m}_from_lanes(const ${m}_real *lanes, size_t size, size_t stride, ${m}_real *rows)
{
    ${m}_lanes_scatter(lanes, 0, size, stride, rows);
}
#endif
