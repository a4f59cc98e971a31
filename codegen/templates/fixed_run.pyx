def ${method}(${signature}):
    """${title}: steps of length h, every one recorded.

    ${state} : initial state${rows}
    returns
        q : (steps + 1, ${nq}), u : (steps + 1, ${nu})${z}
    """
    return ${parted}_integrate("${method}", _run_${method}, [${held}], ${state_given}, ${t}, h, steps, ${p}${end}
