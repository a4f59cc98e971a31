def ${method}(${signature}):
    """${title}: steps as long as the tolerances allow.

    ${state} : initial state${rows}
    times : (n,) increasing, those of the record
    rtol, atol : relative and absolute tolerance
    h : first step to try, 0 to choose one
    max_steps : most steps, taken or rejected
    returns
        q : (n, ${nq}), u : (n, ${nu})${z}, and a dict:
        "h" the next step to try, "steps" taken and "rejected"
    raises FloatingPointError, whose attribute time says when
    """
    return ${parted}_adapt("${method}", _run_${method}, [${held}], ${state_given}, times, rtol, atol, h, max_steps, ${p}${end}
