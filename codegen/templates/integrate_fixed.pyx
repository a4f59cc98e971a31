
cdef extern from *:
    """
${support}
    """
${externs}

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

${functions}
