
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
