/* An input along runs: entry i of state k in step s stands at rows[s*step + i*entry + k*state]. */
struct ${m}_signal {
    const ${m}_real *rows;
    size_t step;
    size_t entry;
    size_t state;
};

${M}_DEVICE void ${m}_load(
    const ${m}_signal &signal,
    int step,
    size_t k,
    int size,
    ${m}_real *row)
{
    const ${m}_real *rows = &signal.rows[(size_t)step*signal.step + k*signal.state];
    for (int i = 0; i < size; i++) {
        row[i] = rows[(size_t)i*signal.entry];
    }
}
