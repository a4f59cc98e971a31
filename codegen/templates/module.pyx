# cython: language_level=3, binding=False, embedsignature=True, embedsignature.format=clinic
# cython: boundscheck=False, wraparound=False
"""${title}

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
    #include "${m}.h"

${support}
    """
    ctypedef ${real} _real "${m}_real"
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
    const char *_status_name "${m}_status_name"(int)

cdef enum:
    _PORTS = ${ports}  # room for the arguments of any function

_import_array()
_set_defaults()

manifest = _json.loads(${manifest})

_dtype = _np.dtype("${dtype}")
_parameter_names = ${parameter_names}


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

${functions}
