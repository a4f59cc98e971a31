"""Methods of integration by name: each takes a `Problem` and fills its `Solution`.

A new method is a new entry; the files beside this one hold the loops that run them.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from eomc.runtime.integrators.adaptive import solve_adaptive
from eomc.runtime.integrators.compiled_adaptive import solve_compiled_adaptive
from eomc.runtime.integrators.compiled_run import COMPILED
from eomc.runtime.integrators.fixed_step import solve_fixed_step
from eomc.runtime.integrators.problem import Problem, Solution
from eomc.runtime.integrators.watched_run import solve_watched

Method = Callable[[Problem, Mapping[str, Any]], Solution]

METHODS: dict[str, Method] = {
    **{
        name: partial(solve_adaptive, name)
        for name in ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA", "cvode")
    },
    "dopri": partial(solve_compiled_adaptive, "dopri"),
    "rk4": partial(solve_fixed_step, "rk4"),
}

__all__ = ["COMPILED", "METHODS", "Method", "Problem", "Solution", "solve_watched"]
