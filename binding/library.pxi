
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
