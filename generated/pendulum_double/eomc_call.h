/* Calls of a model's functions with NumPy arrays: one description and one caller for all of them. */

#include "eomc_model.h"

/* Bounds of what a model may have: dimensions of an argument, arguments of a function, lanes. */
#define EOMC_DIMENSIONS 8
#define EOMC_PORTS 256
#define EOMC_MOST_LANES 16

/* Operations in a call from which on the GIL is released. Giving it up and taking it back costs 25 ns
   when nobody waits for it, but microseconds when threads take turns. */
#define EOMC_WORTH_RELEASING 2000

/* An argument: size counts numbers. */
typedef struct {
    const char *name;
    int ndim;
    npy_intp size;
    npy_intp bytes;
    npy_intp shape[EOMC_DIMENSIONS];
} eomc_port;

/* ports: inputs (parameters last), then outputs; operations: the cost of one call. */
typedef struct {
    const char *name;
    int inputs;
    int outputs;
    int tunable;
    int typenum;
    int real;
    int lanes_count;
    npy_intp operations;
    eomc_port *ports;
    const void *defaults;
    const eomc_table *model;
    eomc_call call;
    eomc_call_lanes lanes;
    PyObject **names;  /* of the inputs, borrowed */
} eomc_function;

typedef union {
    double d;
    float f;
} eomc_scalar;

static PyObject *eomc_out, *eomc_threads;  /* the names of these keywords */

static void eomc_set_keywords(PyObject *out, PyObject *threads)
{
    eomc_out = out;
    eomc_threads = threads;
}

static int eomc_same(PyObject *a, PyObject *b)
{
    return a == b || PyUnicode_Compare(a, b) == 0;
}

/* Sorts the arguments of a call; 0 if some are missing, doubled or unknown. */
static int eomc_gather(
    const eomc_function *f, PyObject *const *args, npy_intp given, PyObject *keywords,
    PyObject **values, PyObject **out, PyObject **threads)
{
    const int positional = f->inputs - f->tunable;
    npy_intp i, k;
    if (given > positional) {
        return 0;
    }
    for (i = 0; i < given; i++) {
        values[i] = args[i];
    }
    for (i = given; i < positional; i++) {
        values[i] = NULL;
    }
    if (f->tunable) {
        values[positional] = Py_None;
    }
    for (k = 0; keywords != NULL && k < PyTuple_GET_SIZE(keywords); k++) {
        PyObject *name = PyTuple_GET_ITEM(keywords, k), *value = args[given + k];
        if (eomc_same(name, eomc_out)) {
            *out = value;
            continue;
        }
        if (eomc_same(name, eomc_threads)) {
            *threads = value;
            continue;
        }
        for (i = given; i < f->inputs && !eomc_same(name, f->names[i]); i++) {
        }
        if (i == f->inputs) {
            return 0;
        }
        values[i] = value;
    }
    for (i = given; i < positional; i++) {
        if (values[i] == NULL) {
            return 0;
        }
    }
    return 1;
}

/* An array that a C function can read as it is. */
static int eomc_fits(PyObject *value, const eomc_port *port, int typenum)
{
    PyArrayObject *array = (PyArrayObject *)value;
    int k;
    if (!PyArray_CheckExact(value) || PyArray_TYPE(array) != typenum
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
    const eomc_function *f, PyObject *const *values, const void **x, eomc_scalar *scalars)
{
    int i;
    for (i = 0; i < f->inputs; i++) {
        const eomc_port *port = &f->ports[i];
        if (eomc_fits(values[i], port, f->typenum)) {
            x[i] = PyArray_DATA((PyArrayObject *)values[i]);
        } else if (port->ndim == 0 && PyFloat_CheckExact(values[i])) {
            if (f->real == sizeof(double)) {
                scalars[i].d = PyFloat_AS_DOUBLE(values[i]);
            } else {
                scalars[i].f = (float)PyFloat_AS_DOUBLE(values[i]);
            }
            x[i] = &scalars[i];
        } else if (f->tunable && i == f->inputs - 1 && values[i] == Py_None) {
            x[i] = f->defaults;
        } else {
            return 0;
        }
    }
    return 1;
}

static int eomc_overlap(const void *a, npy_intp a_bytes, const void *b, npy_intp b_bytes)
{
    return (const char *)a < (const char *)b + b_bytes && (const char *)b < (const char *)a + a_bytes;
}

/* Points y at the arrays of out if all can be written as they are and overlap no other argument. */
static int eomc_write(const eomc_function *f, PyObject *out, const void *const *x, void **y)
{
    int i, j;
    if (f->outputs != 1 && !(PyTuple_CheckExact(out) && PyTuple_GET_SIZE(out) == f->outputs)) {
        return 0;
    }
    for (i = 0; i < f->outputs; i++) {
        const eomc_port *port = &f->ports[f->inputs + i];
        PyObject *value = f->outputs == 1 ? out : PyTuple_GET_ITEM(out, i);
        if (!eomc_fits(value, port, f->typenum) || !PyArray_ISWRITEABLE((PyArrayObject *)value)) {
            return 0;
        }
        y[i] = PyArray_DATA((PyArrayObject *)value);
        for (j = 0; j < f->inputs; j++) {
            if (eomc_overlap(x[j], f->ports[j].bytes, y[i], port->bytes)) {
                return 0;
            }
        }
        for (j = 0; j < i; j++) {
            if (eomc_overlap(y[j], f->ports[f->inputs + j].bytes, y[i], port->bytes)) {
                return 0;
            }
        }
    }
    return 1;
}

static void *eomc_data(PyObject *array)
{
    return PyArray_DATA((PyArrayObject *)array);
}

static PyObject *eomc_new(const eomc_port *port, int typenum)
{
    return PyArray_SimpleNew(port->ndim, port->shape, typenum);
}

/* `count` calls; x and y advance by their strides, in bytes. Returns the code that ended the loop and
   leaves the number of good calls in *done. */
static int eomc_run_each(
    const eomc_function *f, const void **x, const npy_intp *stride, void **y, npy_intp count,
    npy_intp *done)
{
    int status = 0, i;
    for (*done = 0; *done < count; ++*done) {
        status = f->call(x, y);
        if (status != 0) {
            break;
        }
        if (count > 1) {
            for (i = 0; i < f->inputs; i++) {
                x[i] = (const char *)x[i] + stride[i];
            }
            for (i = 0; i < f->outputs; i++) {
                y[i] = (char *)y[i] + f->ports[f->inputs + i].bytes;
            }
        }
    }
    return status;
}

/* Bytes that the arguments take with all lanes. */
static npy_intp eomc_lanes_bytes(const eomc_function *f)
{
    npy_intp bytes = 0;
    int i;
    for (i = 0; i < f->inputs + f->outputs; i++) {
        bytes += f->ports[i].bytes * f->lanes_count;
    }
    return bytes;
}

/* Rows to the lanes and back where fewer states are left than there are lanes; the last of them fills
   the rest. */
static void eomc_fill_lanes(
    const eomc_function *f, const char *rows, npy_intp size, npy_intp stride, int filled, char *lanes)
{
    npy_intp j;
    int k;
    for (j = 0; j < size; j++) {
        for (k = 0; k < f->lanes_count; k++) {
            const int row = k < filled ? k : filled - 1;
            memcpy(lanes, rows + row * stride + j * f->real, (size_t)f->real);
            lanes += f->real;
        }
    }
}

static void eomc_empty_lanes(
    const eomc_function *f, const char *lanes, npy_intp size, int filled, char *rows)
{
    npy_intp j;
    int k;
    for (k = 0; k < filled; k++) {
        for (j = 0; j < size; j++) {
            memcpy(rows, lanes + (j * f->lanes_count + k) * f->real, (size_t)f->real);
            rows += f->real;
        }
    }
}

/* The same as eomc_run_each, several states at once. */
static int eomc_run_lanes(
    const eomc_function *f, const void **x, const npy_intp *stride, void **y, npy_intp count,
    npy_intp *done, char *work)
{
    const void *inputs[EOMC_PORTS];
    void *outputs[EOMC_PORTS];
    int codes[EOMC_MOST_LANES];
    const int lanes = f->lanes_count;
    int i, k;
    for (i = 0; i < f->inputs; i++) {
        inputs[i] = work;
        if (stride[i] == 0) {  /* the same for all */
            f->model->to_lanes(x[i], (size_t)f->ports[i].size, 0, work);
        }
        work += f->ports[i].bytes * lanes;
    }
    for (i = 0; i < f->outputs; i++) {
        outputs[i] = work;
        work += f->ports[f->inputs + i].bytes * lanes;
    }
    for (*done = 0; *done < count; *done += lanes) {
        const int filled = count - *done < lanes ? (int)(count - *done) : lanes;
        for (i = 0; i < f->inputs; i++) {
            const npy_intp size = f->ports[i].size;
            if (stride[i] == 0) {
                continue;
            }
            if (filled == lanes) {
                f->model->to_lanes(
                    x[i], (size_t)size, (size_t)(stride[i] / f->real), (void *)inputs[i]);
            } else {
                eomc_fill_lanes(f, x[i], size, stride[i], filled, (char *)inputs[i]);
            }
            x[i] = (const char *)x[i] + lanes * stride[i];
        }
        f->lanes(inputs, outputs, codes);
        for (i = 0; i < f->outputs; i++) {
            const eomc_port *port = &f->ports[f->inputs + i];
            if (filled == lanes) {
                f->model->from_lanes(outputs[i], (size_t)port->size, (size_t)port->size, y[i]);
            } else {
                eomc_empty_lanes(f, outputs[i], port->size, filled, y[i]);
            }
            y[i] = (char *)y[i] + lanes * port->bytes;
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

/* `count` calls, in the way that suits their number; needs no GIL. */
static int eomc_run_free(
    const eomc_function *f, const void **x, const npy_intp *stride, void **y, npy_intp count,
    npy_intp *done)
{
    if (count > 1 && f->lanes != NULL) {
        char *memory = (char *)PyMem_RawMalloc((size_t)eomc_lanes_bytes(f) + 64);
        if (memory != NULL) {
            char *aligned = memory + (64 - (size_t)memory % 64);  /* begins where a cache line does */
            const int status = eomc_run_lanes(f, x, stride, y, count, done, aligned);
            PyMem_RawFree(memory);
            return status;
        }
    }
    return eomc_run_each(f, x, stride, y, count, done);
}

/* The same without the GIL if it takes long enough. */
static int eomc_run(
    const eomc_function *f, const void **x, const npy_intp *stride, void **y, npy_intp count,
    npy_intp *done)
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

/* -- a call from Python ------------------------------------------------------------------------------

   At once, if all arguments are as C wants them and nothing fails. All else, converting, broadcasting
   and saying what is wrong, is left to `eomc_careful`, which begins anew. */

typedef PyObject *(*eomc_python_call)(
    PyObject *self, PyObject *const *args, Py_ssize_t given, PyObject *keywords);

static eomc_python_call eomc_careful;
static size_t eomc_place;  /* of the description of a function in what Python calls `self` */

/* Most arguments of a call that is made at once. */
#define EOMC_FEW 24

static void eomc_set_careful(eomc_python_call careful, size_t place)
{
    eomc_careful = careful;
    eomc_place = place;
}

/* Room for the outputs: an array, or a tuple of them. */
static PyObject *eomc_results(const eomc_function *f, void **y)
{
    PyObject *tuple;
    int i;
    if (f->outputs == 1) {
        PyObject *array = eomc_new(&f->ports[f->inputs], f->typenum);
        if (array != NULL) {
            y[0] = eomc_data(array);
        }
        return array;
    }
    tuple = PyTuple_New(f->outputs);
    for (i = 0; tuple != NULL && i < f->outputs; i++) {
        PyObject *array = eomc_new(&f->ports[f->inputs + i], f->typenum);
        if (array == NULL) {
            Py_CLEAR(tuple);
        } else {
            y[i] = eomc_data(array);
            PyTuple_SET_ITEM(tuple, i, array);
        }
    }
    return tuple;
}

static PyObject *eomc_at_once(
    PyObject *self, PyObject *const *args, Py_ssize_t given, PyObject *keywords)
{
    const eomc_function *f = (const eomc_function *)(const void *)((const char *)self + eomc_place);
    PyObject *gathered[EOMC_FEW], *const *values = gathered;
    PyObject *out = Py_None, *threads = Py_None, *result;
    const void *x[EOMC_FEW];
    void *y[EOMC_FEW];
    eomc_scalar scalars[EOMC_FEW];
    npy_intp done;
    if (f->inputs + f->outputs > EOMC_FEW) {
        return eomc_careful(self, args, given, keywords);
    }
    if (keywords == NULL && given == f->inputs && !f->tunable) {
        values = args;
    } else if (!eomc_gather(f, args, given, keywords, gathered, &out, &threads)) {
        return eomc_careful(self, args, given, keywords);
    }
    if (!eomc_read(f, values, x, scalars)) {
        return eomc_careful(self, args, given, keywords);
    }
    if (out == Py_None) {
        result = eomc_results(f, y);
        if (result == NULL) {
            return NULL;
        }
    } else if (eomc_write(f, out, x, y)) {
        result = out;
        Py_INCREF(result);
    } else {
        return eomc_careful(self, args, given, keywords);
    }
    if (eomc_run(f, x, NULL, y, 1, &done) != 0) {
        Py_DECREF(result);
        return eomc_careful(self, args, given, keywords);
    }
    if (out == Py_None && f->outputs == 1 && f->ports[f->inputs].ndim == 0) {
        return PyArray_Return((PyArrayObject *)result);  /* a scalar */
    }
    return result;
}
