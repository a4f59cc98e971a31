/* The generic part of a Python wrapper: one description and one caller for every function. */

#define EOMC_DIMENSIONS ${dimensions}
/* States that the functions take at once. */
#define EOMC_LANES ${lanes}
/* Room for the arguments of any function. */
#define EOMC_PORTS ${ports}

typedef struct {
    const char *name;
    int ndim;
    npy_intp size;
    npy_intp shape[EOMC_DIMENSIONS];
} eomc_port;

/* ports: inputs (parameters last), then outputs; operations: what one call costs. */
typedef struct {
    const char *name;
    int inputs;
    int outputs;
    int tunable;
    npy_intp operations;
    const eomc_port *ports;
    int (*call)(const ${m}_real *const *x, ${m}_real *const *y);
    int (*lanes)(const ${m}_real *const *x, ${m}_real *const *y, int *codes);
} eomc_function;

/* Operations in a call from which on the GIL is released. Giving it up and taking it back costs 25 ns
   when nobody waits for it, but microseconds when threads take turns. */
#define EOMC_WORTH_RELEASING 2000

static ${m}_real eomc_defaults[${parameters}];

/* An array that a C function can read as it is. */
static int eomc_fits(PyObject *value, const eomc_port *port)
{
    PyArrayObject *array = (PyArrayObject *)value;
    int k;
    if (!PyArray_CheckExact(value) || PyArray_TYPE(array) != ${typenum}
            || !PyArray_ISCARRAY_RO(array) || PyArray_NDIM(array) != port->ndim) {
        return 0;
    }
    for (k = 0; k < port->ndim; k++) {
        if (PyArray_DIM(array, k) != port->shape[k]) {
            return 0;
        }
    }
    return 1;
}

/* Points x at the inputs if all of them can be read as they are: no batch, no conversion. */
static int eomc_read(
    const eomc_function *f, PyObject *const *values, const ${m}_real **x, ${m}_real *scalars)
{
    int i;
    for (i = 0; i < f->inputs; i++) {
        const eomc_port *port = &f->ports[i];
        if (eomc_fits(values[i], port)) {
            x[i] = (const ${m}_real *)PyArray_DATA((PyArrayObject *)values[i]);
        } else if (port->ndim == 0 && PyFloat_CheckExact(values[i])) {
            scalars[i] = (${m}_real)PyFloat_AS_DOUBLE(values[i]);
            x[i] = &scalars[i];
        } else if (f->tunable && i == f->inputs - 1 && values[i] == Py_None) {
            x[i] = eomc_defaults;
        } else {
            return 0;
        }
    }
    return 1;
}

/* Points y at the arrays of out if all can be written as they are and overlap no other argument. */
static int eomc_write(
    const eomc_function *f, PyObject *out, const ${m}_real *const *x, ${m}_real **y)
{
    int i, j;
    if (f->outputs != 1 && !(PyTuple_CheckExact(out) && PyTuple_GET_SIZE(out) == f->outputs)) {
        return 0;
    }
    for (i = 0; i < f->outputs; i++) {
        const eomc_port *port = &f->ports[f->inputs + i];
        PyObject *value = f->outputs == 1 ? out : PyTuple_GET_ITEM(out, i);
        if (!eomc_fits(value, port) || !PyArray_ISWRITEABLE((PyArrayObject *)value)) {
            return 0;
        }
        y[i] = (${m}_real *)PyArray_DATA((PyArrayObject *)value);
        for (j = 0; j < f->inputs; j++) {
            if (x[j] < y[i] + port->size && y[i] < x[j] + f->ports[j].size) {
                return 0;
            }
        }
        for (j = 0; j < i; j++) {
            if (y[j] < y[i] + port->size && y[i] < y[j] + f->ports[f->inputs + j].size) {
                return 0;
            }
        }
    }
    return 1;
}

static ${m}_real *eomc_data(PyObject *array)
{
    return (${m}_real *)PyArray_DATA((PyArrayObject *)array);
}

static PyObject *eomc_new(const eomc_port *port)
{
    return PyArray_SimpleNew(port->ndim, port->shape, ${typenum});
}

/* `count` calls; x and y advance by their strides. Returns the code that ended the loop and leaves
   the number of good calls in *done. */
static int eomc_run_each(
    const eomc_function *f, const ${m}_real **x, const npy_intp *stride, ${m}_real **y,
    npy_intp count, npy_intp *done)
{
    int status = 0, i;
    for (*done = 0; *done < count; ++*done) {
        status = f->call(x, y);
        if (status != 0) {
            break;
        }
        if (count > 1) {
            for (i = 0; i < f->inputs; i++) {
                x[i] += stride[i];
            }
            for (i = 0; i < f->outputs; i++) {
                y[i] += f->ports[f->inputs + i].size;
            }
        }
    }
    return status;
}

#if EOMC_LANES > 1
/* Numbers that the arguments take with all lanes. */
static npy_intp eomc_lanes_size(const eomc_function *f)
{
    npy_intp size = 0;
    int i;
    for (i = 0; i < f->inputs + f->outputs; i++) {
        size += f->ports[i].size * EOMC_LANES;
    }
    return size;
}

/* The same, EOMC_LANES states at once. Where fewer are left, the last one fills the lanes. */
static int eomc_run_lanes(
    const eomc_function *f, const ${m}_real **x, const npy_intp *stride, ${m}_real **y,
    npy_intp count, npy_intp *done, ${m}_real *work)
{
    const ${m}_real *inputs[EOMC_PORTS];
    ${m}_real *outputs[EOMC_PORTS];
    ${m}_real *place = work;
    int codes[EOMC_LANES];
    int i, k;
    for (i = 0; i < f->inputs; i++) {
        inputs[i] = place;
        if (stride[i] == 0) {  /* the same for all */
            ${m}_to_lanes(x[i], (size_t)f->ports[i].size, 0, place);
        }
        place += f->ports[i].size * EOMC_LANES;
    }
    for (i = 0; i < f->outputs; i++) {
        outputs[i] = place;
        place += f->ports[f->inputs + i].size * EOMC_LANES;
    }
    for (*done = 0; *done < count; *done += EOMC_LANES) {
        const int filled = count - *done < EOMC_LANES ? (int)(count - *done) : EOMC_LANES;
        for (i = 0; i < f->inputs; i++) {
            const npy_intp size = f->ports[i].size;
            ${m}_real *lanes = (${m}_real *)inputs[i];
            if (stride[i] == 0) {
                continue;
            }
            if (filled == EOMC_LANES) {
                ${m}_to_lanes(x[i], (size_t)size, (size_t)stride[i], lanes);
            } else {
                npy_intp j;
                for (j = 0; j < size; j++) {
                    for (k = 0; k < EOMC_LANES; k++) {
                        const int row = k < filled ? k : filled - 1;
                        lanes[j * EOMC_LANES + k] = x[i][row * stride[i] + j];
                    }
                }
            }
            x[i] += EOMC_LANES * stride[i];
        }
        f->lanes(inputs, outputs, codes);
        for (i = 0; i < f->outputs; i++) {
            const npy_intp size = f->ports[f->inputs + i].size;
            if (filled == EOMC_LANES) {
                ${m}_from_lanes(outputs[i], (size_t)size, (size_t)size, y[i]);
            } else {
                npy_intp j;
                for (k = 0; k < filled; k++) {
                    for (j = 0; j < size; j++) {
                        y[i][k * size + j] = outputs[i][j * EOMC_LANES + k];
                    }
                }
            }
            y[i] += EOMC_LANES * size;
        }
        for (k = 0; k < filled; k++) {
            if (codes[k] != 0) {
                *done += k;
                return codes[k];
            }
        }
    }
    *done = count;
    return 0;
}
#endif

/* `count` calls, in the way that suits their number; needs no GIL. */
static int eomc_run_free(
    const eomc_function *f, const ${m}_real **x, const npy_intp *stride, ${m}_real **y,
    npy_intp count, npy_intp *done)
{
#if EOMC_LANES > 1
    if (count > 1 && f->lanes != NULL) {
        const size_t size = (size_t)eomc_lanes_size(f) * sizeof(${m}_real);
        char *memory = (char *)PyMem_RawMalloc(size + 64);  /* begins where a cache line does */
        if (memory != NULL) {
            char *aligned = memory + (64 - (size_t)memory % 64);
            const int status =
                eomc_run_lanes(f, x, stride, y, count, done, (${m}_real *)(void *)aligned);
            PyMem_RawFree(memory);
            return status;
        }
    }
#endif
    return eomc_run_each(f, x, stride, y, count, done);
}

/* The same without the GIL if it takes long enough. */
static int eomc_run(
    const eomc_function *f, const ${m}_real **x, const npy_intp *stride, ${m}_real **y,
    npy_intp count, npy_intp *done)
{
    PyThreadState *state = NULL;
    int status;
    if (count > 1 || f->operations > EOMC_WORTH_RELEASING) {
        state = PyEval_SaveThread();
    }
    status = eomc_run_free(f, x, stride, y, count, done);
    if (state != NULL) {
        PyEval_RestoreThread(state);
    }
    return status;
}
