/*
 * Several states at once, side by side: entry i of an argument of state k stands at
 * [i*${M}_LANES + k], also of scalars and of the parameters p, which come in the order of their
 * struct. codes[k] is the return code of state k; the functions return the first that is not 0.
 * Nothing needs to be aligned; arrays that begin where a line of the cache does are faster to fill.
 * Compilers without vectors, or -D${M}_NO_VECTORS, do one state after the other.
 */
#define ${M}_LANES ${lanes}

/* ${M}_LANES rows of `size` numbers, each `stride` after the one before, to lanes and back. */
void ${m}_to_lanes(const ${m}_real *rows, size_t size, size_t stride, ${m}_real *lanes);
void ${m}_from_lanes(const ${m}_real *lanes, size_t size, size_t stride, ${m}_real *rows);

${functions}