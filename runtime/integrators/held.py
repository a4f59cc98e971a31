"""What compiled methods have in common: they hold torques and inputs, as digital controllers do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.runtime.integrators.problem import Problem

HOLDING = ("dopri", "rk4")
"""Names of the compiled methods."""


def compiled_method(method: str, problem: Problem) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """The compiled integrator and the names of its first arguments.

    Raises ValueError if the model is compiled without, or for what compiled methods cannot do.
    """
    model = problem.model
    if problem.events:
        raise ValueError(f"method {method!r} finds no events; choose one of SciPy's, as 'DOP853'")
    if problem.dense:
        raise ValueError(f"dense: method {method!r} keeps no interpolants; record more times")
    if model.prescribed:
        raise ValueError(
            f"method {method!r} holds inputs, which a prescribed motion does not bear; "
            "choose one of SciPy's, such as 'DOP853'"
        )
    compiled = model.integrator(method)
    if compiled is None:
        raise ValueError(
            f"model {model.name!r} was compiled without {method!r}; build it with the "
            "functions coordinate_rates, forward_dynamics and normalize"
        )
    return compiled
