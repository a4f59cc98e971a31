# cython: language_level=3, binding=False
# cython: boundscheck=False, wraparound=False
"""Equations of motion of pendulum, made by eomc.

Compiled functions of the model: NumPy arrays in, NumPy arrays out. Every argument may carry leading
batch dimensions, which broadcast; out= takes the result, or a tuple of them. Large batches run on all
cores, or on as many as threads= says. The GIL is released while C runs, except for single calls of
less than about a microsecond. A failing function raises FloatingPointError.
"""

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

cdef _Library _library_of(const _Table *table, keep, file):
    """A library by its table; ValueError if the table is none that this binding can read."""
    if table == NULL or bytes(table.magic[:16]).rstrip(b"\0") != _MAGIC:
        raise ValueError("is no compiled model")
    if table.version != _VERSION:
        raise ValueError(
            f"has version {table.version} of the interface of compiled models; this eomc reads "
            f"version {_VERSION}: build the model again"
        )
    if table.real not in (4, 8):
        raise ValueError(f"has scalars of {table.real} bytes; compiled models have 8 or 4")
    if not 1 <= table.lanes <= _MOST_LANES:
        raise ValueError(f"has {table.lanes} lanes; compiled models have 1 to {_MOST_LANES}")
    return _Library.made(table, keep, file)


cdef class _Ports:
    """Arguments in C: rows of name and shape."""
    cdef _Port *rows
    cdef int count
    cdef list names

    def __cinit__(self, list named, int real):
        cdef int i, k
        self.count = len(named)
        if self.count > _PORTS:
            raise ValueError(f"has a function of {self.count} arguments; at most {_PORTS} are possible")
        self.names = [name.encode() for name, _ in named]
        self.rows = <_Port *>_calloc(max(self.count, 1), sizeof(_Port))
        if self.rows == NULL:
            raise MemoryError
        for i, (_, shape) in enumerate(named):
            if len(shape) > _DIMENSIONS:
                raise ValueError(f"has an argument of {len(shape)} dimensions")
            port = self.rows + i
            port.name = self.names[i]
            port.ndim = len(shape)
            port.size = 1
            for k, extent in enumerate(shape):
                port.shape[k] = extent
                port.size *= port.shape[k]
            port.bytes = port.size * real

    def __dealloc__(self):
        _free(self.rows)



cdef class _Builtin:
    """What a Python function made in C needs as long as it lives: its name and documentation."""
    cdef _PyMethodDef method
    cdef bytes c_name, c_text
    cdef _Library library

    cdef object function(self, _Library library, name, signature, text, void *call, int flags):
        self.library = library
        self.c_name = name.encode()
        self.c_text = f"{name}({signature})\n--\n\n{text}".encode()
        self.method.ml_name = self.c_name
        self.method.ml_doc = self.c_text
        self.method.ml_meth = call
        self.method.ml_flags = flags
        return _new_function(&self.method, self, library.name)


cdef class _Library:
    """A model: its functions as attributes, `manifest`, and the `file` that it came from."""
    cdef const _Table *table
    cdef object keep, defaults, dtype, name
    cdef tuple parameter_names
    cdef int typenum
    cdef dict functions
    cdef readonly object manifest, __file__

    @staticmethod
    cdef _Library made(const _Table *table, keep, file):
        cdef _Library self = _Library()
        cdef int i = 0
        self.table, self.keep, self.__file__ = table, keep, file
        pieces = []
        while table.manifest[i] != NULL:
            pieces.append(table.manifest[i])
            i += 1
        self.manifest = _json.loads(b"".join(pieces))
        self.name = self.manifest["module"]
        self.typenum = _DOUBLE if table.real == 8 else _FLOAT
        self.dtype = _np.dtype("float64" if table.real == 8 else "float32")
        self.parameter_names = tuple([entry["name"] for entry in self.manifest["parameters"]])
        self.defaults = _np.zeros(max(len(self.parameter_names), 1), self.dtype)
        table.set_defaults(_data(self.defaults))
        self.functions = {}
        self.add_functions()
        self.add_routines()
        return self

    cdef add_functions(self):
        cdef int i = 0
        described = {entry["python"]: entry for entry in self.manifest["functions"].values()}
        while self.table.functions[i].name != NULL:
            name = self.table.functions[i].name.decode()
            made = _ModelFunction()
            self.functions[name] = made.of(self, name, described[name], self.table.functions + i)
            i += 1

    cdef add_routines(self):
        cdef int i = 0
        routines = {}
        while self.table.routines[i].name != NULL:
            routines[self.table.routines[i].name.decode()] = <size_t>self.table.routines[i].call
            i += 1
        for kind, key in ((_SolverFunction, "solvers"), (_IntegratorFunction, "integrators"),
                          (_RolloutFunction, "rollouts")):
            for entry in self.manifest.get(key, ()):
                name = entry["name"]
                if name in routines:
                    self.functions[name] = (<_RoutineFunction>kind()).of(self, entry, routines[name])

    def __getattr__(self, name):
        try:
            return self.functions[name]
        except KeyError:
            raise AttributeError(f"model {self.manifest['name']!r} has no function {name!r}") from None

    def __dir__(self):
        return sorted([*object.__dir__(self), *self.functions])

    def __repr__(self):
        return f"<compiled functions of {self.manifest['name']!r} from {self.__file__!r}>"

    cdef str status_name(self, int status):
        return self.table.status_name(status).decode()

    cdef str reason(self, int status, dict inputs):
        """The code of a failure; before it, if there is one, the input that is not finite."""
        code = self.status_name(status)
        for name, value in inputs.items():
            if value is not None and not _np.isfinite(value).all():
                return f"argument '{name}' is not finite ({code})"
        return self.without_derivative(code, inputs) if code.startswith("no_derivative") else code

    cdef str without_derivative(self, str code, dict inputs):
        """A sentence that says whose law has no finite derivative, and in which state."""
        element = code[len("no_derivative_of_"):]
        law = f"the law of '{element}'" if element else "a law"
        found = []
        for array in ("q", "u"):
            names, value = self.manifest["index_names"].get(array, ()), inputs.get(array)
            if value is not None and _np.shape(value) == (len(names),):
                entries = [f"{name} = {x:.6g}" for name, x in zip(names, value)]
                found.append(f"{array}: {', '.join(entries)}")
        where = f" ({'; '.join(found)})" if found else ""
        return f"{law} has no finite derivative in this state{where}, {code}"

    cdef object coerced(self, str function, const _Port *port, object value):
        """value as a C-contiguous array of the model's scalar type whose last axes fit the port."""
        where = f"{function}: argument '{port.name.decode()}'"
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
        return _np.require(array, self.dtype, ["C", "A"])

    cdef object parameters(self, str function, const _Port *port, object value):
        """The tunable parameters: None for the defaults, a mapping to change some, or all as an
        array."""
        if value is not None and not isinstance(value, _Mapping):
            return self.coerced(function, port, value)
        entries = dict(zip(self.parameter_names, self.defaults.tolist()))
        for name in value or ():
            if name not in entries:
                raise ValueError(
                    f"{function}: argument 'parameters' names no tunable parameter {name!r}; "
                    f"valid are {', '.join(self.parameter_names)}"
                )
            entries[name] = value[name]
        try:
            columns = [_np.asarray(_unmasked(repr(name), entry)) for name, entry in entries.items()]
            array = _np.stack(_np.broadcast_arrays(*columns), axis=-1)
        except ValueError as error:
            raise ValueError(f"{function}: argument 'parameters': {error}") from None
        return self.coerced(function, port, array)


cdef tuple _shape_of(const _Port *port):
    return tuple([port.shape[k] for k in range(port.ndim)])


cdef object _unmasked(str where, object value):
    """value, unless it is an array with masked entries, which are no numbers to compute with."""
    if isinstance(value, _np.ndarray) and _np.any(getattr(value, "mask", False)):
        raise ValueError(f"{where} has masked entries")
    return value


cdef list _zero_order_hold(entry):
    """The arguments that are constant over a step; manifests of version 1 call them held."""
    return entry["zero_order_hold"] if "zero_order_hold" in entry else entry["held"]


cdef bint _time_dependent(entry):
    """True if the time is an argument; manifests of version 1 call it timed."""
    return entry["time_dependent"] if "time_dependent" in entry else entry["timed"]


cdef list _named_shapes(described):
    """Name and shape of the arguments that a manifest describes."""
    return [(entry.get("c_name") or entry["name"], tuple(entry["shape"])) for entry in described]


cdef dict _bound(str function, list names, dict keywords, tuple args, given):
    """Arguments by name: positional ones, then keywords, which have defaults."""
    if len(args) > len(names):
        raise TypeError(
            f"{function}() takes {len(names)} positional arguments ({', '.join(names)}), "
            f"{len(args)} were given"
        )
    bound = dict(keywords)
    bound.update(zip(names, args))
    for name, value in (given or {}).items():
        if name in names[:len(args)]:
            raise TypeError(f"{function}() got multiple values for argument '{name}'")
        if name not in names and name not in keywords:
            if name in ("p", "parameters"):
                raise TypeError(_without_parameters(function, name, "parameters" in keywords))
            raise TypeError(f"{function}() got an unexpected keyword argument '{name}'")
        bound[name] = value
    for name in names:
        if name not in bound:
            raise TypeError(f"{function}() is missing the argument '{name}'")
    return bound


cdef str _without_parameters(str function, str name, bint has_some):
    if has_some:
        return f"{function}() takes tunable parameters as parameters=, not as {name}="
    return f"{function}() takes no parameters=: the model has none that is tunable"


cdef class _RoutineFunction(_Builtin):
    """A routine around the functions of a model: a solver, an integrator, rollouts."""
    cdef list names
    cdef dict keywords
    cdef _Ports ports
    cdef str title
    cdef size_t call

    def describe(self, entry):
        """Set names, keywords and ports by an entry of the manifest; returns the documentation.

        Each kind of routine has its own."""
        raise NotImplementedError

    def run(self, **given):
        """Carry out a call, whose arguments are all named. Each kind of routine has its own."""
        raise NotImplementedError

    cdef object of(self, _Library library, entry, size_t call):
        self.call, self.title, self.library = call, entry["name"], library
        text = self.describe(entry)
        if library.parameter_names and "parameters" not in self.keywords:
            self.keywords["parameters"] = None
        written = [*self.names, "*", *[f"{name}={value!r}" for name, value in self.keywords.items()]]
        signature = ", ".join(written if self.keywords else self.names)
        return self.function(library, self.title, signature, text, <void *>_routine_called,
                             _METH_VARARGS | _METH_KEYWORDS)

    cdef _Ports ports_of(self, list named):
        """Of arguments in this order, the parameters last."""
        if self.library.parameter_names:
            named = [*named, ("parameters", (len(self.library.parameter_names),))]
        return _Ports(named, self.library.table.real)


cdef object _routine_called(object self, object args, _PyObject *given):
    cdef _RoutineFunction routine = <_RoutineFunction>self
    named = {} if given == NULL else <object>given
    return routine.run(**_bound(routine.title, routine.names, routine.keywords, args, named))

# Operations that make it worth to wake threads, which takes some ten microseconds.
cdef double _WORTH_THREADS = 2_000_000
# Operations of a thread from one look for signals to the next, some tens of milliseconds.
cdef double _STRETCH_OPERATIONS = 1e8
# Largest int of C.
cdef int _MOST_COUNT = 2_147_483_647


cdef class _ModelFunction(_Builtin):
    """A function of the model."""
    cdef _Function f
    cdef _Ports ports
    cdef list inputs, interned

    cdef object of(self, _Library library, str name, entry, const _Entry *emitted):
        cdef _Function *f = &self.f
        cdef int i
        self.inputs = _named_shapes(entry["inputs"])
        tunable = [("parameters", (len(library.parameter_names),))] if library.parameter_names else []
        outputs = _named_shapes(entry["outputs"])
        self.ports = _Ports([*self.inputs, *tunable, *outputs], library.table.real)
        f.inputs, f.outputs, f.tunable = len(self.inputs + tunable), len(outputs), bool(tunable)
        f.typenum, f.real = library.typenum, library.table.real
        f.lanes_count = library.table.lanes if emitted.lanes != NULL else 1
        f.operations = sum(entry["operations"].values())
        f.ports, f.defaults, f.model = self.ports.rows, _data(library.defaults), library.table
        f.call, f.lanes = emitted.call, emitted.lanes
        f.names = <_PyObject **>_calloc(f.inputs + 1, sizeof(_PyObject *))
        if f.names == NULL:
            raise MemoryError
        self.interned = [_intern(label) for label, _ in self.inputs + tunable]
        for i, label in enumerate(self.interned):
            f.names[i] = <_PyObject *>label
        names = [label for label, _ in self.inputs]
        keywords = [*(["parameters=None"] if tunable else []), "out=None", "threads=None"]
        made = self.function(library, name, ", ".join([*names, "*", *keywords]),
                             _documentation(entry, len(library.parameter_names)), <void *>_at_once,
                             _METH_FASTCALL | _METH_KEYWORDS)
        f.name = self.c_name
        return made

    def __dealloc__(self):
        _free(self.f.names)

    cdef str label(self):
        return self.c_name.decode()



cdef str _documentation(entry, int parameters):
    """The documentation of a function by its entry in the manifest."""
    lines = [entry["description"] or entry["python"].replace("_", " "), ""]
    lines += [_port_text(port) for port in entry["inputs"]]
    if parameters:
        lines.append(f"parameters : ({parameters},) tunable parameters, or a mapping of some of them")
    lines += ["returns", *["    " + _port_text(port) for port in entry["outputs"]]]
    if entry["return_codes"]:
        lines.append(f"raises FloatingPointError: {', '.join(entry['return_codes'])}")
    return "\n".join(lines)


cdef str _port_text(port):
    shape = ", ".join([str(extent) for extent in port["shape"]])
    shape = f"({shape},)" if len(port["shape"]) == 1 else f"({shape})"
    units = f" [{port['units']}]" if port["units"] else ""
    return f"{port['c_name']} : {shape if port['shape'] else 'scalar'} {port['description']}{units}"


cdef object _careful(object self, _PyObject **args, Py_ssize_t given, _PyObject *keywords):
    """A call that could not be made at once."""
    cdef _PyObject *values[_PORTS]
    cdef _PyObject *out = _NONE
    cdef _PyObject *threads = _NONE
    if not _gather(&(<_ModelFunction>self).f, args, given, keywords, values, &out, &threads):
        _refuse(<_ModelFunction>self, args, given, keywords)
    return _general(<_ModelFunction>self, values, <object>out, <object>threads)


cdef _refuse(_ModelFunction self, _PyObject **args, Py_ssize_t given, _PyObject *keywords):
    """Raise the TypeError of arguments that are missing, too many or unknown."""
    cdef Py_ssize_t i
    names = [name for name, _ in self.inputs]
    labels = () if keywords == NULL else <tuple>keywords
    known = {"parameters": None} if self.f.tunable else {}
    known.update(out=None, threads=None)
    positional = tuple([<object>args[i] for i in range(given)])
    _bound(self.label(), names, known, positional, dict.fromkeys(labels))
    raise TypeError(f"{self.label()}() was called with arguments that it does not take")


cdef int _count(str name, given) except? -1:
    """An integer argument as C has it."""
    number = _index(given)
    if not -_MOST_COUNT <= number <= _MOST_COUNT:
        raise ValueError(f"argument {name!r} is {number}, expected at most {_MOST_COUNT}")
    return number


cdef _npy_intp _threads_for(double operations, threads) except -1:
    """What threads= says; all cores for work that takes milliseconds if it is None."""
    cdef _npy_intp number
    if threads is None:
        if operations < _WORTH_THREADS:
            return 1
        if hasattr(_os, "sched_getaffinity"):
            return len(_os.sched_getaffinity(0))
        return _os.cpu_count() or 1
    number = _count("threads", threads)
    if number < 1:
        raise ValueError(f"argument 'threads' is {number}, expected 1 or more")
    return number


cdef int _run_batch(const _Function *f, const void **x, const _npy_intp *stride, void **y,
                    _npy_intp count, _npy_intp threads, _npy_intp *done) except -1:
    """All states of a batch; *done counts those before the first that fails."""
    cdef const void *part_x[_PORTS]
    cdef void *part_y[_PORTS]
    cdef double one = (f.operations + 20.0) * f.lanes_count / threads
    cdef _npy_intp stretch = f.lanes_count * (1 + <_npy_intp>(_STRETCH_OPERATIONS / one))
    cdef _npy_intp start = 0, part = 0
    cdef int status = 0, i
    while start < count and status == 0:
        if start:
            _check_signals()
        part = min(stretch, count - start)
        for i in range(f.inputs):
            part_x[i] = <const char *>x[i] + start*stride[i]
        for i in range(f.outputs):
            part_y[i] = <char *>y[i] + start*f.ports[f.inputs + i].bytes
        if threads > 1 and part > 1:
            status = _run_threads(f, part_x, stride, part_y, part, threads, done)
        else:
            status = _run(f, part_x, stride, part_y, part, done)
        done[0] += start
        start += part
    return status


cdef object _general(_ModelFunction self, _PyObject **values, object out, object threads):
    """Any call: conversions, batches, broadcasting, results into views."""
    cdef const _Function *f = &self.f
    cdef const void *x[_PORTS]
    cdef void *y[_PORTS]
    cdef _npy_intp stride[_PORTS]
    cdef _npy_intp count = 1, done = 0, number
    cdef int status, i
    cdef list inputs = [], outputs = []
    name = self.label()
    for i in range(f.inputs):
        if f.tunable and i == f.inputs - 1:
            inputs.append(self.library.parameters(name, f.ports + i, <object>values[i]))
        else:
            inputs.append(self.library.coerced(name, f.ports + i, <object>values[i]))
    batches = [array.shape[:array.ndim - f.ports[i].ndim] for i, array in enumerate(inputs)]
    try:
        batch = _np.broadcast_shapes(*batches)
    except ValueError:
        text = ", ".join([f"{f.ports[i].name.decode()} {b}" for i, b in enumerate(batches)])
        raise ValueError(
            f"{name}: batch dimensions of the arguments do not broadcast: {text}"
        ) from None
    for extent in batch:
        count *= extent
    for i in range(f.inputs):
        array = inputs[i]
        if batches[i] != batch and array.size > f.ports[i].size:
            array = _np.broadcast_to(array, batch + _shape_of(f.ports + i))
            array = inputs[i] = _np.ascontiguousarray(array)
            batches[i] = batch
        stride[i] = f.ports[i].bytes if batches[i] == batch else 0
        x[i] = _data(array)
    targets = _targets_of(self, out, batch)
    for i in range(f.outputs):
        array = targets[i]
        if array is None or not array.flags.c_contiguous or not array.flags.aligned or any(
            [_np.may_share_memory(array, other) for other in inputs + outputs]
        ):
            array = _np.empty(batch + _shape_of(f.ports + f.inputs + i), self.library.dtype)
        outputs.append(array)
        y[i] = _data(array)
    number = _threads_for(<double>count * (f.operations + 20), threads)
    status = _run_batch(f, x, stride, y, count, number, &done)
    if status != 0:
        index = _np.unravel_index(done, batch) if batch else ()
        rows = [a[index] if batches[i] == batch else a for i, a in enumerate(inputs)]
        raise _failure(self, status, index, rows)
    for i in range(f.outputs):
        if targets[i] is not None and targets[i] is not outputs[i]:
            targets[i][...] = outputs[i]
    if out is not None:
        return out
    return outputs[0][()] if f.outputs == 1 else tuple(outputs)


cdef list _targets_of(_ModelFunction self, object out, tuple batch):
    """The arrays that out= names, checked; None for each where out is None."""
    cdef const _Function *f = &self.f
    if out is None:
        return [None] * f.outputs
    cdef int i
    targets = [out] if f.outputs == 1 else out
    where = f"{self.label()}: argument 'out'"
    if f.outputs > 1 and (not isinstance(out, (tuple, list)) or len(out) != f.outputs):
        raise TypeError(f"{where} must be a tuple of {f.outputs} arrays")
    for i, array in enumerate(targets):
        if not isinstance(array, _np.ndarray) or array.dtype != self.library.dtype:
            kind = getattr(array, "dtype", type(array).__name__)
            raise TypeError(f"{where} must be an array of {self.library.dtype}, not {kind}")
        shape = batch + _shape_of(f.ports + f.inputs + i)
        if array.shape != shape:
            raise ValueError(f"{where} has shape {array.shape}, expected {shape}")
        if not array.flags.writeable:
            raise ValueError(f"{where} is read-only")
    return list(targets)


cdef object _failure(_ModelFunction self, int status, index, list inputs):
    place = f" at batch index {tuple([int(i) for i in index])}" if index else ""
    named = {self.f.ports[i].name.decode(): value for i, value in enumerate(inputs)}
    return FloatingPointError(f"{self.label()}: {self.library.reason(status, named)}{place}")


cdef _ModelFunction _ANY = _ModelFunction()
_set_careful(<_PythonCall>_careful, <size_t>&_ANY.f - <size_t><void *>_ANY)


cdef class _SolverFunction(_RoutineFunction):
    """A solver of the constraints.

    Its entry in the manifest names the `arrays` of q and speeds that it takes, those of them that it
    changes and returns, the further inputs `held`, the shapes of further `outputs`, and which `order`
    it takes ("order" of the speeds, "actuated" ones) or gives ("rank").
    """
    cdef list arrays, places, outputs
    cdef str order
    cdef bint iterates
    cdef int nu

    def describe(self, entry):
        held = _named_shapes(_zero_order_hold(entry))
        self.ports = self.ports_of(held)
        self.arrays, self.outputs = entry["arrays"], [tuple(shape) for shape in entry["outputs"]]
        self.order, self.iterates, self.nu = entry["order"], entry["iterates"], entry["speeds"]
        self.names = [name for name, _ in self.arrays] + [name for name, _ in held]
        if self.order in ("order", "actuated"):
            self.names.append(self.order)
        self.keywords = {"tolerance": 1e-12, "max_steps": 50} if self.iterates else {}
        changed = [i for i, (name, _) in enumerate(self.arrays) if name in entry["changed"]]
        further = range(len(self.arrays), len(self.arrays) + len(self.outputs))
        self.places = [*changed, *further]
        return "\n".join([entry["description"], "", *self.notes(entry)])

    def notes(self, entry):
        """Lines on arguments that other functions do not take, and on the error."""
        lines = []
        if self.order == "order":
            lines.append(
                f"order : places of all speeds, the {entry['independent']} independent ones first"
            )
        if self.order == "actuated":
            lines.append(f"actuated : {self.nu} truth values, one for each speed")
        if "multipliers" in self.names:
            lines.append("a, multipliers : of a consistent state, as consistent_state gives them")
        if self.title == "state_space":
            lines.append("y : displacements, changes of speeds and of accelerations of all")
        if self.iterates:
            lines.append("tolerance : largest residual that may remain if rounding allows less")
        return [*lines, "raises FloatingPointError, whose attribute code says what failed"]

    def run(self, **given):
        """One call: copies of the arrays, then the outputs."""
        cdef _Library library = self.library
        cdef const void *x[_PORTS]
        cdef void *y[_PORTS]
        cdef int rank = 0, steps = 0, status, i
        cdef double most = 0.0
        cdef _Solver solver = <_Solver><void *>self.call
        name = self.title
        if self.iterates:
            steps, most = _count("max_steps", given["max_steps"]), given["tolerance"]
        if steps < 0 or not most >= 0:
            raise ValueError(f"{name}: tolerance and max_steps must not be negative")
        found = [self.array(label, given[label], size) for label, size in self.arrays]
        found += [_np.empty(shape, library.dtype) for shape in self.outputs]
        for i, array in enumerate(found):
            y[i] = _data(array)
        keep = []
        for i in range(self.ports.count):
            port = self.ports.rows + i
            label = port.name.decode()
            if label == "parameters" and library.parameter_names:
                keep.append(library.parameters(name, port, given["parameters"]))
            else:
                keep.append(library.coerced(name, port, given[label]))
            x[i] = _data(keep[i])
        order = self.ordered(given)
        cdef int *places = <int *>_data(order)
        with nogil:
            status = solver(x, y, places, &rank, most, steps)
        if status != 0:
            error = FloatingPointError(f"{name}: {library.status_name(status)}")
            error.code = library.status_name(status)
            error.rank = rank
            raise error
        if self.order == "rank":
            return order.tolist(), rank
        results = tuple([found[place] for place in self.places])
        return results[0] if len(results) == 1 else results

    cdef object array(self, label, value, size):
        """A copy of q or of speeds."""
        try:
            array = _np.array(value, self.library.dtype)
        except (TypeError, ValueError):
            raise TypeError(f"{self.title}: argument '{label}' is no array of real numbers") from None
        if array.shape != (size,):
            raise ValueError(
                f"{self.title}: argument '{label}' has shape {array.shape}, expected ({size},)"
            )
        return array

    cdef object ordered(self, dict given):
        """The order of the speeds, each once; or which speeds are actuated."""
        if self.order not in ("order", "actuated"):
            return _np.arange(max(self.nu, 1), dtype=_np.intc)
        if self.order == "actuated":
            entries = [bool(entry) for entry in given["actuated"]]
        else:
            entries = [_index(place) for place in given["order"]]
            if sorted(entries) != list(range(self.nu)):
                raise ValueError(
                    f"{self.title}: argument 'order' must hold each of 0 ... {self.nu - 1} once"
                )
        if len(entries) != self.nu:
            raise ValueError(f"{self.title}: {len(entries)} entries for {self.nu} speeds")
        return _np.array(entries, dtype=_np.intc)

# So many steps from one look for signals to the next.
cdef int _STRETCH = 256


cdef class _IntegratorFunction(_RoutineFunction):
    """An integrator: of fixed steps, every one recorded, or of steps as long as tolerances allow.

    The states z of elements are stepped behind the speeds, in one array with them.
    """
    cdef int nu, nz
    cdef bint adaptive, timed
    cdef list held

    def describe(self, entry):
        self.nu, self.nz, self.adaptive = entry["nu"], entry["nz"], entry["adaptive"]
        self.timed = _time_dependent(entry) and not self.adaptive
        held = _named_shapes(_zero_order_hold(entry))
        self.held = [name for name, _ in held]
        self.ports = self.ports_of([("q", (entry["nq"],)), ("u", (self.nu + self.nz,)), *held])
        self.names = [*entry["state"], *self.held]
        words = dict(entry, state=", ".join(entry["state"]))
        words["z"] = f", z : (rows, {self.nz})" if self.nz else ""
        said = "held for the whole run" if self.adaptive else "held, one row or one for each step"
        words["rows"] = f"\n{', '.join(self.held)} : {said}" if self.held else ""
        if self.adaptive:
            self.names.append("times")
            self.keywords = {"rtol": 1e-8, "atol": 1e-10, "h": 0.0, "max_steps": 10_000_000}
            return _ADAPTIVE_TEXT.format(**words)
        self.names += ["t", "h", "steps"] if self.timed else ["h", "steps"]
        self.keywords = {}
        return _FIXED_TEXT.format(**words)

    def run(self, **given):
        """A recorded run."""
        q, u = given["q"], given["u"]
        if self.nz:
            u = _behind(self.library, u, given["z"], self.nu, self.nz)
        found = self.adapt(q, u, given) if self.adaptive else self.integrate(q, u, given)
        return _parted(found, self.nu) if self.nz else found

    cdef object coerced(self, int place, value):
        return self.library.coerced(self.title, self.ports.rows + place, value)

    cdef _single(self, label, array):
        raise ValueError(
            f"{self.title}: argument '{label}' has shape {array.shape}; expected single states and "
            "one set of parameters, without batch"
        )

    cdef object state_and_inputs(self, q, u, dict given):
        """Arrays that C can read: q, u, the held inputs, the parameters; each of one state alone
        but the held ones."""
        arrays = [self.coerced(0, q), self.coerced(1, u)]
        for i, label in enumerate(self.held):
            arrays.append(self.coerced(2 + i, given[label]))
        if self.library.parameter_names:
            port = self.ports.rows + len(arrays)
            arrays.append(self.library.parameters(self.title, port, given["parameters"]))
        for i, array in enumerate(arrays):
            is_held = 2 <= i < 2 + len(self.held)
            if array.ndim != self.ports.rows[i].ndim and (self.adaptive or not is_held):
                self._single(self.ports.names[i].decode(), array)
        return arrays

    cdef object records(self, q, u, int count):
        """Room for the rows of a run, the first of which is its start."""
        q_rows = _np.empty((count, q.size), self.library.dtype)
        u_rows = _np.empty((count, u.size), self.library.dtype)
        q_rows[0], u_rows[0] = q, u
        return q_rows, u_rows

    cdef object why(self, int status, arrays):
        named = {name.decode(): array for name, array in zip(self.ports.names, arrays)}
        return self.library.reason(status, named)

    cdef object integrate(self, q, u, dict given):
        """Steps of equal length: C without the GIL, in stretches between which signals are heard."""
        cdef const void *x[_PORTS]
        cdef double start = given["t"] if self.timed else 0.0
        cdef double step = given["h"]
        cdef int count = _count("steps", given["steps"]), per_step = 0, some = 0, status = 0, i, part
        cdef _npy_intp done = 0
        cdef char *q_at
        cdef char *u_at
        cdef _Fixed trajectory = <_Fixed><void *>self.call
        name = self.title
        if count < 0:
            raise ValueError(f"{name}: argument 'steps' is {count}, expected 0 or more")
        if not _np.isfinite([start, step]).all():
            raise ValueError(f"{name}: arguments 't' and 'h' must be finite")
        arrays = self.state_and_inputs(q, u, given)
        self.spread(arrays, count, &per_step)
        for i, array in enumerate(arrays[2:]):
            x[i] = _data(array)
        q_rows, u_rows = self.records(arrays[0], arrays[1], count + 1)
        q_at, u_at = <char *>_data(q_rows), <char *>_data(u_rows)
        while status == 0 and done < count:
            if done:
                _check_signals()
            part = <int>min(_STRETCH, count - done)
            with nogil:
                status = trajectory(q_at, u_at, x, start + done*step, step, part, per_step, &some)
            done += some
            q_at += some*self.ports.rows[0].bytes
            u_at += some*self.ports.rows[1].bytes
            for i in range(per_step*len(self.held)):
                x[i] = <const char *>x[i] + some*self.ports.rows[2 + i].bytes
        if status != 0:
            raise FloatingPointError(f"{name}: {self.why(status, arrays)} in step {done}")
        return q_rows, u_rows

    cdef spread(self, list arrays, int count, int *per_step):
        """Held inputs of one row, or all of a row for each step."""
        cdef int last = 2 + len(self.held), i
        for i in range(2, last):
            array, port = arrays[i], self.ports.rows + i
            rows = array.shape[:array.ndim - port.ndim]
            if rows not in ((), (count,)):
                raise ValueError(
                    f"{self.title}: argument '{port.name.decode()}' has shape {array.shape}; "
                    f"expected one row, or one for each of the {count} steps"
                )
            per_step[0] |= rows != ()
        for i in range(2, last if per_step[0] else 2):
            shape = (count, *_shape_of(self.ports.rows + i))
            arrays[i] = _np.ascontiguousarray(_np.broadcast_to(arrays[i], shape))

    cdef object adapt(self, q, u, dict given):
        """Steps by the tolerances: one C call without the GIL."""
        cdef const void *x[_PORTS]
        cdef void *q_at
        cdef void *u_at
        cdef void *grid
        cdef double relative = given["rtol"], absolute = given["atol"]
        cdef int count, most = _count("max_steps", given["max_steps"]), status, i
        cdef _AdaptiveRun run
        cdef _Adaptive integrate = <_Adaptive><void *>self.call
        name, times = self.title, _np.require(given["times"], self.library.dtype, ["C", "A"])
        if times.ndim != 1 or times.size < 1 or not (_np.diff(times) > 0).all():
            raise ValueError(f"{name}: argument 'times' must be a row of increasing numbers")
        for label in ("rtol", "atol"):
            if not (given[label] > 0 and _np.isfinite(given[label])):
                raise ValueError(
                    f"{name}: argument '{label}' is {given[label]}, expected a positive number"
                )
        if not (_np.isfinite(times).all() and _np.isfinite(given["h"])):
            raise ValueError(f"{name}: arguments 'times' and 'h' must be finite")
        if most < 1:
            raise ValueError(f"{name}: argument 'max_steps' is {most}, expected 1 or more")
        arrays = self.state_and_inputs(q, u, given)
        for i, array in enumerate(arrays[2:]):
            x[i] = _data(array)
        count = times.size
        q_rows, u_rows = self.records(arrays[0], arrays[1], count)
        q_at, u_at, grid = _data(q_rows), _data(u_rows), _data(times)
        run.h = given["h"]
        with nogil:
            status = integrate(q_at, u_at, x, grid, count, relative, absolute, most, &run)
        if status != 0:
            reason = self.why(status, arrays)
            error = FloatingPointError(f"{name}: {reason} at time {run.time:.9g}")
            error.time = run.time
            error.code = self.library.status_name(status)
            raise error
        return q_rows, u_rows, {"h": run.h, "steps": run.steps, "rejected": run.rejected}


_FIXED_TEXT = """{title}: steps of length h, every one recorded.

{state} : initial state{rows}
returns
    q : (steps + 1, {nq}), u : (steps + 1, {nu}){z}"""

_ADAPTIVE_TEXT = """{title}: steps as long as the tolerances allow.

{state} : initial state{rows}
times : (n,) increasing, those of the record
rtol, atol : relative and absolute tolerance
h : first step to try, 0 to choose one
max_steps : most steps, taken or rejected
returns
    q : (n, {nq}), u : (n, {nu}){z}, and a dict:
    "h" the next step to try, "steps" taken and "rejected"
raises FloatingPointError, whose attribute time says when"""


cdef object _behind(_Library library, u, z, int nu, int nz):
    """The states of elements behind the speeds, in rows of nu + nz numbers."""
    u = _np.asarray(_unmasked("argument 'u'", u), library.dtype)
    z = _np.asarray(_unmasked("argument 'z'", z), library.dtype)
    for name, array, size in (("u", u, nu), ("z", z, nz)):
        if not array.ndim or array.shape[array.ndim - 1] != size:
            raise ValueError(f"argument '{name}' has shape {array.shape}; expected (..., {size})")
    try:
        batch = _np.broadcast_shapes(u.shape[:u.ndim - 1], z.shape[:z.ndim - 1])
    except ValueError:
        raise ValueError(
            f"arguments 'u' and 'z' of shapes {u.shape} and {z.shape} must be rows of states, as "
            "many of one as of the other"
        ) from None
    arrays = [_np.broadcast_to(array, (*batch, array.shape[array.ndim - 1])) for array in (u, z)]
    return _np.concatenate(arrays, axis=-1)


cdef tuple _parted(tuple found, int nu):
    """(q, u, z, ...) of (q, [u, z], ...)."""
    both = found[1]
    parts = [_np.ascontiguousarray(part) for part in (both[..., :nu], both[..., nu:])]
    return (found[0], *parts, *found[2:])

cdef class _Runs:
    """Some groups of runs, as many in each as there are lanes, for one thread; from the first that
    is not done to the last."""
    cdef char *q
    cdef char *u
    cdef const _Signal *inputs
    cdef const _Signal *references
    cdef const char *kp
    cdef const char *kd
    cdef double t, h, operations
    cdef int steps, every, computed_torque, status, lanes, real, signals
    cdef bint is_stopped
    cdef _npy_intp first, last, bad, q_size, u_size
    cdef _RollOut call

    def run(self):
        """All groups, unless a signal ends it or the main thread says so."""
        cdef double one = 4.0 * self.lanes * self.operations * self.steps
        cdef _npy_intp stretch = 1 + <_npy_intp>(_STRETCH_OPERATIONS / one), groups
        while self.first < self.last and not self.is_stopped:
            groups = min(stretch, self.last - self.first)
            self.run_groups(groups)
            if self.status != 0:
                break
            self.first += groups
            _check_signals()

    cdef run_groups(self, _npy_intp groups):
        """The next so many."""
        cdef _Signal inputs[_PORTS]
        cdef _Signal references[3]
        cdef _npy_intp start = self.first * self.lanes
        cdef size_t bad = 0
        cdef int i
        for i in range(self.signals):
            inputs[i] = self.inputs[i]
            inputs[i].rows += start * inputs[i].state * self.real
        for i in range(3):
            references[i] = self.references[i]
            if references[i].rows != NULL:
                references[i].rows += start * references[i].state * self.real
        with nogil:
            self.status = self.call(
                self.q + start * self.q_size, self.u + start * self.u_size, inputs, references,
                self.kp, self.kd, self.computed_torque, self.t, self.h, self.steps, self.every,
                groups, &bad)
        self.bad = bad


cdef class _RolloutFunction(_RoutineFunction):
    """Many runs at once on lanes, with feedback where the model allows it."""
    cdef int nq, nu, nz
    cdef double operations
    cdef bint timed
    cdef list held, feedback

    def describe(self, entry):
        self.nq, self.nu, self.nz = entry["nq"], entry["nu"], entry["nz"]
        self.operations, self.timed = entry["operations"] + 20, _time_dependent(entry)
        held = _named_shapes(_zero_order_hold(entry))
        self.held = [name for name, _ in held]
        self.ports = self.ports_of([("q", (self.nq,)), ("u", (self.nu + self.nz,)), *held])
        self.names = [*entry["state"], *self.held, *(["t"] if self.timed else []), "h", "steps"]
        self.keywords = {"every": 1}
        references = {"q_ref": None, "u_ref": 0.0, "a_ref": 0.0, "kp": 0.0, "kd": 0.0}
        if entry["computed_torque"]:
            references["computed_torque"] = False
        self.feedback = list(references) if entry["feedback"] else []
        if entry["feedback"]:
            self.keywords.update(references)
        if self.library.parameter_names:
            self.keywords["parameters"] = None
        self.keywords["threads"] = None
        return _rollout_text(entry)

    cdef object parameters_in(self, dict given):
        """The held inputs by name, the parameters last."""
        held = {name: given[name] for name in self.held}
        if self.library.parameter_names:
            port = self.ports.rows + self.ports.count - 1
            p = self.library.parameters(self.title, port, given["parameters"])
            held["parameters"] = p if p.ndim == 1 else p[:, None, :]
        return held

    cdef object signal(self, name, value, states, steps, size, keep, index, _Signal *signal):
        """Numbers for each state and step: all of them, or what broadcasts to them."""
        given = _np.asarray(_unmasked(f"{self.title}: argument '{name}'", value), self.library.dtype)
        try:
            _np.broadcast_to(given, (states, steps, size))
        except ValueError:
            raise ValueError(
                f"{self.title}: argument '{name}' has shape {given.shape}; expected what broadcasts "
                f"to (states, steps, {size}) = {(states, steps, size)}"
            ) from None
        # Rows are whole; states and steps that share one are not told apart.
        rows = (*given.shape[:max(given.ndim - 1, 0)], size)
        given = _np.ascontiguousarray(_np.broadcast_to(given, rows))
        if len(index) != states and given.ndim == 3 and given.shape[0] > 1:
            given = given[index]
        array = _np.broadcast_to(given, (len(index), steps, size))
        keep.append((name, array))
        signal.rows = <const char *>_data(array)
        signal.state = array.strides[0] // array.itemsize
        signal.step = array.strides[1] // array.itemsize

    cdef object gains(self, dict given):
        """kp and kd as rows of both; None if no feedback is asked for."""
        if given.get("q_ref") is None:
            for name in self.feedback:
                if given[name] is not None and _np.any(given[name]):
                    raise ValueError(
                        f"{self.title}: argument '{name}' without 'q_ref'; feedback needs both"
                    )
            return None
        gains = _np.empty((2, self.nu), self.library.dtype)
        for row, name in zip(gains, ("kp", "kd")):
            where = f"{self.title}: argument '{name}'"
            value = _np.asarray(_unmasked(where, given[name]), self.library.dtype)
            if not _np.isfinite(value).all():
                raise ValueError(f"{where} is not finite")
            if value.ndim > 1 or value.size not in (1, self.nu):
                raise ValueError(f"{where} has shape {value.shape}; expected () or ({self.nu},)")
            row[:] = value
        return gains

    cdef object states_of(self, q, u):
        """q, u and how many states they hold."""
        q = self.library.coerced(self.title, self.ports.rows, q)
        u = self.library.coerced(self.title, self.ports.rows + 1, u)
        try:
            batch = _np.broadcast_shapes(q.shape[:q.ndim - 1], u.shape[:u.ndim - 1])
        except ValueError:
            batch = (0, 0)
        if len(batch) != 1:
            raise ValueError(
                f"{self.title}: arguments 'q' and 'u' of shapes {q.shape} and {u.shape} must be "
                "rows of states, as many of one as of the other"
            )
        return q, u, batch[0]

    def run(self, **given):
        """All runs; returns their records."""
        u = given["u"]
        if self.nz:
            u = _behind(self.library, u, given["z"], self.nu, self.nz)
        found = self.roll_out(given["q"], u, given)
        return _parted(found, self.nu) if self.nz else found

    cdef object roll_out(self, q, u, dict given):
        cdef _Signal inputs[_PORTS]
        cdef _Signal references[3]
        cdef int count = _count("steps", given["steps"]), every = _count("every", given["every"]), i
        cdef int lanes = self.library.table.lanes
        cdef double t = given["t"] if self.timed else 0.0
        gains = self.gains(given)
        if count < 0 or every < 1 or count % every:
            raise ValueError(
                f"{self.title}: {count} steps cannot be recorded every {every}; steps must be a "
                "multiple of every"
            )
        if not _np.isfinite([t, given["h"]]).all():
            raise ValueError(f"{self.title}: arguments 't' and 'h' must be finite")
        q, u, states = self.states_of(q, u)
        groups = -(-states // lanes)
        index = _np.minimum(_np.arange(groups * lanes), max(states - 1, 0))
        rows = count // every + 1
        q_rows = _np.empty((groups * lanes, rows, q.shape[q.ndim - 1]), self.library.dtype)
        u_rows = _np.empty((groups * lanes, rows, u.shape[u.ndim - 1]), self.library.dtype)
        result = q_rows[:states], u_rows[:states]
        if states == 0:
            return result
        q_rows[:, 0] = _np.broadcast_to(q, (states, q.shape[q.ndim - 1]))[index]
        u_rows[:, 0] = _np.broadcast_to(u, (states, u.shape[u.ndim - 1]))[index]
        if count == 0:
            return result
        keep = []
        for i, (name, value) in enumerate(self.parameters_in(given).items()):
            size = self.ports.rows[2 + i].size
            self.signal(name, value, states, count, size, keep, index, &inputs[i])
        for i, name in enumerate(("q_ref", "u_ref", "a_ref")):
            references[i].rows = NULL
            references[i].state = references[i].step = 0
            if gains is not None:
                size = self.nq if i == 0 else self.nu
                self.signal(name, given[name], states, count, size, keep, index, &references[i])
        number = _threads_for(groups * lanes * 4.0 * count * self.operations, given["threads"])
        share = -(-groups // (4 * number)) if number > 1 else groups
        parts = []
        for place in range(0, groups, share):
            part = self.part(q_rows, u_rows, gains, place, min(place + share, groups))
            part.inputs, part.references = inputs, references
            part.computed_torque = bool(given.get("computed_torque"))
            part.t, part.h, part.steps, part.every = t, given["h"], count, every
            parts.append(part)
        _run_parts(parts, number)
        self.require_success(parts, states, q_rows, u_rows, keep)
        return result

    cdef _Runs part(self, q_rows, u_rows, gains, first, last):
        """Some groups of the runs."""
        cdef _Runs part = _Runs()
        part.q, part.u = <char *>_data(q_rows), <char *>_data(u_rows)
        part.kp = part.kd = NULL
        if gains is not None:
            part.kp, part.kd = <const char *>_data(gains), <const char *>_data(gains[1])
        part.first, part.last = first, last
        part.q_size, part.u_size = q_rows.strides[0], u_rows.strides[0]
        part.operations, part.signals = self.operations, self.ports.count - 2
        part.lanes, part.real = self.library.table.lanes, self.library.table.real
        part.call = <_RollOut><void *>self.call
        return part

    cdef require_success(self, parts, states, q_rows, u_rows, keep):
        """Raise FloatingPointError for the first run that failed."""
        cdef _Runs part
        for part in parts:
            if part.status != 0:
                place = min(part.first * part.lanes + part.bad, states - 1)
                named = {"q": q_rows[place, 0], "u": u_rows[place, 0]}
                for name, rows_of in keep:
                    named[name] = rows_of[min(place, len(rows_of) - 1)]
                raise FloatingPointError(
                    f"{self.title}: {self.library.reason(part.status, named)} at batch index "
                    f"({place},)"
                )


cdef _run_parts(list parts, number):
    """All parts, on so many threads; a signal, which the main thread alone hears, ends them."""
    cdef _Runs part
    if len(parts) == 1:
        parts[0].run()
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(number) as pool:
        try:
            for _ in pool.map(_Runs.run, parts):
                pass
        except BaseException:
            for part in parts:
                part.is_stopped = True
            raise


cdef str _rollout_text(entry):
    """The documentation."""
    lines = [
        f"Many runs at once: {entry['title']}, steps of length h.",
        "",
        f"{', '.join(entry['state'])} : initial states, one in each row",
    ]
    lines += [
        f"{port['name']} : held inputs, for each state and step or what broadcasts"
        for port in _zero_order_hold(entry)
    ]
    if entry["feedback"]:
        lines += [
            "q_ref, u_ref, a_ref : references of feedback, as many as there are held inputs",
            "kp, kd : gains, one for all speeds or each its own: kp times the displacement to",
            "    q_ref and kd times u_ref - u are sampled at each step and added to tau",
        ]
    if entry["computed_torque"]:
        lines.append(
            "computed_torque : add instead the force for a_ref and these as acceleration"
        )
    z = f", z : (..., {entry['nz']})" if entry["nz"] else ""
    return "\n".join([
        *lines,
        "every : steps from one record to the next",
        "threads : at most so many, by default all cores if it is worth it",
        "returns",
        f"    q : (states, steps/every + 1, {entry['nq']}), u : (..., {entry['nu']}){z}",
    ])

cdef extern from "eomc_model.h":
    const _Table _MODEL "eomc_model"

cdef _Library _library = _library_of(&_MODEL, None, __file__)
manifest = _library.manifest
globals().update(_library.functions)
