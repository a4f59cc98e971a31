import json as _json
import os as _os
from collections.abc import Mapping as _Mapping
from operator import index as _index
from sys import intern as _intern

import numpy as _np

# Not from cpython.*: reading Cython's declarations would take as long as all that follows.
cdef extern from "Python.h":
    ctypedef struct _PyObject "PyObject":
        pass
    ctypedef struct _PyMethodDef "PyMethodDef":
        const char *ml_name
        void *ml_meth
        int ml_flags
        const char *ml_doc
    object _new_function "PyCFunction_NewEx"(_PyMethodDef *, object, object)
    int _METH_FASTCALL "METH_FASTCALL"
    int _METH_VARARGS "METH_VARARGS"
    int _METH_KEYWORDS "METH_KEYWORDS"
    int _check_signals "PyErr_CheckSignals"() except -1
    void *_calloc "PyMem_Calloc"(size_t, size_t)
    void _free "PyMem_Free"(void *)
    _PyObject *_NONE "Py_None"

cdef extern from *:
    """
    #include <string.h>
    #include <numpy/arrayobject.h>
    #include "eomc_call.h"
    #include "eomc_threads.h"
    """
    ctypedef Py_ssize_t _npy_intp "npy_intp"
    int _VERSION "EOMC_VERSION"
    const char *_MAGIC "EOMC_MAGIC"
    int _MOST_LANES "EOMC_MOST_LANES"
    int _DOUBLE "NPY_DOUBLE"
    int _FLOAT "NPY_FLOAT"
    enum:
        _DIMENSIONS "EOMC_DIMENSIONS"
        _PORTS "EOMC_PORTS"

    ctypedef int (*_Call "eomc_call")(const void *const *, void *const *) noexcept nogil
    ctypedef int (*_CallLanes "eomc_call_lanes")(const void *const *, void *const *, int *) noexcept nogil
    ctypedef struct _Entry "eomc_entry":
        const char *name
        _Call call
        _CallLanes lanes
    ctypedef struct _Routine "eomc_routine":
        const char *name
        void *call
    ctypedef struct _Table "eomc_table":
        char magic[16]
        int version
        int real
        int lanes
        const char *const *manifest
        const _Entry *functions
        const _Routine *routines
        void (*set_defaults)(void *) noexcept
        const char *(*status_name)(int) noexcept

    ctypedef struct _Port "eomc_port":
        const char *name
        int ndim
        _npy_intp size
        _npy_intp bytes
        _npy_intp shape[8]
    ctypedef struct _Function "eomc_function":
        const char *name
        int inputs
        int outputs
        bint tunable
        int typenum
        int real
        int lanes_count
        _npy_intp operations
        _Port *ports
        const void *defaults
        const _Table *model
        _Call call
        _CallLanes lanes
        _PyObject **names
    bint _gather "eomc_gather"(const _Function *, _PyObject **, _npy_intp, _PyObject *, _PyObject **,
                               _PyObject **, _PyObject **)
    int _run "eomc_run"(const _Function *, const void **, const _npy_intp *, void **, _npy_intp,
                        _npy_intp *)
    int _run_threads "eomc_run_threads"(const _Function *, const void **, const _npy_intp *, void **,
                                        _npy_intp, _npy_intp, _npy_intp *)
    void *_data "eomc_data"(object)
    void _set_keywords "eomc_set_keywords"(_PyObject *, _PyObject *)
    int _import_array "_import_array"() except -1
    ctypedef object (*_PythonCall "eomc_python_call")(object, _PyObject **, Py_ssize_t, _PyObject *)
    void _set_careful "eomc_set_careful"(_PythonCall, size_t)
    object _at_once "eomc_at_once"(object, _PyObject **, Py_ssize_t, _PyObject *)

    ctypedef int (*_Solver "eomc_solver")(
        const void *const *, void *const *, int *, int *, double, int) noexcept nogil
    ctypedef int (*_Fixed "eomc_fixed")(
        void *, void *, const void *const *, double, double, int, int, int *) noexcept nogil
    ctypedef struct _AdaptiveRun "eomc_adaptive_run":
        double h
        double time
        int done
        int steps
        int rejected
    ctypedef int (*_Adaptive "eomc_adaptive")(
        void *, void *, const void *const *, const void *, int, double, double, int,
        _AdaptiveRun *) noexcept nogil
    ctypedef struct _Signal "eomc_signal":
        const char *rows
        size_t state
        size_t step
    ctypedef int (*_RollOut "eomc_rollouts")(
        void *, void *, const _Signal *, const _Signal *, const void *, const void *, int, double,
        double, int, int, size_t, size_t *) noexcept nogil

_import_array()
_OUT, _THREADS = "out", "threads"
_set_keywords(<_PyObject *>_OUT, <_PyObject *>_THREADS)
