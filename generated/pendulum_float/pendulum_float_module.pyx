# cython: language_level=3, binding=False, embedsignature=True, embedsignature.format=clinic
# cython: boundscheck=False, wraparound=False
"""Equations of motion of pendulum, made by eomc.

Compiled functions of the model: NumPy arrays in, NumPy arrays out. Every argument may carry leading
batch dimensions, which broadcast; out= takes the result, or a tuple of them. Large batches run on all
cores, or on as many as threads= says. The GIL is released while C runs, except for single calls of
less than about a microsecond. A failing function raises FloatingPointError.
"""

import json as _json
import os as _os
from operator import index as _index
from collections.abc import Mapping as _Mapping

import numpy as _np

# Not from cpython.ref: reading Cython's declarations would take as long as all that follows.
cdef extern from "Python.h":
    ctypedef struct _PyObject "PyObject":
        pass
    int _check_signals "PyErr_CheckSignals"() except -1

cdef extern from *:
    """
    #include <numpy/arrayobject.h>
    #include "pendulum_float.h"

    /* The generic part of a Python wrapper: one description and one caller for every function. */

    #define EOMC_DIMENSIONS 2
    /* States that the functions take at once. */
    #define EOMC_LANES 1
    /* Room for the arguments of any function. */
    #define EOMC_PORTS 5

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
        int (*call)(const pendulum_float_real *const *x, pendulum_float_real *const *y);
        int (*lanes)(const pendulum_float_real *const *x, pendulum_float_real *const *y, int *codes);
    } eomc_function;

    /* Operations in a call from which on the GIL is released. Giving it up and taking it back costs 25 ns
       when nobody waits for it, but microseconds when threads take turns. */
    #define EOMC_WORTH_RELEASING 2000

    static pendulum_float_real eomc_defaults[2];

    /* An array that a C function can read as it is. */
    static int eomc_fits(PyObject *value, const eomc_port *port)
    {
        PyArrayObject *array = (PyArrayObject *)value;
        int k;
        if (!PyArray_CheckExact(value) || PyArray_TYPE(array) != NPY_FLOAT
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
        const eomc_function *f, PyObject *const *values, const pendulum_float_real **x, pendulum_float_real *scalars)
    {
        int i;
        for (i = 0; i < f->inputs; i++) {
            const eomc_port *port = &f->ports[i];
            if (eomc_fits(values[i], port)) {
                x[i] = (const pendulum_float_real *)PyArray_DATA((PyArrayObject *)values[i]);
            } else if (port->ndim == 0 && PyFloat_CheckExact(values[i])) {
                scalars[i] = (pendulum_float_real)PyFloat_AS_DOUBLE(values[i]);
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
        const eomc_function *f, PyObject *out, const pendulum_float_real *const *x, pendulum_float_real **y)
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
            y[i] = (pendulum_float_real *)PyArray_DATA((PyArrayObject *)value);
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

    static pendulum_float_real *eomc_data(PyObject *array)
    {
        return (pendulum_float_real *)PyArray_DATA((PyArrayObject *)array);
    }

    static PyObject *eomc_new(const eomc_port *port)
    {
        return PyArray_SimpleNew(port->ndim, port->shape, NPY_FLOAT);
    }

    /* `count` calls; x and y advance by their strides. Returns the code that ended the loop and leaves
       the number of good calls in *done. */
    static int eomc_run_each(
        const eomc_function *f, const pendulum_float_real **x, const npy_intp *stride, pendulum_float_real **y,
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
        const eomc_function *f, const pendulum_float_real **x, const npy_intp *stride, pendulum_float_real **y,
        npy_intp count, npy_intp *done, pendulum_float_real *work)
    {
        const pendulum_float_real *inputs[EOMC_PORTS];
        pendulum_float_real *outputs[EOMC_PORTS];
        pendulum_float_real *place = work;
        int codes[EOMC_LANES];
        int i, k;
        for (i = 0; i < f->inputs; i++) {
            inputs[i] = place;
            if (stride[i] == 0) {  /* the same for all */
                pendulum_float_to_lanes(x[i], (size_t)f->ports[i].size, 0, place);
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
                pendulum_float_real *lanes = (pendulum_float_real *)inputs[i];
                if (stride[i] == 0) {
                    continue;
                }
                if (filled == EOMC_LANES) {
                    pendulum_float_to_lanes(x[i], (size_t)size, (size_t)stride[i], lanes);
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
                    pendulum_float_from_lanes(outputs[i], (size_t)size, (size_t)size, y[i]);
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
        const eomc_function *f, const pendulum_float_real **x, const npy_intp *stride, pendulum_float_real **y,
        npy_intp count, npy_intp *done)
    {
    #if EOMC_LANES > 1
        if (count > 1 && f->lanes != NULL) {
            const size_t size = (size_t)eomc_lanes_size(f) * sizeof(pendulum_float_real);
            char *memory = (char *)PyMem_RawMalloc(size + 64);  /* begins where a cache line does */
            if (memory != NULL) {
                char *aligned = memory + (64 - (size_t)memory % 64);
                const int status =
                    eomc_run_lanes(f, x, stride, y, count, done, (pendulum_float_real *)(void *)aligned);
                PyMem_RawFree(memory);
                return status;
            }
        }
    #endif
        return eomc_run_each(f, x, stride, y, count, done);
    }

    /* The same without the GIL if it takes long enough. */
    static int eomc_run(
        const eomc_function *f, const pendulum_float_real **x, const npy_intp *stride, pendulum_float_real **y,
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

    /* Batches on several threads of C that are kept from call to call and sleep between them; none of
       them meets Python. One batch at a time has them: who comes meanwhile works alone, as the cores are
       taken. A thread that has not woken when the work is done is not waited for. To wake a sleeping one
       costs as much as thousands of states, so both sides look out a little before they sleep: a thread
       for the next batch, the caller for the last share. */

    #ifdef _WIN32
    #define EOMC_PROCESS 0L
    #else
    #define EOMC_PROCESS ((long)getpid())  /* threads do not follow into a forked process */
    #endif

    /* Operations of a share below which handing it out costs more than uneven ends. */
    #define EOMC_WORTH_SHARING 200000
    /* Threads that are kept at most. */
    #define EOMC_MOST_THREADS 255
    /* Looks at a lock before a thread sleeps on it, some ten nanoseconds each. */
    #define EOMC_LOOKS 20000

    typedef struct {
        const eomc_function *f;
        const pendulum_float_real **x;
        const npy_intp *stride;
        pendulum_float_real **y;
        npy_intp count;
        npy_intp share;
        npy_intp next;               /* first state that nobody works on */
        npy_intp failed;             /* first state that failed, and its code */
        int status;
    } eomc_batch;

    typedef struct {
        eomc_batch *batch;           /* to work on; NULL if there is none */
        int begun;                   /* whether it works on it: the caller waits for `done` then */
        int called;                  /* whether `wake` was released since it last woke */
        PyThread_type_lock wake;
        PyThread_type_lock done;
    } eomc_worker;

    /* Take the lock, asleep only if it stays closed. */
    static void eomc_await(PyThread_type_lock lock)
    {
        int looks;
        for (looks = 0; looks < EOMC_LOOKS; looks++) {
            if (PyThread_acquire_lock(lock, 0)) {
                return;
            }
        }
        (void)PyThread_acquire_lock(lock, 1);
    }

    /* Threads of this process. `turn` guards batch and workers, the interpreter's lock all else. */
    static struct {
        long process;
        int taken;
        npy_intp size;
        eomc_worker **workers;
        PyThread_type_lock turn;
    } eomc_pool;

    /* States from `start` on, `count` of them. */
    static int eomc_run_share(eomc_batch *batch, npy_intp start, npy_intp count, npy_intp *done)
    {
        const eomc_function *f = batch->f;
        const pendulum_float_real *x[EOMC_PORTS];
        pendulum_float_real *y[EOMC_PORTS];
        int i;
        for (i = 0; i < f->inputs; i++) {
            x[i] = batch->x[i] + start * batch->stride[i];
        }
        for (i = 0; i < f->outputs; i++) {
            y[i] = batch->y[i] + start * f->ports[f->inputs + i].size;
        }
        return eomc_run_free(f, x, batch->stride, y, count, done);
    }

    /* One share after the other, as long as there are any. */
    static void eomc_work(eomc_batch *batch)
    {
        for (;;) {
            npy_intp start, count, done = 0;
            int status;
            (void)PyThread_acquire_lock(eomc_pool.turn, 1);
            start = batch->next;
            batch->next += batch->share;
            PyThread_release_lock(eomc_pool.turn);
            if (start >= batch->count) {
                return;
            }
            count = batch->count - start < batch->share ? batch->count - start : batch->share;
            status = eomc_run_share(batch, start, count, &done);
            if (status != 0) {
                (void)PyThread_acquire_lock(eomc_pool.turn, 1);
                if (batch->status == 0 || start + done < batch->failed) {
                    batch->status = status;
                    batch->failed = start + done;
                }
                PyThread_release_lock(eomc_pool.turn);
            }
        }
    }

    static void eomc_worker_main(void *own)
    {
        eomc_worker *worker = (eomc_worker *)own;
        for (;;) {
            eomc_batch *batch;
            eomc_await(worker->wake);
            (void)PyThread_acquire_lock(eomc_pool.turn, 1);
            worker->called = 0;
            batch = worker->batch;
            worker->begun = batch != NULL;
            PyThread_release_lock(eomc_pool.turn);
            if (batch != NULL) {
                eomc_work(batch);
                PyThread_release_lock(worker->done);
            }
        }
    }

    /* A further thread, asleep; 0 if there can be none. */
    static int eomc_add_worker(void)
    {
        const size_t size = (size_t)eomc_pool.size + 1;
        eomc_worker **workers = (eomc_worker **)PyMem_RawRealloc(
            eomc_pool.workers, size * sizeof *workers);
        eomc_worker *worker;
        if (workers == NULL) {
            return 0;
        }
        eomc_pool.workers = workers;
        worker = (eomc_worker *)PyMem_RawCalloc(1, sizeof *worker);
        if (worker == NULL) {
            return 0;
        }
        worker->wake = PyThread_allocate_lock();
        worker->done = PyThread_allocate_lock();
        if (worker->wake != NULL && worker->done != NULL) {
            (void)PyThread_acquire_lock(worker->wake, 1);
            (void)PyThread_acquire_lock(worker->done, 1);
            if (PyThread_start_new_thread(eomc_worker_main, worker) != PYTHREAD_INVALID_THREAD_ID) {
                workers[eomc_pool.size++] = worker;
                return 1;
            }
            PyThread_release_lock(worker->wake);
            PyThread_release_lock(worker->done);
        }
        if (worker->wake != NULL) {
            PyThread_free_lock(worker->wake);
        }
        if (worker->done != NULL) {
            PyThread_free_lock(worker->done);
        }
        PyMem_RawFree(worker);
        return 0;
    }

    /* How many of the threads that are asked for are there, if they are free: 0 otherwise. */
    static npy_intp eomc_take_pool(npy_intp asked)
    {
        if (eomc_pool.process != EOMC_PROCESS || eomc_pool.turn == NULL) {
            eomc_pool.process = EOMC_PROCESS;
            eomc_pool.taken = 0;
            eomc_pool.size = 0;
            eomc_pool.workers = NULL;  /* what a parent process had stays as it is */
            eomc_pool.turn = PyThread_allocate_lock();
        }
        if (eomc_pool.taken || eomc_pool.turn == NULL) {
            return 0;
        }
        if (asked > EOMC_MOST_THREADS) {
            asked = EOMC_MOST_THREADS;
        }
        while (eomc_pool.size < asked && eomc_add_worker()) {
        }
        eomc_pool.taken = eomc_pool.size > 0;
        return eomc_pool.size < asked ? eomc_pool.size : asked;
    }

    /* The batch on the calling thread and on `helpers` of the pool. */
    static void eomc_work_together(eomc_batch *batch, npy_intp helpers)
    {
        npy_intp k;
        (void)PyThread_acquire_lock(eomc_pool.turn, 1);
        for (k = 0; k < helpers; k++) {
            eomc_worker *worker = eomc_pool.workers[k];
            worker->batch = batch;
            worker->begun = 0;
            if (!worker->called) {
                worker->called = 1;
                PyThread_release_lock(worker->wake);
            }
        }
        PyThread_release_lock(eomc_pool.turn);
        eomc_work(batch);
        for (k = 0; k < helpers; k++) {
            eomc_worker *worker = eomc_pool.workers[k];
            int begun;
            (void)PyThread_acquire_lock(eomc_pool.turn, 1);
            begun = worker->begun;
            worker->batch = NULL;
            PyThread_release_lock(eomc_pool.turn);
            if (begun) {
                eomc_await(worker->done);
            }
        }
    }

    /* The batch on up to `threads` threads: shares of whole groups of lanes, four for each thread but none
       that is hardly any work. */
    static int eomc_run_threads(
        const eomc_function *f, const pendulum_float_real **x, const npy_intp *stride, pendulum_float_real **y,
        npy_intp count, npy_intp threads, npy_intp *done)
    {
        eomc_batch batch = {f, x, stride, y, count, 0, 0, 0, 0};
        const npy_intp groups = (count + EOMC_LANES - 1) / EOMC_LANES;
        const npy_intp least = EOMC_WORTH_SHARING / ((f->operations + 20) * EOMC_LANES) + 1;
        npy_intp helpers, even;
        PyThreadState *state;
        if (threads > groups) {
            threads = groups;
        }
        helpers = threads > 1 ? eomc_take_pool(threads - 1) : 0;
        if (helpers == 0) {
            return eomc_run(f, x, stride, y, count, done);
        }
        even = (groups + helpers) / (helpers + 1);
        batch.share = groups / (helpers + 1) / 4 + 1;
        if (batch.share < least) {
            batch.share = least < even ? least : even;
        }
        batch.share *= EOMC_LANES;
        state = PyEval_SaveThread();
        eomc_work_together(&batch, helpers);
        PyEval_RestoreThread(state);
        eomc_pool.taken = 0;
        *done = batch.failed;
        return batch.status;
    }

    static const eomc_port eomc_ports_0[] = {
        {"q", 1, 1, {1}},
        {"u", 1, 1, {1}},
        {"tau", 1, 1, {1}},
        {"p", 1, 2, {2}},
        {"a", 1, 1, {1}}
    };

    static int eomc_call_0(const pendulum_float_real *const *x, pendulum_float_real *const *y)
    {
        return pendulum_float_forward_dynamics(x[0], x[1], x[2], (const pendulum_float_parameters *)(const void *)x[3], y[0]);
    }

    static const eomc_port eomc_ports_1[] = {
        {"q", 1, 1, {1}},
        {"u", 1, 1, {1}},
        {"p", 1, 2, {2}},
        {"qdot", 1, 1, {1}}
    };

    static int eomc_call_1(const pendulum_float_real *const *x, pendulum_float_real *const *y)
    {
        return pendulum_float_coordinate_rates(x[0], x[1], (const pendulum_float_parameters *)(const void *)x[2], y[0]);
    }

    static const eomc_port eomc_ports_2[] = {
        {"q", 1, 1, {1}},
        {"p", 1, 2, {2}},
        {"M", 2, 1, {1, 1}}
    };

    static int eomc_call_2(const pendulum_float_real *const *x, pendulum_float_real *const *y)
    {
        return pendulum_float_mass_matrix(x[0], (const pendulum_float_parameters *)(const void *)x[1], y[0]);
    }

    static const eomc_port eomc_ports_3[] = {
        {"q", 1, 1, {1}},
        {"u", 1, 1, {1}},
        {"p", 1, 2, {2}},
        {"T", 0, 1, {0}},
        {"V", 0, 1, {0}}
    };

    static int eomc_call_3(const pendulum_float_real *const *x, pendulum_float_real *const *y)
    {
        return pendulum_float_energies(x[0], x[1], (const pendulum_float_parameters *)(const void *)x[2], y[0], y[1]);
    }

    static const eomc_port eomc_ports_4[] = {
        {"p", 1, 2, {2}},
        {"q", 1, 1, {1}}
    };

    static int eomc_call_4(const pendulum_float_real *const *x, pendulum_float_real *const *y)
    {
        return pendulum_float_neutral((const pendulum_float_parameters *)(const void *)x[0], y[0]);
    }

    static const eomc_function eomc_functions[] = {
        {"forward_dynamics", 4, 1, 1, 10, eomc_ports_0, eomc_call_0, NULL},
        {"coordinate_rates", 3, 1, 1, 0, eomc_ports_1, eomc_call_1, NULL},
        {"mass_matrix", 2, 1, 1, 2, eomc_ports_2, eomc_call_2, NULL},
        {"energies", 3, 2, 1, 9, eomc_ports_3, eomc_call_3, NULL},
        {"neutral", 1, 1, 1, 0, eomc_ports_4, eomc_call_4, NULL}
    };

    typedef char eomc_struct_is_array[sizeof(pendulum_float_parameters) == sizeof(eomc_defaults) ? 1 : -1];

    static void eomc_set_defaults(void)
    {
        const pendulum_float_parameters p = pendulum_float_default_parameters();
        eomc_defaults[0] = (pendulum_float_real)p.mass;
        eomc_defaults[1] = (pendulum_float_real)p.length;
    }
    """
    ctypedef float _real "pendulum_float_real"
    ctypedef Py_ssize_t _npy_intp "npy_intp"
    ctypedef struct _Port "eomc_port":
        const char *name
        int ndim
        _npy_intp size
        const _npy_intp *shape
    ctypedef struct _Function "eomc_function":
        const char *name
        int inputs
        int outputs
        bint tunable
        _npy_intp operations
        const _Port *ports
    _real _defaults "eomc_defaults"[]
    const _Function _functions "eomc_functions"[]
    bint _read "eomc_read"(const _Function *, _PyObject **, const _real **, _real *)
    bint _write "eomc_write"(const _Function *, _PyObject *, const _real **, _real **)
    object _new "eomc_new"(const _Port *)
    _npy_intp _LANES "EOMC_LANES"
    int _run "eomc_run"(const _Function *, const _real **, const _npy_intp *, _real **, _npy_intp,
                       _npy_intp *)
    int _run_threads "eomc_run_threads"(const _Function *, const _real **, const _npy_intp *,
                                        _real **, _npy_intp, _npy_intp, _npy_intp *)
    _real *_data "eomc_data"(object)
    int _import_array "_import_array"() except -1
    void _set_defaults "eomc_set_defaults"()
    const char *_status_name "pendulum_float_status_name"(int)

cdef enum:
    _PORTS = 5  # room for the arguments of any function

_import_array()
_set_defaults()

manifest = _json.loads('{\n "name": "pendulum",\n "eomc": "0.1.0",\n "hash": "f64be0fa1bc3acc1b907e9a0d5a79f8e9c679a0c64c2f87b37a75a5c7c02231c",\n "real": "float",\n "prefix": "pendulum_float",\n "module": "pendulum_float_module",\n "lanes": 1,\n "optimize": "speed",\n "functions": {\n  "forward_dynamics": {\n   "symbol": "pendulum_float_forward_dynamics",\n   "python": "forward_dynamics",\n   "description": "Angular acceleration.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      1\n     ],\n     "units": "rad",\n     "description": "angle from hanging",\n     "rows": [\n      "hinge"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      1\n     ],\n     "units": "rad/s",\n     "description": "angular velocity",\n     "rows": [\n      "hinge"\n     ]\n    },\n    {\n     "name": "tau",\n     "c_name": "tau",\n     "shape": [\n      1\n     ],\n     "units": "N m",\n     "description": "torque",\n     "rows": [\n      "hinge"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "a",\n     "c_name": "a",\n     "shape": [\n      1\n     ],\n     "units": "rad/s^2",\n     "description": "acceleration",\n     "rows": []\n    }\n   ],\n   "return_codes": [\n    "degenerate_length"\n   ],\n   "operations": {\n    "div": 1,\n    "mul": 6,\n    "sin": 1,\n    "sub": 2\n   },\n   "statements": 4,\n   "stack_bytes": 272,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 12,\n     "bytes": 78,\n     "time": 29,\n     "angles": 0,\n     "path": 28,\n     "by_depth": false,\n     "in_loops": false\n    }\n   }\n  },\n  "coordinate_rates": {\n   "symbol": "pendulum_float_coordinate_rates",\n   "python": "coordinate_rates",\n   "description": "",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      1\n     ],\n     "units": "rad",\n     "description": "angle from hanging",\n     "rows": [\n      "hinge"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      1\n     ],\n     "units": "rad/s",\n     "description": "angular velocity",\n     "rows": [\n      "hinge"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "qdot",\n     "c_name": "qdot",\n     "shape": [\n      1\n     ],\n     "units": "",\n     "description": "",\n     "rows": []\n    }\n   ],\n   "return_codes": [],\n   "operations": {},\n   "statements": 0,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 1,\n     "bytes": 6,\n     "time": 8,\n     "angles": 0,\n     "path": 0,\n     "by_depth": false,\n     "in_loops": false\n    }\n   }\n  },\n  "mass_matrix": {\n   "symbol": "pendulum_float_mass_matrix",\n   "python": "mass_matrix",\n   "description": "",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      1\n     ],\n     "units": "rad",\n     "description": "angle from hanging",\n     "rows": [\n      "hinge"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "M",\n     "c_name": "M",\n     "shape": [\n      1,\n      1\n     ],\n     "units": "kg m^2",\n     "description": "",\n     "rows": []\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "mul": 2\n   },\n   "statements": 1,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 3,\n     "bytes": 20,\n     "time": 10,\n     "angles": 0,\n     "path": 2,\n     "by_depth": false,\n     "in_loops": false\n    }\n   }\n  },\n  "energies": {\n   "symbol": "pendulum_float_energies",\n   "python": "energies",\n   "description": "Kinetic and potential energy.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      1\n     ],\n     "units": "rad",\n     "description": "angle from hanging",\n     "rows": [\n      "hinge"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      1\n     ],\n     "units": "rad/s",\n     "description": "angular velocity",\n     "rows": [\n      "hinge"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "T",\n     "c_name": "T",\n     "shape": [],\n     "units": "J",\n     "description": "kinetic",\n     "rows": []\n    },\n    {\n     "name": "V",\n     "c_name": "V",\n     "shape": [],\n     "units": "J",\n     "description": "potential",\n     "rows": []\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "cos": 1,\n    "mul": 8\n   },\n   "statements": 4,\n   "stack_bytes": 272,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 12,\n     "bytes": 78,\n     "time": 24,\n     "angles": 0,\n     "path": 22,\n     "by_depth": false,\n     "in_loops": false\n    }\n   }\n  },\n  "neutral": {\n   "symbol": "pendulum_float_neutral",\n   "python": "neutral",\n   "description": "",\n   "inputs": [],\n   "outputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      1\n     ],\n     "units": "",\n     "description": "",\n     "rows": []\n    }\n   ],\n   "return_codes": [],\n   "operations": {},\n   "statements": 0,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 1,\n     "bytes": 6,\n     "time": 8,\n     "angles": 0,\n     "path": 0,\n     "by_depth": false,\n     "in_loops": false\n    }\n   }\n  }\n },\n "integrators": [\n  {\n   "name": "rk4",\n   "symbol": "pendulum_float_rk4",\n   "title": "classical Runge-Kutta method of order 4",\n   "order": 4,\n   "adaptive": false,\n   "stages": 4,\n   "inputs": [\n    "q",\n    "u",\n    "tau"\n   ]\n  },\n  {\n   "name": "dopri",\n   "symbol": "pendulum_float_dopri",\n   "title": "Dormand-Prince method of order 5(4)",\n   "order": 5,\n   "adaptive": true,\n   "stages": 7,\n   "inputs": [\n    "q",\n    "u",\n    "tau"\n   ]\n  }\n ],\n "parameters": [\n  {\n   "name": "mass",\n   "member": "mass",\n   "default": 2.0,\n   "units": "kg",\n   "description": "of the bob"\n  },\n  {\n   "name": "length",\n   "member": "length",\n   "default": 0.7,\n   "units": "m",\n   "description": ""\n  }\n ],\n "index_names": {\n  "q": [\n   "hinge"\n  ],\n  "u": [\n   "hinge"\n  ]\n },\n "return_codes": {\n  "degenerate_length": 1,\n  "step_underflow": 2,\n  "too_many_steps": 3\n },\n "metadata": {\n  "coordinates": [\n   "hinge"\n  ]\n }\n}')

_dtype = _np.dtype("float32")
_parameter_names = ('mass', 'length')


cdef tuple _shape_of(const _Port *port):
    return tuple([port.shape[k] for k in range(port.ndim)])


cdef object _call(const _Function *f, _PyObject **values, object out, object threads):
    """One call of f: at once if all arguments are as C wants them, else by way of general()."""
    cdef const _real *x[_PORTS]
    cdef _real *y[_PORTS]
    cdef _real scalars[_PORTS]
    cdef _npy_intp done
    cdef int status, i
    cdef object result
    if not _read(f, values, x, scalars):
        return _general(f, values, out, threads)
    if out is not None:
        if not _write(f, <_PyObject *>out, x, y):
            return _general(f, values, out, threads)
        result = out
    elif f.outputs == 1:
        result = _new(f.ports + f.inputs)
        y[0] = _data(result)
    else:
        result = []
        for i in range(f.outputs):
            array = _new(f.ports + f.inputs + i)
            y[i] = _data(array)
            result.append(array)
        result = tuple(result)
    status = _run(f, x, NULL, y, 1, &done)
    if status != 0:
        raise _failure(f, status, (), [<object>values[i] for i in range(f.inputs)])
    if f.outputs == 1 and f.ports[f.inputs].ndim == 0 and out is None:
        return result[()]
    return result


# Operations that make it worth to wake threads, which takes some ten microseconds.
_WORTH_THREADS = 2_000_000


cdef _npy_intp _threads_for(double operations, threads) except -1:
    """What threads= says; all cores for work that takes milliseconds if it is None."""
    cdef _npy_intp number
    if threads is None:
        if operations < _WORTH_THREADS:
            return 1
        if hasattr(_os, "sched_getaffinity"):
            return len(_os.sched_getaffinity(0))
        return _os.cpu_count() or 1
    number = _index(threads)
    if number < 1:
        raise ValueError(f"argument 'threads' is {number}, expected 1 or more")
    return number


# Operations of a thread from one look for signals to the next, some tens of milliseconds.
cdef double _STRETCH_OPERATIONS = 1e8

cdef int _run_batch(const _Function *f, const _real **x, const _npy_intp *stride, _real **y,
                    _npy_intp count, _npy_intp threads, _npy_intp *done) except -1:
    """All states of a batch; *done counts those before the first that fails."""
    cdef const _real *from_[_PORTS]
    cdef _real *to[_PORTS]
    cdef double one = (f.operations + 20.0) * _LANES / threads
    cdef _npy_intp stretch = _LANES * (1 + <_npy_intp>(_STRETCH_OPERATIONS / one))
    cdef _npy_intp start = 0, part = 0
    cdef int status = 0, i
    while start < count and status == 0:
        if start:
            _check_signals()
        part = min(stretch, count - start)
        for i in range(f.inputs):
            from_[i] = x[i] + start*stride[i]
        for i in range(f.outputs):
            to[i] = y[i] + start*f.ports[f.inputs + i].size
        if threads > 1 and part > 1:
            status = _run_threads(f, from_, stride, to, part, threads, done)
        else:
            status = _run(f, from_, stride, to, part, done)
        done[0] += start
        start += part
    return status


cdef object _general(const _Function *f, _PyObject **values, object out, object threads):
    """Any call: conversions, batches, broadcasting, results into views."""
    cdef const _real *x[_PORTS]
    cdef _real *y[_PORTS]
    cdef _npy_intp stride[_PORTS]
    cdef _npy_intp count = 1, done = 0, number
    cdef int status, i
    cdef list inputs = [], outputs = []
    for i in range(f.inputs):
        if f.tunable and i == f.inputs - 1:
            inputs.append(_parameters(f, <object>values[i]))
        else:
            inputs.append(_coerced(f.name, f.ports + i, <object>values[i]))
    batches = [array.shape[:array.ndim - f.ports[i].ndim] for i, array in enumerate(inputs)]
    try:
        batch = _np.broadcast_shapes(*batches)
    except ValueError:
        text = ", ".join([f"{f.ports[i].name.decode()} {b}" for i, b in enumerate(batches)])
        raise ValueError(
            f"{f.name.decode()}: batch dimensions of the arguments do not broadcast: {text}"
        ) from None
    for extent in batch:
        count *= extent
    for i in range(f.inputs):
        array = inputs[i]
        if batches[i] != batch and array.size > f.ports[i].size:
            array = _np.broadcast_to(array, batch + _shape_of(f.ports + i))
            array = inputs[i] = _np.ascontiguousarray(array)
            batches[i] = batch
        stride[i] = f.ports[i].size if batches[i] == batch else 0
        x[i] = _data(array)
    targets = _targets_of(f, out, batch)
    for i in range(f.outputs):
        array = targets[i]
        if array is None or not array.flags.c_contiguous or not array.flags.aligned or any(
            [_np.may_share_memory(array, other) for other in inputs + outputs]
        ):
            array = _np.empty(batch + _shape_of(f.ports + f.inputs + i), _dtype)
        outputs.append(array)
        y[i] = _data(array)
    number = _threads_for(<double>count * (f.operations + 20), threads)
    status = _run_batch(f, x, stride, y, count, number, &done)
    if status != 0:
        index = _np.unravel_index(done, batch) if batch else ()
        rows = [a[index] if batches[i] == batch else a for i, a in enumerate(inputs)]
        raise _failure(f, status, index, rows)
    for i in range(f.outputs):
        if targets[i] is not None and targets[i] is not outputs[i]:
            targets[i][...] = outputs[i]
    if out is not None:
        return out
    return outputs[0][()] if f.outputs == 1 else tuple(outputs)


cdef object _unmasked(str where, object value):
    """value, unless it is an array with masked entries, which are no numbers to compute with."""
    if isinstance(value, _np.ndarray) and _np.any(getattr(value, "mask", False)):
        raise ValueError(f"{where} has masked entries")
    return value


cdef object _coerced(const char *function, const _Port *port, object value):
    """value as a C-contiguous array of the model's scalar type whose last axes fit the port."""
    where = f"{function.decode()}: argument '{port.name.decode()}'"
    value = _unmasked(where, value)
    try:
        array = _np.asarray(value)
    except ValueError as error:
        raise TypeError(f"{where} is no array of real numbers: {error}") from None
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"{where} must hold real numbers, not {type(value).__name__} of dtype {array.dtype}"
        )
    shape = _shape_of(port)
    if array.ndim < port.ndim or array.shape[array.ndim - port.ndim:] != shape:
        expected = f"(..., {', '.join([str(n) for n in shape])})" if shape else "(...)"
        raise ValueError(f"{where} has shape {array.shape}, expected {expected}")
    return _np.require(array, _dtype, ["C", "A"])


cdef object _parameters(const _Function *f, object value):
    """The tunable parameters: None for the defaults, a mapping to change some, or all as an array."""
    cdef const _Port *port = f.ports + f.inputs - 1
    if value is not None and not isinstance(value, _Mapping):
        return _coerced(f.name, port, value)
    entries = {name: _defaults[i] for i, name in enumerate(_parameter_names)}
    for name in value or ():
        if name not in entries:
            raise ValueError(
                f"{f.name.decode()}: argument 'p' names no tunable parameter {name!r}; "
                f"valid are {', '.join(_parameter_names)}"
            )
        entries[name] = value[name]
    try:
        columns = [_np.asarray(_unmasked(repr(name), entry)) for name, entry in entries.items()]
        array = _np.stack(_np.broadcast_arrays(*columns), axis=-1)
    except ValueError as error:
        raise ValueError(f"{f.name.decode()}: argument 'p': {error}") from None
    return _coerced(f.name, port, array)


cdef list _targets_of(const _Function *f, object out, tuple batch):
    """The arrays that out= names, checked; None for each where out is None."""
    if out is None:
        return [None] * f.outputs
    cdef int i
    targets = [out] if f.outputs == 1 else out
    where = f"{f.name.decode()}: argument 'out'"
    if f.outputs > 1 and (not isinstance(out, (tuple, list)) or len(out) != f.outputs):
        raise TypeError(f"{where} must be a tuple of {f.outputs} arrays")
    for i, array in enumerate(targets):
        if not isinstance(array, _np.ndarray) or array.dtype != _dtype:
            kind = getattr(array, "dtype", type(array).__name__)
            raise TypeError(f"{where} must be an array of {_dtype}, not {kind}")
        shape = batch + _shape_of(f.ports + f.inputs + i)
        if array.shape != shape:
            raise ValueError(f"{where} has shape {array.shape}, expected {shape}")
        if not array.flags.writeable:
            raise ValueError(f"{where} is read-only")
    return list(targets)


cdef object _failure(const _Function *f, int status, index, list inputs):
    place = f" at batch index {tuple([int(i) for i in index])}" if index else ""
    named = {f.ports[i].name.decode(): value for i, value in enumerate(inputs)}
    return FloatingPointError(f"{f.name.decode()}: {_reason(status, named)}{place}")


cdef str _reason(int status, dict inputs):
    """The code of a failure; before it, if there is one, the input that is not finite."""
    code = _status_name(status).decode()
    for name, value in inputs.items():
        if value is not None and not _np.isfinite(value).all():
            return f"argument '{name}' is not finite ({code})"
    return code

def forward_dynamics(q, u, tau, *, p=None, out=None, threads=None):
    """Angular acceleration.
    
    q : (1,) angle from hanging [rad]
    u : (1,) angular velocity [rad/s]
    tau : (1,) torque [N m]
    p : (2,) tunable parameters, or a mapping of some of them
    returns
            a : (1,) acceleration [rad/s^2]
    raises FloatingPointError: degenerate_length
    """
    cdef _PyObject *_values[4]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    _values[2] = <_PyObject *>tau
    _values[3] = <_PyObject *>p
    return _call(&_functions[0], _values, out, threads)

def coordinate_rates(q, u, *, p=None, out=None, threads=None):
    """coordinate rates
    
    q : (1,) angle from hanging [rad]
    u : (1,) angular velocity [rad/s]
    p : (2,) tunable parameters, or a mapping of some of them
    returns
            qdot : (1,)
    """
    cdef _PyObject *_values[3]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    _values[2] = <_PyObject *>p
    return _call(&_functions[1], _values, out, threads)

def mass_matrix(q, *, p=None, out=None, threads=None):
    """mass matrix
    
    q : (1,) angle from hanging [rad]
    p : (2,) tunable parameters, or a mapping of some of them
    returns
            M : (1, 1)  [kg m^2]
    """
    cdef _PyObject *_values[2]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>p
    return _call(&_functions[2], _values, out, threads)

def energies(q, u, *, p=None, out=None, threads=None):
    """Kinetic and potential energy.
    
    q : (1,) angle from hanging [rad]
    u : (1,) angular velocity [rad/s]
    p : (2,) tunable parameters, or a mapping of some of them
    returns
            T : scalar kinetic [J]
            V : scalar potential [J]
    """
    cdef _PyObject *_values[3]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    _values[2] = <_PyObject *>p
    return _call(&_functions[3], _values, out, threads)

def neutral(*, p=None, out=None, threads=None):
    """neutral
    
    p : (2,) tunable parameters, or a mapping of some of them
    returns
            q : (1,)
    """
    cdef _PyObject *_values[1]
    _values[0] = <_PyObject *>p
    return _call(&_functions[4], _values, out, threads)


cdef extern from *:
    """
    static const eomc_port eomc_integrator_rows[] = {
        {"q", 1, 1, {1}},
        {"u", 1, 1, {1}},
        {"tau", 1, 1, {1}},
        {"p", 1, 2, {2}}
    };

    static const eomc_function eomc_integrator_ports = {
        "integrator", 4, 0, 1, 0, eomc_integrator_rows,
        NULL, NULL
    };
    """
    const _Function _integrator_ports "eomc_integrator_ports"

cdef list _single(list held, q, u, p):
    """One state and one row of each other input, p last, as arrays that C can read."""
    cdef const _Function *f = &_integrator_ports
    cdef int i
    arrays = [_coerced(f.name, f.ports + i, value) for i, value in enumerate([q, u, *held])]
    if f.tunable:
        arrays.append(_parameters(f, p))
    for i, array in enumerate(arrays):
        if array.ndim != f.ports[i].ndim:
            name = f.ports[i].name.decode()
            raise ValueError(f"integrator: argument '{name}' must be a single row, without batch")
    return arrays

cdef extern from *:
    """
    static int eomc_run_rk4(
        pendulum_float_real *q, pendulum_float_real *u, const pendulum_float_real *const *x, pendulum_float_real t, pendulum_float_real h,
        int steps, int per_step, int *done)
    {
        (void)x;
        (void)t;
        return pendulum_float_rk4_trajectory(
            q, u, x[0], (const pendulum_float_parameters *)(const void *)x[1], h, steps, per_step, done);
    }
    """
    int _run_rk4 "eomc_run_rk4"(_real *, _real *, const _real *const *, _real, _real, int, int, int *) noexcept nogil


ctypedef int (*_Trajectory)(_real *, _real *, const _real *const *, _real, _real, int, int,
                           int *) noexcept nogil

# So many steps from one look for signals to the next.
cdef int _STRETCH = 256

cdef object _integrate(name, _Trajectory trajectory, list held, q, u, t, h, steps, p):
    """A recorded run: checks, copies of the initial state, C without the GIL."""
    cdef const _Function *f = &_integrator_ports
    cdef const _real *x[_PORTS]
    cdef _real *q_rows
    cdef _real *u_rows
    cdef _real start = t
    cdef _real step = h
    cdef int count = _index(steps)
    cdef int per_step = 0, some = 0, status = 0, i
    cdef _npy_intp done = 0, nq, nu
    if count < 0:
        raise ValueError(f"{name}: argument 'steps' is {count}, expected 0 or more")
    if not _np.isfinite([start, step]).all():
        raise ValueError(f"{name}: arguments 't' and 'h' must be finite")
    q, u = _coerced(f.name, f.ports, q), _coerced(f.name, f.ports + 1, u)
    if q.ndim != 1 or u.ndim != 1:
        raise ValueError(f"{name}: arguments 'q' and 'u' must be single states, without batch")
    inputs = []
    for i, value in enumerate(held):
        array = _coerced(f.name, f.ports + 2 + i, value)
        rows = array.shape[:array.ndim - f.ports[2 + i].ndim]
        if rows not in ((), (count,)):
            raise ValueError(
                f"{name}: argument '{f.ports[2 + i].name.decode()}' has shape {array.shape}; expected "
                f"one row, or one for each of the {count} steps"
            )
        per_step |= rows != ()
        inputs.append(array)
    if per_step:
        for i, array in enumerate(inputs):
            shape = (count, *_shape_of(f.ports + 2 + i))
            inputs[i] = _np.ascontiguousarray(_np.broadcast_to(array, shape))
    if f.tunable:
        inputs.append(_parameters(f, p))
        if inputs[len(inputs) - 1].ndim != 1:
            raise ValueError(f"{name}: argument 'p' must be one set of parameters")
    for i, array in enumerate(inputs):
        x[i] = _data(array)
    q_history = _np.empty((count + 1, q.size), _dtype)
    u_history = _np.empty((count + 1, u.size), _dtype)
    q_history[0], u_history[0] = q, u
    nq, nu = q.size, u.size
    q_rows = _data(q_history)
    u_rows = _data(u_history)
    while status == 0 and done < count:
        if done:
            _check_signals()
        with nogil:
            status = trajectory(
                q_rows + done*nq, u_rows + done*nu, x, start + done*step, step,
                <int>min(_STRETCH, count - done), per_step, &some)
        done += some
        for i in range(per_step*len(held)):
            x[i] += some*f.ports[2 + i].size
    if status != 0:
        named = {f.ports[i].name.decode(): array for i, array in enumerate([q, u, *inputs])}
        raise FloatingPointError(f"{name}: {_reason(status, named)} in step {done}")
    return q_history, u_history

def rk4(q, u, tau, h, steps, *, p=None):
    """classical Runge-Kutta method of order 4: steps of length h, every one recorded.

    q, u : initial state
    tau : held inputs, one row or one a step
    returns
        q : (steps + 1, 1), u : (steps + 1, 1)
    """
    return _integrate("rk4", _run_rk4, [tau], q, u, 0.0, h, steps, p)


cdef extern from *:
    """
    static int eomc_run_dopri(
        pendulum_float_real *q, pendulum_float_real *u, const pendulum_float_real *const *x, const pendulum_float_real *times, int rows,
        pendulum_float_real rtol, pendulum_float_real atol, int max_steps, pendulum_float_adaptive_run *run)
    {
        (void)x;
        return pendulum_float_dopri(
            q, u, x[0], (const pendulum_float_parameters *)(const void *)x[1], times, rows, rtol, atol, max_steps, run);
    }
    """
    ctypedef struct _AdaptiveRun "pendulum_float_adaptive_run":
        _real h
        _real time
        int done
        int steps
        int rejected
    int _run_dopri "eomc_run_dopri"(_real *, _real *, const _real *const *, const _real *, int, _real, _real, int, _AdaptiveRun *) noexcept nogil

ctypedef int (*_Adaptive)(_real *, _real *, const _real *const *, const _real *, int, _real, _real,
                          int, _AdaptiveRun *) noexcept nogil

cdef object _adapt(name, _Adaptive integrate, list held, q, u, times, rtol, atol, h, max_steps, p):
    """A recorded run: checks, copies of the initial state, one C call without the GIL."""
    cdef const _real *x[_PORTS]
    cdef const _real *grid
    cdef _real *q_rows
    cdef _real *u_rows
    cdef _real relative = rtol, absolute = atol
    cdef int count, most = _index(max_steps), status, i
    cdef _AdaptiveRun run
    times = _np.require(times, _dtype, ["C", "A"])
    if times.ndim != 1 or times.size < 1 or not (_np.diff(times) > 0).all():
        raise ValueError(f"{name}: argument 'times' must be a row of increasing numbers")
    for label, value in (("rtol", rtol), ("atol", atol)):
        if not (value > 0 and _np.isfinite(value)):
            raise ValueError(f"{name}: argument '{label}' is {value}, expected a positive number")
    if not (_np.isfinite(times).all() and _np.isfinite(h)):
        raise ValueError(f"{name}: arguments 'times' and 'h' must be finite")
    if most < 1:
        raise ValueError(f"{name}: argument 'max_steps' is {most}, expected 1 or more")
    inputs = _single(held, q, u, p)
    for i, array in enumerate(inputs[2:]):
        x[i] = _data(array)
    count = times.size
    q_history = _np.empty((count, inputs[0].size), _dtype)
    u_history = _np.empty((count, inputs[1].size), _dtype)
    q_history[0], u_history[0] = inputs[0], inputs[1]
    q_rows, u_rows, grid = _data(q_history), _data(u_history), _data(times)
    run.h = h
    with nogil:
        status = integrate(q_rows, u_rows, x, grid, count, relative, absolute, most, &run)
    if status != 0:
        named = {_integrator_ports.ports[i].name.decode(): array for i, array in enumerate(inputs)}
        reason = _reason(status, named)
        error = FloatingPointError(f"{name}: {reason} at time {float(run.time):.9g}")
        error.time = float(run.time)
        error.code = _status_name(status).decode()
        raise error
    return q_history, u_history, {"h": run.h, "steps": run.steps, "rejected": run.rejected}


def dopri(q, u, tau, times, *, rtol=1e-8, atol=1e-10, h=0.0, max_steps=10_000_000, p=None):
    """Dormand-Prince method of order 5(4): steps as long as the tolerances allow.

    q, u : initial state
    tau : inputs, held for the whole run
    times : (n,) increasing, those of the record
    rtol, atol : relative and absolute tolerance
    h : first step to try, 0 to choose one
    max_steps : most steps, taken or rejected
    returns
        q : (n, 1), u : (n, 1), and a dict:
        "h" the next step to try, "steps" taken and "rejected"
    raises FloatingPointError, whose attribute time says when
    """
    return _adapt("dopri", _run_dopri, [tau], q, u, times, rtol, atol, h, max_steps, p)
