
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
        tunable = [("p", (len(library.parameter_names),))] if library.parameter_names else []
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
        keywords = ["p=None", "out=None", "threads=None"] if tunable else ["out=None", "threads=None"]
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
        lines.append(f"p : ({parameters},) tunable parameters, or a mapping of some of them")
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
    known = {"p": None} if self.f.tunable else {}
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
