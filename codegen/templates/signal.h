/* Numbers that vary with the state and with the step; 0 for a distance means that they do not. */
typedef struct {
    const ${m}_real *rows;
    size_t state;  /* from one state to the next, in numbers */
    size_t step;   /* from one step to the next */
} ${m}_signal;
