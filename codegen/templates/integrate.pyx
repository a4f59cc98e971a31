
cdef extern from *:
    """
${support}
    """
    const _Function _integrator_ports "eomc_integrator_ports"

cdef list _single(list held, q, u, p):
    """One state and one row of each other input, p last, as arrays that C can read."""
    cdef const _Function *f = &_integrator_ports
    cdef int i
    arrays = [_coerced(f.name, f.ports + i, value) for i, value in enumerate([q, u, *held])]
    if f.tunable:
        arrays.append(_parameters(f, p))
    for i, array in enumerate(arrays):
        if array.ndim != f.ports[i].ndim:
            name = f.ports[i].name.decode()
            raise ValueError(f"integrator: argument '{name}' must be a single row, without batch")
    return arrays
