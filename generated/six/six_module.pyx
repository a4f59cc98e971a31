# cython: language_level=3, binding=False, embedsignature=True, embedsignature.format=clinic
# cython: boundscheck=False, wraparound=False
"""Equations of motion of six, made by eomc.

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

cdef extern from *:
    """
    #include <numpy/arrayobject.h>
    #include "six.h"

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
        int (*call)(const six_real *const *x, six_real *const *y);
        int (*lanes)(const six_real *const *x, six_real *const *y, int *codes);
    } eomc_function;

    /* Operations in a call from which on the GIL is released. Giving it up and taking it back costs 25 ns
       when nobody waits for it, but microseconds when threads take turns. */
    #define EOMC_WORTH_RELEASING 2000

    static six_real eomc_defaults[1];

    /* An array that a C function can read as it is. */
    static int eomc_fits(PyObject *value, const eomc_port *port)
    {
        PyArrayObject *array = (PyArrayObject *)value;
        int k;
        if (!PyArray_CheckExact(value) || PyArray_TYPE(array) != NPY_DOUBLE
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
        const eomc_function *f, PyObject *const *values, const six_real **x, six_real *scalars)
    {
        int i;
        for (i = 0; i < f->inputs; i++) {
            const eomc_port *port = &f->ports[i];
            if (eomc_fits(values[i], port)) {
                x[i] = (const six_real *)PyArray_DATA((PyArrayObject *)values[i]);
            } else if (port->ndim == 0 && PyFloat_CheckExact(values[i])) {
                scalars[i] = (six_real)PyFloat_AS_DOUBLE(values[i]);
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
        const eomc_function *f, PyObject *out, const six_real *const *x, six_real **y)
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
            y[i] = (six_real *)PyArray_DATA((PyArrayObject *)value);
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

    static six_real *eomc_data(PyObject *array)
    {
        return (six_real *)PyArray_DATA((PyArrayObject *)array);
    }

    static PyObject *eomc_new(const eomc_port *port)
    {
        return PyArray_SimpleNew(port->ndim, port->shape, NPY_DOUBLE);
    }

    /* `count` calls; x and y advance by their strides. Returns the code that ended the loop and leaves
       the number of good calls in *done. */
    static int eomc_run_each(
        const eomc_function *f, const six_real **x, const npy_intp *stride, six_real **y,
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
        const eomc_function *f, const six_real **x, const npy_intp *stride, six_real **y,
        npy_intp count, npy_intp *done, six_real *work)
    {
        const six_real *inputs[EOMC_PORTS];
        six_real *outputs[EOMC_PORTS];
        six_real *place = work;
        int codes[EOMC_LANES];
        int i, k;
        for (i = 0; i < f->inputs; i++) {
            inputs[i] = place;
            if (stride[i] == 0) {  /* the same for all */
                six_to_lanes(x[i], (size_t)f->ports[i].size, 0, place);
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
                six_real *lanes = (six_real *)inputs[i];
                if (stride[i] == 0) {
                    continue;
                }
                if (filled == EOMC_LANES) {
                    six_to_lanes(x[i], (size_t)size, (size_t)stride[i], lanes);
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
                    six_from_lanes(outputs[i], (size_t)size, (size_t)size, y[i]);
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
        const eomc_function *f, const six_real **x, const npy_intp *stride, six_real **y,
        npy_intp count, npy_intp *done)
    {
    #if EOMC_LANES > 1
        if (count > 1 && f->lanes != NULL) {
            const size_t size = (size_t)eomc_lanes_size(f) * sizeof(six_real);
            char *memory = (char *)PyMem_RawMalloc(size + 64);  /* begins where a cache line does */
            if (memory != NULL) {
                char *aligned = memory + (64 - (size_t)memory % 64);
                const int status =
                    eomc_run_lanes(f, x, stride, y, count, done, (six_real *)(void *)aligned);
                PyMem_RawFree(memory);
                return status;
            }
        }
    #endif
        return eomc_run_each(f, x, stride, y, count, done);
    }

    /* The same without the GIL if it takes long enough. */
    static int eomc_run(
        const eomc_function *f, const six_real **x, const npy_intp *stride, six_real **y,
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
        const six_real **x;
        const npy_intp *stride;
        six_real **y;
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
        const six_real *x[EOMC_PORTS];
        six_real *y[EOMC_PORTS];
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
        const eomc_function *f, const six_real **x, const npy_intp *stride, six_real **y,
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
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"a", 1, 6, {6}},
        {"tau", 1, 6, {6}}
    };

    static int eomc_call_0(const six_real *const *x, six_real *const *y)
    {
        return six_inverse_dynamics(x[0], x[1], x[2], y[0]);
    }

    static const eomc_port eomc_ports_1[] = {
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"tau", 1, 6, {6}},
        {"a", 1, 6, {6}}
    };

    static int eomc_call_1(const six_real *const *x, six_real *const *y)
    {
        return six_forward_dynamics(x[0], x[1], x[2], y[0]);
    }

    static const eomc_port eomc_ports_2[] = {
        {"q", 1, 6, {6}},
        {"M", 2, 36, {6, 6}}
    };

    static int eomc_call_2(const six_real *const *x, six_real *const *y)
    {
        return six_mass_matrix(x[0], y[0]);
    }

    static const eomc_port eomc_ports_3[] = {
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"c", 1, 6, {6}}
    };

    static int eomc_call_3(const six_real *const *x, six_real *const *y)
    {
        return six_bias(x[0], x[1], y[0]);
    }

    static const eomc_port eomc_ports_4[] = {
        {"q", 1, 6, {6}},
        {"g", 1, 6, {6}}
    };

    static int eomc_call_4(const six_real *const *x, six_real *const *y)
    {
        return six_gravity(x[0], y[0]);
    }

    static const eomc_port eomc_ports_5[] = {
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"T", 0, 1, {0}}
    };

    static int eomc_call_5(const six_real *const *x, six_real *const *y)
    {
        return six_kinetic_energy(x[0], x[1], y[0]);
    }

    static const eomc_port eomc_ports_6[] = {
        {"q", 1, 6, {6}},
        {"V", 0, 1, {0}}
    };

    static int eomc_call_6(const six_real *const *x, six_real *const *y)
    {
        return six_potential_energy(x[0], y[0]);
    }

    static const eomc_port eomc_ports_7[] = {
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"tau", 1, 6, {6}},
        {"P", 0, 1, {0}}
    };

    static int eomc_call_7(const six_real *const *x, six_real *const *y)
    {
        return six_power(x[0], x[1], x[2], y[0]);
    }

    static const eomc_port eomc_ports_8[] = {
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"h", 1, 6, {6}}
    };

    static int eomc_call_8(const six_real *const *x, six_real *const *y)
    {
        return six_momentum(x[0], x[1], y[0]);
    }

    static const eomc_port eomc_ports_9[] = {
        {"q", 1, 6, {6}},
        {"c", 1, 3, {3}}
    };

    static int eomc_call_9(const six_real *const *x, six_real *const *y)
    {
        return six_center_of_mass(x[0], y[0]);
    }

    static const eomc_port eomc_ports_10[] = {
        {"q", 1, 6, {6}},
        {"J", 2, 18, {3, 6}}
    };

    static int eomc_call_10(const six_real *const *x, six_real *const *y)
    {
        return six_center_of_mass_jacobian(x[0], y[0]);
    }

    static const eomc_port eomc_ports_11[] = {
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"q_rate", 1, 6, {6}}
    };

    static int eomc_call_11(const six_real *const *x, six_real *const *y)
    {
        return six_coordinate_rates(x[0], x[1], y[0]);
    }

    static const eomc_port eomc_ports_12[] = {
        {"q", 1, 6, {6}},
        {"du", 1, 6, {6}},
        {"q_next", 1, 6, {6}}
    };

    static int eomc_call_12(const six_real *const *x, six_real *const *y)
    {
        return six_integrate(x[0], x[1], y[0]);
    }

    static const eomc_port eomc_ports_13[] = {
        {"q0", 1, 6, {6}},
        {"q1", 1, 6, {6}},
        {"du", 1, 6, {6}}
    };

    static int eomc_call_13(const six_real *const *x, six_real *const *y)
    {
        return six_difference(x[0], x[1], y[0]);
    }

    static const eomc_port eomc_ports_14[] = {
        {"q", 1, 6, {6}}
    };

    static int eomc_call_14(const six_real *const *x, six_real *const *y)
    {
        (void)x;
        return six_neutral(y[0]);
    }

    static const eomc_port eomc_ports_15[] = {
        {"q", 1, 6, {6}},
        {"q_unit", 1, 6, {6}}
    };

    static int eomc_call_15(const six_real *const *x, six_real *const *y)
    {
        return six_normalize(x[0], y[0]);
    }

    static const eomc_function eomc_functions[] = {
        {"inverse_dynamics", 3, 1, 0, 236, eomc_ports_0, eomc_call_0, NULL},
        {"forward_dynamics", 3, 1, 0, 487, eomc_ports_1, eomc_call_1, NULL},
        {"mass_matrix", 1, 1, 0, 259, eomc_ports_2, eomc_call_2, NULL},
        {"bias", 2, 1, 0, 172, eomc_ports_3, eomc_call_3, NULL},
        {"gravity", 1, 1, 0, 66, eomc_ports_4, eomc_call_4, NULL},
        {"kinetic_energy", 2, 1, 0, 132, eomc_ports_5, eomc_call_5, NULL},
        {"potential_energy", 1, 1, 0, 59, eomc_ports_6, eomc_call_6, NULL},
        {"power", 3, 1, 0, 23, eomc_ports_7, eomc_call_7, NULL},
        {"momentum", 2, 1, 0, 221, eomc_ports_8, eomc_call_8, NULL},
        {"center_of_mass", 1, 1, 0, 58, eomc_ports_9, eomc_call_9, NULL},
        {"center_of_mass_jacobian", 1, 1, 0, 120, eomc_ports_10, eomc_call_10, NULL},
        {"coordinate_rates", 2, 1, 0, 0, eomc_ports_11, eomc_call_11, NULL},
        {"integrate", 2, 1, 0, 6, eomc_ports_12, eomc_call_12, NULL},
        {"difference", 2, 1, 0, 6, eomc_ports_13, eomc_call_13, NULL},
        {"neutral", 0, 1, 0, 0, eomc_ports_14, eomc_call_14, NULL},
        {"normalize", 1, 1, 0, 0, eomc_ports_15, eomc_call_15, NULL}
    };

    static void eomc_set_defaults(void)
    {
        eomc_defaults[0] = 0;
    }
    """
    ctypedef double _real "six_real"
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
    const char *_status_name "six_status_name"(int)

cdef enum:
    _PORTS = 5  # room for the arguments of any function

_import_array()
_set_defaults()

manifest = _json.loads('{\n "name": "six",\n "eomc": "0.1.0",\n "hash": "a96a9d5f3edde303dc7452fc6b8bc5fb597c7cfd7570c931e632fc35155b0c63",\n "real": "double",\n "prefix": "six",\n "module": "six_module",\n "lanes": 1,\n "optimize": "speed",\n "functions": {\n  "inverse_dynamics": {\n   "symbol": "six_inverse_dynamics",\n   "python": "inverse_dynamics",\n   "description": "Generalized forces that a motion takes: tau = M(q) a + c(q, u).",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "a",\n     "c_name": "a",\n     "shape": [\n      6\n     ],\n     "units": "rad/s^2 or m/s^2",\n     "description": "time derivatives of the generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "tau",\n     "c_name": "tau",\n     "shape": [\n      6\n     ],\n     "units": "N m or N",\n     "description": "generalized forces",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 52,\n    "cos": 6,\n    "mul": 122,\n    "sin": 6,\n    "sub": 50\n   },\n   "statements": 90,\n   "stack_bytes": 944,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 257,\n     "bytes": 2470,\n     "time": 46\n    }\n   }\n  },\n  "forward_dynamics": {\n   "symbol": "six_forward_dynamics",\n   "python": "forward_dynamics",\n   "description": "Accelerations under given forces: a = M(q)^-1 (tau - c(q, u)).",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "tau",\n     "c_name": "tau",\n     "shape": [\n      6\n     ],\n     "units": "N m or N",\n     "description": "generalized forces on the speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "a",\n     "c_name": "a",\n     "shape": [\n      6\n     ],\n     "units": "rad/s^2 or m/s^2",\n     "description": "accelerations",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [\n    "singular_mass_matrix"\n   ],\n   "operations": {\n    "add": 113,\n    "cos": 6,\n    "div": 5,\n    "mul": 258,\n    "sin": 6,\n    "sub": 99\n   },\n   "statements": 208,\n   "stack_bytes": 1096,\n   "form": {\n    "name": "plain",\n    "why": "466 operations on pairs of like limbs instead of 475 do not pay",\n    "cost": {\n     "instructions": 538,\n     "bytes": 4297,\n     "time": 125\n    }\n   }\n  },\n  "mass_matrix": {\n   "symbol": "six_mass_matrix",\n   "python": "mass_matrix",\n   "description": "Mass matrix M(q), symmetric and positive definite.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "M",\n     "c_name": "M",\n     "shape": [\n      6,\n      6\n     ],\n     "units": "kg m^2, kg m or kg",\n     "description": "mass matrix",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 54,\n    "cos": 5,\n    "mul": 123,\n    "sin": 5,\n    "sub": 72\n   },\n   "statements": 100,\n   "stack_bytes": 640,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 326,\n     "bytes": 2119,\n     "time": 48\n    }\n   }\n  },\n  "bias": {\n   "symbol": "six_bias",\n   "python": "bias",\n   "description": "Forces of motion without acceleration, c(q, u): gyroscopic terms, weight, springs, losses.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "c",\n     "c_name": "c",\n     "shape": [\n      6\n     ],\n     "units": "N m or N",\n     "description": "bias forces",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 42,\n    "cos": 6,\n    "mul": 92,\n    "sin": 6,\n    "sub": 26\n   },\n   "statements": 78,\n   "stack_bytes": 872,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 185,\n     "bytes": 2002,\n     "time": 45\n    }\n   }\n  },\n  "gravity": {\n   "symbol": "six_gravity",\n   "python": "gravity",\n   "description": "Generalized forces that hold the weight at rest, g(q).",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "g",\n     "c_name": "g",\n     "shape": [\n      6\n     ],\n     "units": "N m or N",\n     "description": "weight forces",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 15,\n    "cos": 6,\n    "mul": 33,\n    "sin": 6,\n    "sub": 6\n   },\n   "statements": 29,\n   "stack_bytes": 704,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 66,\n     "bytes": 1229,\n     "time": 36\n    }\n   }\n  },\n  "kinetic_energy": {\n   "symbol": "six_kinetic_energy",\n   "python": "kinetic_energy",\n   "description": "Kinetic energy T(q, u), rotors included.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "T",\n     "c_name": "T",\n     "shape": [],\n     "units": "J",\n     "description": "kinetic energy",\n     "rows": []\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 43,\n    "cos": 5,\n    "mul": 74,\n    "sin": 5,\n    "sub": 5\n   },\n   "statements": 55,\n   "stack_bytes": 472,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 149,\n     "bytes": 968,\n     "time": 40\n    }\n   }\n  },\n  "potential_energy": {\n   "symbol": "six_potential_energy",\n   "python": "potential_energy",\n   "description": "Potential energy V(q) of weight (zero at the world origin), linear springs, potentials.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "V",\n     "c_name": "V",\n     "shape": [],\n     "units": "J",\n     "description": "potential energy",\n     "rows": []\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 12,\n    "cos": 6,\n    "mul": 24,\n    "sin": 6,\n    "sub": 11\n   },\n   "statements": 25,\n   "stack_bytes": 704,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 54,\n     "bytes": 1151,\n     "time": 37\n    }\n   }\n  },\n  "power": {\n   "symbol": "six_power",\n   "python": "power",\n   "description": "Power of tau and of all forces without potential: the rate of T + V.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "tau",\n     "c_name": "tau",\n     "shape": [\n      6\n     ],\n     "units": "N m or N",\n     "description": "generalized forces on the speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "P",\n     "c_name": "P",\n     "shape": [],\n     "units": "W",\n     "description": "power",\n     "rows": []\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 5,\n    "mul": 12,\n    "sub": 6\n   },\n   "statements": 6,\n   "stack_bytes": 272,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 27,\n     "bytes": 176,\n     "time": 14\n    }\n   }\n  },\n  "momentum": {\n   "symbol": "six_momentum",\n   "python": "momentum",\n   "description": "Linear and angular momentum about the world origin, world axes.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "h",\n     "c_name": "h",\n     "shape": [\n      6\n     ],\n     "units": "kg m/s, kg m^2/s",\n     "description": "(linear, angular) momentum",\n     "rows": [\n      "vx",\n      "vy",\n      "vz",\n      "wx",\n      "wy",\n      "wz"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 55,\n    "cos": 6,\n    "mul": 121,\n    "sin": 6,\n    "sub": 33\n   },\n   "statements": 95,\n   "stack_bytes": 952,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 240,\n     "bytes": 2360,\n     "time": 43\n    }\n   }\n  },\n  "center_of_mass": {\n   "symbol": "six_center_of_mass",\n   "python": "center_of_mass",\n   "description": "Centre of mass of the moving bodies, world frame.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "c",\n     "c_name": "c",\n     "shape": [\n      3\n     ],\n     "units": "m",\n     "description": "centre of mass",\n     "rows": [\n      "x",\n      "y",\n      "z"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 12,\n    "cos": 6,\n    "mul": 24,\n    "sin": 6,\n    "sub": 10\n   },\n   "statements": 26,\n   "stack_bytes": 704,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 55,\n     "bytes": 1158,\n     "time": 36\n    }\n   }\n  },\n  "center_of_mass_jacobian": {\n   "symbol": "six_center_of_mass_jacobian",\n   "python": "center_of_mass_jacobian",\n   "description": "Jacobian of the centre of mass: v_com = J u.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "J",\n     "c_name": "J",\n     "shape": [\n      3,\n      6\n     ],\n     "units": "m or 1",\n     "description": "centre of mass Jacobian",\n     "rows": [\n      "x",\n      "y",\n      "z"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 19,\n    "cos": 6,\n    "mul": 70,\n    "sin": 6,\n    "sub": 19\n   },\n   "statements": 42,\n   "stack_bytes": 824,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 139,\n     "bytes": 1704,\n     "time": 36\n    }\n   }\n  },\n  "coordinate_rates": {\n   "symbol": "six_coordinate_rates",\n   "python": "coordinate_rates",\n   "description": "Rates of the coordinates: q\' = G(q) u.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "u",\n     "c_name": "u",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "generalized speeds",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "q_rate",\n     "c_name": "q_rate",\n     "shape": [\n      6\n     ],\n     "units": "rad/s or m/s",\n     "description": "q\'",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {},\n   "statements": 0,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 6,\n     "bytes": 39,\n     "time": 8\n    }\n   }\n  },\n  "integrate": {\n   "symbol": "six_integrate",\n   "python": "integrate",\n   "description": "Configuration reached from q by the tangent displacement du.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "du",\n     "c_name": "du",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "displacement in the tangent space of q",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "q_next",\n     "c_name": "q_next",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "add": 6\n   },\n   "statements": 6,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 13,\n     "bytes": 84,\n     "time": 9\n    }\n   }\n  },\n  "difference": {\n   "symbol": "six_difference",\n   "python": "difference",\n   "description": "Tangent displacement du that leads from q0 to q1.",\n   "inputs": [\n    {\n     "name": "q0",\n     "c_name": "q0",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates, from",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    },\n    {\n     "name": "q1",\n     "c_name": "q1",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates, to",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "du",\n     "c_name": "du",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "displacement",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {\n    "sub": 6\n   },\n   "statements": 6,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 13,\n     "bytes": 84,\n     "time": 9\n    }\n   }\n  },\n  "neutral": {\n   "symbol": "six_neutral",\n   "python": "neutral",\n   "description": "Reference configuration: zero, quaternions without rotation.",\n   "inputs": [],\n   "outputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {},\n   "statements": 0,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 6,\n     "bytes": 39,\n     "time": 8\n    }\n   }\n  },\n  "normalize": {\n   "symbol": "six_normalize",\n   "python": "normalize",\n   "description": "q with its quaternions brought to unit length.",\n   "inputs": [\n    {\n     "name": "q",\n     "c_name": "q",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "outputs": [\n    {\n     "name": "q_unit",\n     "c_name": "q_unit",\n     "shape": [\n      6\n     ],\n     "units": "rad or m",\n     "description": "coordinates",\n     "rows": [\n      "j0",\n      "j1",\n      "j2",\n      "j3",\n      "j4",\n      "j5"\n     ]\n    }\n   ],\n   "return_codes": [],\n   "operations": {},\n   "statements": 0,\n   "stack_bytes": 256,\n   "form": {\n    "name": "plain",\n    "why": "few operations or angles, or single precision",\n    "cost": {\n     "instructions": 6,\n     "bytes": 39,\n     "time": 8\n    }\n   }\n  }\n },\n "integrators": [\n  {\n   "name": "rk4",\n   "symbol": "six_rk4",\n   "title": "classical Runge-Kutta method of order 4",\n   "order": 4,\n   "adaptive": false,\n   "stages": 4,\n   "inputs": [\n    "q",\n    "u",\n    "tau"\n   ]\n  },\n  {\n   "name": "dopri",\n   "symbol": "six_dopri",\n   "title": "Dormand-Prince method of order 5(4)",\n   "order": 5,\n   "adaptive": true,\n   "stages": 7,\n   "inputs": [\n    "q",\n    "u",\n    "tau"\n   ]\n  }\n ],\n "parameters": [],\n "index_names": {\n  "q": [\n   "j0",\n   "j1",\n   "j2",\n   "j3",\n   "j4",\n   "j5"\n  ],\n  "u": [\n   "j0",\n   "j1",\n   "j2",\n   "j3",\n   "j4",\n   "j5"\n  ]\n },\n "return_codes": {\n  "singular_mass_matrix": 1,\n  "step_underflow": 2,\n  "too_many_steps": 3\n },\n "metadata": {\n  "model": "six",\n  "description": "",\n  "coordinates": [\n   "j0",\n   "j1",\n   "j2",\n   "j3",\n   "j4",\n   "j5"\n  ],\n  "speeds": [\n   "j0",\n   "j1",\n   "j2",\n   "j3",\n   "j4",\n   "j5"\n  ],\n  "inputs": [],\n  "prescribed": [],\n  "neutral": [\n   0.0,\n   0.0,\n   0.0,\n   0.0,\n   0.0,\n   0.0\n  ],\n  "frames": [\n   "b0",\n   "b1",\n   "b2",\n   "b3",\n   "b4",\n   "b5"\n  ],\n  "frame_bodies": {},\n  "functions": [\n   "inverse_dynamics",\n   "forward_dynamics",\n   "mass_matrix",\n   "bias",\n   "gravity",\n   "kinetic_energy",\n   "potential_energy",\n   "power",\n   "momentum",\n   "center_of_mass",\n   "center_of_mass_jacobian",\n   "coordinate_rates",\n   "integrate",\n   "difference",\n   "neutral",\n   "normalize",\n   "poses",\n   "pull",\n   "pd",\n   "pd_with_gravity",\n   "computed_torque",\n   "state_feedback",\n   "inverse_dynamics_derivatives",\n   "forward_dynamics_derivatives",\n   "inverse_dynamics_parameter_derivatives",\n   "forward_dynamics_parameter_derivatives",\n   "regressor",\n   "inertial_parameters",\n   "inverse_dynamics_vjp",\n   "forward_dynamics_vjp",\n   "inverse_dynamics_jvp",\n   "forward_dynamics_jvp",\n   "inverse_dynamics_hvp",\n   "forward_dynamics_hvp",\n   "inverse_dynamics_hessian",\n   "forward_dynamics_hessian",\n   "inverse_dynamics_second_derivatives",\n   "forward_dynamics_second_derivatives",\n   "rk4_step_vjp",\n   "linearization",\n   "state_space",\n   "linearization_derivative",\n   "joint_reactions",\n   "acting_forces",\n   "joint_forces",\n   "frame_b0_pose",\n   "frame_b0_velocity",\n   "frame_b0_acceleration",\n   "frame_b0_jacobian",\n   "frame_b0_jacobian_rate",\n   "frame_b0_velocity_derivatives",\n   "frame_b1_pose",\n   "frame_b1_velocity",\n   "frame_b1_acceleration",\n   "frame_b1_jacobian",\n   "frame_b1_jacobian_rate",\n   "frame_b1_velocity_derivatives",\n   "frame_b2_pose",\n   "frame_b2_velocity",\n   "frame_b2_acceleration",\n   "frame_b2_jacobian",\n   "frame_b2_jacobian_rate",\n   "frame_b2_velocity_derivatives",\n   "frame_b3_pose",\n   "frame_b3_velocity",\n   "frame_b3_acceleration",\n   "frame_b3_jacobian",\n   "frame_b3_jacobian_rate",\n   "frame_b3_velocity_derivatives",\n   "frame_b4_pose",\n   "frame_b4_velocity",\n   "frame_b4_acceleration",\n   "frame_b4_jacobian",\n   "frame_b4_jacobian_rate",\n   "frame_b4_velocity_derivatives",\n   "frame_b5_pose",\n   "frame_b5_velocity",\n   "frame_b5_acceleration",\n   "frame_b5_jacobian",\n   "frame_b5_jacobian_rate",\n   "frame_b5_velocity_derivatives"\n  ],\n  "bodies": [\n   {\n    "name": "b0",\n    "mass": 1.1,\n    "com": [\n     0.3,\n     0.1,\n     0.0\n    ]\n   },\n   {\n    "name": "b1",\n    "mass": 1.0,\n    "com": [\n     0.3,\n     0.1,\n     0.0\n    ]\n   },\n   {\n    "name": "b2",\n    "mass": 0.9000000000000001,\n    "com": [\n     0.3,\n     0.1,\n     0.0\n    ]\n   },\n   {\n    "name": "b3",\n    "mass": 0.8,\n    "com": [\n     0.3,\n     0.1,\n     0.0\n    ]\n   },\n   {\n    "name": "b4",\n    "mass": 0.7000000000000001,\n    "com": [\n     0.3,\n     0.1,\n     0.0\n    ]\n   },\n   {\n    "name": "b5",\n    "mass": 0.6000000000000001,\n    "com": [\n     0.3,\n     0.1,\n     0.0\n    ]\n   }\n  ],\n  "joints": [\n   {\n    "name": "j0",\n    "kind": "revolute",\n    "parent": "world",\n    "child": "b0",\n    "coordinates": [\n     "j0"\n    ],\n    "speeds": [\n     "j0"\n    ],\n    "units": [\n     "rad"\n    ],\n    "lower": null,\n    "upper": null,\n    "velocity_limit": null,\n    "effort_limit": null\n   },\n   {\n    "name": "j1",\n    "kind": "revolute",\n    "parent": "b0",\n    "child": "b1",\n    "coordinates": [\n     "j1"\n    ],\n    "speeds": [\n     "j1"\n    ],\n    "units": [\n     "rad"\n    ],\n    "lower": null,\n    "upper": null,\n    "velocity_limit": null,\n    "effort_limit": null\n   },\n   {\n    "name": "j2",\n    "kind": "revolute",\n    "parent": "b1",\n    "child": "b2",\n    "coordinates": [\n     "j2"\n    ],\n    "speeds": [\n     "j2"\n    ],\n    "units": [\n     "rad"\n    ],\n    "lower": null,\n    "upper": null,\n    "velocity_limit": null,\n    "effort_limit": null\n   },\n   {\n    "name": "j3",\n    "kind": "revolute",\n    "parent": "b2",\n    "child": "b3",\n    "coordinates": [\n     "j3"\n    ],\n    "speeds": [\n     "j3"\n    ],\n    "units": [\n     "rad"\n    ],\n    "lower": null,\n    "upper": null,\n    "velocity_limit": null,\n    "effort_limit": null\n   },\n   {\n    "name": "j4",\n    "kind": "revolute",\n    "parent": "b3",\n    "child": "b4",\n    "coordinates": [\n     "j4"\n    ],\n    "speeds": [\n     "j4"\n    ],\n    "units": [\n     "rad"\n    ],\n    "lower": null,\n    "upper": null,\n    "velocity_limit": null,\n    "effort_limit": null\n   },\n   {\n    "name": "j5",\n    "kind": "revolute",\n    "parent": "b4",\n    "child": "b5",\n    "coordinates": [\n     "j5"\n    ],\n    "speeds": [\n     "j5"\n    ],\n    "units": [\n     "rad"\n    ],\n    "lower": null,\n    "upper": null,\n    "velocity_limit": null,\n    "effort_limit": null\n   }\n  ],\n  "picture": {\n   "schema": 1,\n   "name": "six",\n   "units": {\n    "length": "m"\n   },\n   "up": "z",\n   "bodies": [\n    "b0",\n    "b1",\n    "b2",\n    "b3",\n    "b4",\n    "b5"\n   ],\n   "frames": {},\n   "poses": {\n    "function": "poses",\n    "rows": [\n     "b0",\n     "b1",\n     "b2",\n     "b3",\n     "b4",\n     "b5"\n    ]\n   },\n   "shapes": [\n    {\n     "id": "s0",\n     "body": "b0",\n     "kind": "capsule",\n     "a": [\n      0.0,\n      0.0,\n      0.0\n     ],\n     "b": [\n      0.5,\n      0.0,\n      0.1\n     ],\n     "radius": 0.0611882,\n     "material": "body0",\n     "auto": true\n    },\n    {\n     "id": "s1",\n     "body": "b1",\n     "kind": "capsule",\n     "a": [\n      0.0,\n      0.0,\n      0.0\n     ],\n     "b": [\n      0.5,\n      0.0,\n      0.1\n     ],\n     "radius": 0.0611882,\n     "material": "body1",\n     "auto": true\n    },\n    {\n     "id": "s2",\n     "body": "b2",\n     "kind": "capsule",\n     "a": [\n      0.0,\n      0.0,\n      0.0\n     ],\n     "b": [\n      0.5,\n      0.0,\n      0.1\n     ],\n     "radius": 0.0611882,\n     "material": "body2",\n     "auto": true\n    },\n    {\n     "id": "s3",\n     "body": "b3",\n     "kind": "capsule",\n     "a": [\n      0.0,\n      0.0,\n      0.0\n     ],\n     "b": [\n      0.5,\n      0.0,\n      0.1\n     ],\n     "radius": 0.0611882,\n     "material": "body3",\n     "auto": true\n    },\n    {\n     "id": "s4",\n     "body": "b4",\n     "kind": "capsule",\n     "a": [\n      0.0,\n      0.0,\n      0.0\n     ],\n     "b": [\n      0.5,\n      0.0,\n      0.1\n     ],\n     "radius": 0.0611882,\n     "material": "body4",\n     "auto": true\n    },\n    {\n     "id": "s5",\n     "body": "b5",\n     "kind": "capsule",\n     "a": [\n      0.0,\n      0.0,\n      0.0\n     ],\n     "b": [\n      0.6,\n      0.2,\n      0.0\n     ],\n     "radius": 0.0611882,\n     "material": "body5",\n     "auto": true\n    },\n    {\n     "id": "s6",\n     "body": "b0",\n     "kind": "cylinder",\n     "placement": {\n      "xyz": [\n       0.0,\n       0.0,\n       0.0\n      ],\n      "quaternion": [\n       0.7071067811865476,\n       -0.7071067811865475,\n       0.0,\n       0.0\n      ]\n     },\n     "radius": 0.0887229,\n     "length": 0.220278,\n     "joint": "j0",\n     "material": "joint",\n     "auto": true\n    },\n    {\n     "id": "s7",\n     "body": "b1",\n     "kind": "cylinder",\n     "placement": {\n      "xyz": [\n       0.0,\n       0.0,\n       0.0\n      ],\n      "quaternion": [\n       0.7071067811865476,\n       -0.7071067811865475,\n       0.0,\n       0.0\n      ]\n     },\n     "radius": 0.0887229,\n     "length": 0.220278,\n     "joint": "j1",\n     "material": "joint",\n     "auto": true\n    },\n    {\n     "id": "s8",\n     "body": "b2",\n     "kind": "cylinder",\n     "placement": {\n      "xyz": [\n       0.0,\n       0.0,\n       0.0\n      ],\n      "quaternion": [\n       0.7071067811865476,\n       -0.7071067811865475,\n       0.0,\n       0.0\n      ]\n     },\n     "radius": 0.0887229,\n     "length": 0.220278,\n     "joint": "j2",\n     "material": "joint",\n     "auto": true\n    },\n    {\n     "id": "s9",\n     "body": "b3",\n     "kind": "cylinder",\n     "placement": {\n      "xyz": [\n       0.0,\n       0.0,\n       0.0\n      ],\n      "quaternion": [\n       0.7071067811865476,\n       -0.7071067811865475,\n       0.0,\n       0.0\n      ]\n     },\n     "radius": 0.0887229,\n     "length": 0.220278,\n     "joint": "j3",\n     "material": "joint",\n     "auto": true\n    },\n    {\n     "id": "s10",\n     "body": "b4",\n     "kind": "cylinder",\n     "placement": {\n      "xyz": [\n       0.0,\n       0.0,\n       0.0\n      ],\n      "quaternion": [\n       0.7071067811865476,\n       -0.7071067811865475,\n       0.0,\n       0.0\n      ]\n     },\n     "radius": 0.0887229,\n     "length": 0.220278,\n     "joint": "j4",\n     "material": "joint",\n     "auto": true\n    },\n    {\n     "id": "s11",\n     "body": "b5",\n     "kind": "cylinder",\n     "placement": {\n      "xyz": [\n       0.0,\n       0.0,\n       0.0\n      ],\n      "quaternion": [\n       0.7071067811865476,\n       -0.7071067811865475,\n       0.0,\n       0.0\n      ]\n     },\n     "radius": 0.0887229,\n     "length": 0.220278,\n     "joint": "j5",\n     "material": "joint",\n     "auto": true\n    },\n    {\n     "id": "s12",\n     "body": null,\n     "kind": "box",\n     "placement": {\n      "xyz": [\n       0.5,\n       0.0,\n       0.1\n      ],\n      "quaternion": [\n       0.7071067811865476,\n       -0.7071067811865475,\n       0.0,\n       0.0\n      ]\n     },\n     "size": [\n      0.256991,\n      0.256991,\n      0.134614\n     ],\n     "joint": "j0",\n     "material": "ground",\n     "auto": true\n    }\n   ],\n   "lines": [],\n   "meshes": {},\n   "materials": {\n    "body0": {\n     "color": "#4c86c6",\n     "roughness": 0.45,\n     "metalness": 0.15,\n     "opacity": 1.0\n    },\n    "body1": {\n     "color": "#e08a3c",\n     "roughness": 0.45,\n     "metalness": 0.15,\n     "opacity": 1.0\n    },\n    "body2": {\n     "color": "#5aa469",\n     "roughness": 0.45,\n     "metalness": 0.15,\n     "opacity": 1.0\n    },\n    "body3": {\n     "color": "#c9574d",\n     "roughness": 0.45,\n     "metalness": 0.15,\n     "opacity": 1.0\n    },\n    "body4": {\n     "color": "#8a6fb8",\n     "roughness": 0.45,\n     "metalness": 0.15,\n     "opacity": 1.0\n    },\n    "body5": {\n     "color": "#3fa3a8",\n     "roughness": 0.45,\n     "metalness": 0.15,\n     "opacity": 1.0\n    },\n    "joint": {\n     "color": "#3b4148",\n     "roughness": 0.5,\n     "metalness": 0.3,\n     "opacity": 1.0\n    },\n    "ground": {\n     "color": "#9aa3ad",\n     "roughness": 0.9,\n     "metalness": 0.0,\n     "opacity": 1.0\n    }\n   },\n   "camera": {\n    "direction": [\n     0.25,\n     -1.6,\n     0.25\n    ],\n    "center": null,\n    "radius": null\n   },\n   "ground": {\n    "z": null\n   },\n   "radius": 0.0611882,\n   "reach": 2.54951\n  }\n }\n}')

_dtype = _np.dtype("float64")
_parameter_names = ()


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
    if number > 1 and count > 1:
        status = _run_threads(f, x, stride, y, count, number, &done)
    else:
        status = _run(f, x, stride, y, count, &done)
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


cdef object _coerced(const char *function, const _Port *port, object value):
    """value as a C-contiguous array of the model's scalar type whose last axes fit the port."""
    where = f"{function.decode()}: argument '{port.name.decode()}'"
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
        columns = [_np.asarray(entry) for entry in entries.values()]
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

def inverse_dynamics(q, u, a, *, out=None, threads=None):
    """Generalized forces that a motion takes: tau = M(q) a + c(q, u).
    
    q : (6,) coordinates [rad or m]
    u : (6,) generalized speeds [rad/s or m/s]
    a : (6,) time derivatives of the generalized speeds [rad/s^2 or m/s^2]
    returns
            tau : (6,) generalized forces [N m or N]
    """
    cdef _PyObject *_values[3]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    _values[2] = <_PyObject *>a
    return _call(&_functions[0], _values, out, threads)

def forward_dynamics(q, u, tau, *, out=None, threads=None):
    """Accelerations under given forces: a = M(q)^-1 (tau - c(q, u)).
    
    q : (6,) coordinates [rad or m]
    u : (6,) generalized speeds [rad/s or m/s]
    tau : (6,) generalized forces on the speeds [N m or N]
    returns
            a : (6,) accelerations [rad/s^2 or m/s^2]
    raises FloatingPointError: singular_mass_matrix
    """
    cdef _PyObject *_values[3]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    _values[2] = <_PyObject *>tau
    return _call(&_functions[1], _values, out, threads)

def mass_matrix(q, *, out=None, threads=None):
    """Mass matrix M(q), symmetric and positive definite.
    
    q : (6,) coordinates [rad or m]
    returns
            M : (6, 6) mass matrix [kg m^2, kg m or kg]
    """
    cdef _PyObject *_values[1]
    _values[0] = <_PyObject *>q
    return _call(&_functions[2], _values, out, threads)

def bias(q, u, *, out=None, threads=None):
    """Forces of motion without acceleration, c(q, u): gyroscopic terms, weight, springs, losses.
    
    q : (6,) coordinates [rad or m]
    u : (6,) generalized speeds [rad/s or m/s]
    returns
            c : (6,) bias forces [N m or N]
    """
    cdef _PyObject *_values[2]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    return _call(&_functions[3], _values, out, threads)

def gravity(q, *, out=None, threads=None):
    """Generalized forces that hold the weight at rest, g(q).
    
    q : (6,) coordinates [rad or m]
    returns
            g : (6,) weight forces [N m or N]
    """
    cdef _PyObject *_values[1]
    _values[0] = <_PyObject *>q
    return _call(&_functions[4], _values, out, threads)

def kinetic_energy(q, u, *, out=None, threads=None):
    """Kinetic energy T(q, u), rotors included.
    
    q : (6,) coordinates [rad or m]
    u : (6,) generalized speeds [rad/s or m/s]
    returns
            T : scalar kinetic energy [J]
    """
    cdef _PyObject *_values[2]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    return _call(&_functions[5], _values, out, threads)

def potential_energy(q, *, out=None, threads=None):
    """Potential energy V(q) of weight (zero at the world origin), linear springs, potentials.
    
    q : (6,) coordinates [rad or m]
    returns
            V : scalar potential energy [J]
    """
    cdef _PyObject *_values[1]
    _values[0] = <_PyObject *>q
    return _call(&_functions[6], _values, out, threads)

def power(q, u, tau, *, out=None, threads=None):
    """Power of tau and of all forces without potential: the rate of T + V.
    
    q : (6,) coordinates [rad or m]
    u : (6,) generalized speeds [rad/s or m/s]
    tau : (6,) generalized forces on the speeds [N m or N]
    returns
            P : scalar power [W]
    """
    cdef _PyObject *_values[3]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    _values[2] = <_PyObject *>tau
    return _call(&_functions[7], _values, out, threads)

def momentum(q, u, *, out=None, threads=None):
    """Linear and angular momentum about the world origin, world axes.
    
    q : (6,) coordinates [rad or m]
    u : (6,) generalized speeds [rad/s or m/s]
    returns
            h : (6,) (linear, angular) momentum [kg m/s, kg m^2/s]
    """
    cdef _PyObject *_values[2]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    return _call(&_functions[8], _values, out, threads)

def center_of_mass(q, *, out=None, threads=None):
    """Centre of mass of the moving bodies, world frame.
    
    q : (6,) coordinates [rad or m]
    returns
            c : (3,) centre of mass [m]
    """
    cdef _PyObject *_values[1]
    _values[0] = <_PyObject *>q
    return _call(&_functions[9], _values, out, threads)

def center_of_mass_jacobian(q, *, out=None, threads=None):
    """Jacobian of the centre of mass: v_com = J u.
    
    q : (6,) coordinates [rad or m]
    returns
            J : (3, 6) centre of mass Jacobian [m or 1]
    """
    cdef _PyObject *_values[1]
    _values[0] = <_PyObject *>q
    return _call(&_functions[10], _values, out, threads)

def coordinate_rates(q, u, *, out=None, threads=None):
    """Rates of the coordinates: q' = G(q) u.
    
    q : (6,) coordinates [rad or m]
    u : (6,) generalized speeds [rad/s or m/s]
    returns
            q_rate : (6,) q' [rad/s or m/s]
    """
    cdef _PyObject *_values[2]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>u
    return _call(&_functions[11], _values, out, threads)

def integrate(q, du, *, out=None, threads=None):
    """Configuration reached from q by the tangent displacement du.
    
    q : (6,) coordinates [rad or m]
    du : (6,) displacement in the tangent space of q [rad or m]
    returns
            q_next : (6,) coordinates [rad or m]
    """
    cdef _PyObject *_values[2]
    _values[0] = <_PyObject *>q
    _values[1] = <_PyObject *>du
    return _call(&_functions[12], _values, out, threads)

def difference(q0, q1, *, out=None, threads=None):
    """Tangent displacement du that leads from q0 to q1.
    
    q0 : (6,) coordinates, from [rad or m]
    q1 : (6,) coordinates, to [rad or m]
    returns
            du : (6,) displacement [rad or m]
    """
    cdef _PyObject *_values[2]
    _values[0] = <_PyObject *>q0
    _values[1] = <_PyObject *>q1
    return _call(&_functions[13], _values, out, threads)

def neutral(*, out=None, threads=None):
    """Reference configuration: zero, quaternions without rotation.
    
    returns
            q : (6,) coordinates [rad or m]
    """
    cdef _PyObject *_values[1]
    return _call(&_functions[14], _values, out, threads)

def normalize(q, *, out=None, threads=None):
    """q with its quaternions brought to unit length.
    
    q : (6,) coordinates [rad or m]
    returns
            q_unit : (6,) coordinates [rad or m]
    """
    cdef _PyObject *_values[1]
    _values[0] = <_PyObject *>q
    return _call(&_functions[15], _values, out, threads)


cdef extern from *:
    """
    static const eomc_port eomc_integrator_rows[] = {
        {"q", 1, 6, {6}},
        {"u", 1, 6, {6}},
        {"tau", 1, 6, {6}}
    };

    static const eomc_function eomc_integrator_ports = {
        "integrator", 3, 0, 0, 0, eomc_integrator_rows,
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
        six_real *q, six_real *u, const six_real *const *x, six_real t, six_real h,
        int steps, int per_step, int *done)
    {
        (void)x;
        (void)t;
        return six_rk4_trajectory(
            q, u, x[0], h, steps, per_step, done);
    }
    """
    int _run_rk4 "eomc_run_rk4"(_real *, _real *, const _real *const *, _real, _real, int, int, int *) noexcept nogil


ctypedef int (*_Trajectory)(_real *, _real *, const _real *const *, _real, _real, int, int,
                           int *) noexcept nogil

cdef object _integrate(name, _Trajectory trajectory, list held, q, u, t, h, steps, p):
    """A recorded run: checks, copies of the initial state, one C call without the GIL."""
    cdef const _Function *f = &_integrator_ports
    cdef const _real *x[_PORTS]
    cdef _real *q_rows
    cdef _real *u_rows
    cdef _real start = t
    cdef _real step = h
    cdef int count = _index(steps)
    cdef int per_step = 0, done = 0, status, i
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
    q_rows = _data(q_history)
    u_rows = _data(u_history)
    with nogil:
        status = trajectory(q_rows, u_rows, x, start, step, count, per_step, &done)
    if status != 0:
        raise FloatingPointError(f"{name}: {_status_name(status).decode()} in step {done}")
    return q_history, u_history

def rk4(q, u, tau, h, steps):
    """classical Runge-Kutta method of order 4: steps of length h, every one recorded.

    q, u : initial state
    tau : held inputs, one row or one a step
    returns
        q : (steps + 1, 6), u : (steps + 1, 6)
    """
    return _integrate("rk4", _run_rk4, [tau], q, u, 0.0, h, steps, None)


cdef extern from *:
    """
    static int eomc_run_dopri(
        six_real *q, six_real *u, const six_real *const *x, const six_real *times, int rows,
        six_real rtol, six_real atol, int max_steps, six_adaptive_run *run)
    {
        (void)x;
        return six_dopri(
            q, u, x[0], times, rows, rtol, atol, max_steps, run);
    }
    """
    ctypedef struct _AdaptiveRun "six_adaptive_run":
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
        code = _status_name(status).decode()
        error = FloatingPointError(f"{name}: {code} at time {float(run.time):.9g}")
        error.time = float(run.time)
        error.code = code
        raise error
    return q_history, u_history, {"h": run.h, "steps": run.steps, "rejected": run.rejected}


def dopri(q, u, tau, times, *, rtol=1e-8, atol=1e-10, h=0.0, max_steps=10_000_000):
    """Dormand-Prince method of order 5(4): steps as long as the tolerances allow.

    q, u : initial state
    tau : inputs, held for the whole run
    times : (n,) increasing, those of the record
    rtol, atol : relative and absolute tolerance
    h : first step to try, 0 to choose one
    max_steps : most steps, taken or rejected
    returns
        q : (n, 6), u : (n, 6), and a dict:
        "h" the next step to try, "steps" taken and "rejected"
    raises FloatingPointError, whose attribute time says when
    """
    return _adapt("dopri", _run_dopri, [tau], q, u, times, rtol, atol, h, max_steps, None)
