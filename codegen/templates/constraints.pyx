
cdef extern from *:
    """
${support}
    """
    const _Function _solver_ports "eomc_solver_ports"
${externs}
ctypedef int (*_Solver)(const _real *const *, _real *const *, int *, int *, _real,
                        int) noexcept nogil


cdef tuple _solve(name, _Solver solver, list arrays, list inputs, list outputs, order, tolerance,
                  max_steps, p):
    """One call of a solver: copies of the arrays (name, value, size), then outputs of these shapes.

    Returns the arrays, the order of the speeds and the rank.
    """
    cdef const _Function *f = &_solver_ports
    cdef const _real *x[_PORTS]
    cdef _real *y[8]
    cdef int places[${nu}]
    cdef int rank = 0, steps = _index(max_steps), status, i
    cdef _real most = tolerance
    found, keep = [], []
    if steps < 0 or not most >= 0:
        raise ValueError(f"{name}: tolerance and max_steps must not be negative")
    for label, value, size in arrays:
        try:
            array = _np.array(value, _dtype)
        except (TypeError, ValueError):
            raise TypeError(f"{name}: argument '{label}' is no array of real numbers") from None
        if array.shape != (size,):
            raise ValueError(
                f"{name}: argument '{label}' has shape {array.shape}, expected ({size},)"
            )
        found.append(array)
    found += [_np.empty(shape, _dtype) for shape in outputs]
    for i, array in enumerate(found):
        y[i] = _data(array)
    for i, (place, value) in enumerate(inputs):
        keep.append(_coerced(f.name, f.ports + <int>place, value))
    if f.tunable:
        keep.append(_parameters(f, p))
    for i, array in enumerate(keep):
        x[i] = _data(array)
    for i in range(${nu}):
        places[i] = i
    if order is not None:
        given = [_index(place) for place in order]
        if len(given) != ${nu}:
            raise ValueError(f"{name}: {len(given)} entries for ${nu} speeds")
        for i, place in enumerate(given):
            places[i] = place
    with nogil:
        status = solver(x, y, places, &rank, most, steps)
    if status != 0:
        error = FloatingPointError(f"{name}: {_status_name(status).decode()}")
        error.code = _status_name(status).decode()
        error.rank = rank
        raise error
    return found, [places[i] for i in range(${nu})], rank


cdef list _permutation(name, order):
    """The speeds in this order, each once."""
    given = [_index(place) for place in order]
    if sorted(given) != list(range(${nu})):
        raise ValueError(f"{name}: argument 'order' must hold each of 0 ... ${last} once")
    return given


${functions}
