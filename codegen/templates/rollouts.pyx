
from concurrent.futures import ThreadPoolExecutor as _ThreadPoolExecutor

cdef extern from *:
    """
${support}
    """
    ctypedef struct _Signal "eomc_signal":
        const _real *rows
        size_t state
        size_t step
    int _SIGNALS "EOMC_SIGNALS"
    int _NU "EOMC_NU"
    int _run_rollouts "eomc_run_rollouts"(
        _real *q, _real *u, const _Signal *inputs, const _Signal *references, const _real *kp,
        const _real *kd, int computed_torque, _real t, _real h, int steps, int every,
        _npy_intp groups, _npy_intp *bad) noexcept nogil


cdef class _Rollouts:
    """Some groups of runs, as many in each as there are lanes, for one thread; from the first that
    is not done to the last."""
    cdef _real *q
    cdef _real *u
    cdef const _Signal *inputs
    cdef const _Signal *references
    cdef const _real *kp
    cdef const _real *kd
    cdef _real t, h
    cdef int steps, every, computed_torque, status
    cdef bint is_stopped
    cdef _npy_intp first, last, bad, q_size, u_size

    def run(self):
        """All groups, unless a signal ends it or the main thread says so."""
        cdef double one = 4.0 * _LANES * _RATE_OPERATIONS * self.steps
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
        cdef _Signal inputs[16]
        cdef _Signal references[3]
        cdef int i
        for i in range(_SIGNALS):
            inputs[i] = self.inputs[i]
            inputs[i].rows += self.first * _LANES * inputs[i].state
        for i in range(3):
            references[i] = self.references[i]
            if references[i].rows != NULL:
                references[i].rows += self.first * _LANES * references[i].state
        with nogil:
            self.status = _run_rollouts(
                self.q + self.first * _LANES * self.q_size,
                self.u + self.first * _LANES * self.u_size,
                inputs, references, self.kp, self.kd, self.computed_torque, self.t, self.h,
                self.steps, self.every, groups, &self.bad)


def _signal(name, value, states, steps, size, keep, index):
    """(rows, state, step) of numbers for each state and step: all of it, or what broadcasts to it."""
    given = _np.asarray(_unmasked(f"rk4_rollouts: argument '{name}'", value), _dtype)
    try:
        _np.broadcast_to(given, (states, steps, size))
    except ValueError:
        raise ValueError(
            f"rk4_rollouts: argument '{name}' has shape {given.shape}; expected what broadcasts to "
            f"(states, steps, {size}) = {(states, steps, size)}"
        ) from None
    # Rows are whole; states and steps that share one are not told apart.
    rows = (*given.shape[:max(given.ndim - 1, 0)], size)
    given = _np.ascontiguousarray(_np.broadcast_to(given, rows))
    if len(index) != states and given.ndim == 3 and given.shape[0] > 1:
        given = given[index]
    array = _np.broadcast_to(given, (len(index), steps, size))
    keep.append((name, array))
    return array.ctypes.data, array.strides[0] // array.itemsize, array.strides[1] // array.itemsize


def _feedback(given):
    """The arguments of feedback, its gains as rows of both; empty if none is asked for."""
    if given.get("q_ref") is None:
        for name, value in given.items():
            if value is not None and _np.any(value):
                raise ValueError(
                    f"rk4_rollouts: argument '{name}' without 'q_ref'; feedback needs both"
                )
        return {}
    gains = _np.empty((2, _NU), _dtype)
    for row, name in zip(gains, ("kp", "kd")):
        where = f"rk4_rollouts: argument '{name}'"
        value = _np.asarray(_unmasked(where, given[name]), _dtype)
        if not _np.isfinite(value).all():
            raise ValueError(f"{where} is not finite")
        if value.ndim > 1 or value.size not in (1, _NU):
            raise ValueError(
                f"{where} has shape {value.shape}; expected () or ({_NU},)"
            )
        row[:] = value
    return dict(given, gains=gains)


cdef object _roll_out(dict held, q, u, t, h, steps, every, threads, dict feedback, p):
    cdef const _Function *f = &_integrator_ports
    cdef _Signal inputs[16]
    cdef _Signal references[3]
    cdef _real *gains
    cdef _npy_intp states, groups, share, place
    cdef int count = _index(steps), stride = _index(every), i
    cdef _Rollouts part
    cdef size_t address
    feedback = _feedback(feedback)
    q, u = _coerced(f.name, f.ports, q), _coerced(f.name, f.ports + 1, u)
    if count < 0 or stride < 1 or count % stride:
        raise ValueError(
            f"rk4_rollouts: {count} steps cannot be recorded every {stride}; steps must be a "
            "multiple of every"
        )
    if not _np.isfinite([t, h]).all():
        raise ValueError("rk4_rollouts: arguments 't' and 'h' must be finite")
    try:
        batch = _np.broadcast_shapes(q.shape[:-1], u.shape[:-1])
    except ValueError:
        batch = (0, 0)
    if len(batch) != 1:
        raise ValueError(
            f"rk4_rollouts: arguments 'q' and 'u' of shapes {q.shape} and {u.shape} must be rows "
            "of states, as many of one as of the other"
        )
    states = batch[0]
    groups = -(-states // _LANES)
    index = _np.minimum(_np.arange(groups * _LANES), max(states - 1, 0))
    rows = count // stride + 1
    q_history = _np.empty((groups * _LANES, rows, q.shape[q.ndim - 1]), _dtype)
    u_history = _np.empty((groups * _LANES, rows, u.shape[u.ndim - 1]), _dtype)
    result = q_history[:states], u_history[:states]
    if states == 0:
        return result
    q_history[:, 0] = _np.broadcast_to(q, (states, q.shape[q.ndim - 1]))[index]
    u_history[:, 0] = _np.broadcast_to(u, (states, u.shape[u.ndim - 1]))[index]
    if count == 0:
        return result
    keep = []
    if f.tunable:
        parameters = _parameters(f, p)
        held = dict(held, p=parameters if parameters.ndim == 1 else parameters[:, None, :])
    for i, (name, value) in enumerate(held.items()):
        address, inputs[i].state, inputs[i].step = _signal(
            name, value, states, count, f.ports[2 + i].size, keep, index)
        inputs[i].rows = <const _real *>address
    gains = NULL
    for i, name in enumerate(("q_ref", "u_ref", "a_ref")):
        references[i].rows = NULL
        references[i].state = references[i].step = 0
        if feedback:
            address, references[i].state, references[i].step = _signal(
                name, feedback[name], states, count, q.shape[q.ndim - 1] if i == 0 else _NU, keep,
                index)
            references[i].rows = <const _real *>address
    if feedback:
        gains = _data(feedback["gains"])
    number = _threads_for(groups * _LANES * 4.0 * count * _RATE_OPERATIONS, threads)
    share = -(-groups // (4 * number)) if number > 1 else groups
    parts = []
    place = 0
    while place < groups:
        part = _Rollouts()
        part.q, part.u = _data(q_history), _data(u_history)
        part.inputs, part.references = inputs, references
        part.kp, part.kd = gains, gains + _NU if gains != NULL else NULL
        part.computed_torque = bool(feedback.get("computed_torque"))
        part.t, part.h, part.steps, part.every = t, h, count, stride
        part.first, part.last = place, min(place + share, groups)
        part.q_size, part.u_size = rows * q.shape[q.ndim - 1], rows * u.shape[u.ndim - 1]
        parts.append(part)
        place += share
    if len(parts) > 1:
        with _ThreadPoolExecutor(number) as pool:
            try:
                for _ in pool.map(_Rollouts.run, parts):
                    pass
            except BaseException:  # a signal, which this thread alone hears
                for part in parts:
                    part.is_stopped = True
                raise
    else:
        parts[0].run()
    for part in parts:
        if part.status != 0:
            place = min(part.first * _LANES + part.bad, states - 1)
            named = {"q": q_history[place, 0], "u": u_history[place, 0]}
            for name, rows_of in keep:
                named[name] = rows_of[min(place, len(rows_of) - 1)]
            raise FloatingPointError(
                f"rk4_rollouts: {_reason(part.status, named)} at batch index ({place},)"
            )
    return result


${function}
