def rk4_rollouts(${arguments}):
    """Many runs at once: ${title}, steps of length h.

    ${state} : initial states, one in each row
${documented}    every : steps from one record to the next
    threads : at most so many, by default all cores if it is worth it
    returns
        q : (states, steps/every + 1, ${nq}), u : (..., ${nu})${z}
    """
    return ${parted}_roll_out({${inputs}}, ${state_given}, ${t}, h, steps, every, threads,
                     ${given}, ${p}${end}
