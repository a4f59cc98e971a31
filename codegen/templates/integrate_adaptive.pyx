
cdef extern from *:
    """
${support}
    """
    ctypedef struct _AdaptiveRun "${m}_adaptive_run":
        _real h
        _real time
        int done
        int steps
        int rejected
${externs}
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


${functions}