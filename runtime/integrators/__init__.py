"""Methods of integration by name: each takes a `InitialValueProblem` and fills its `RunSolution`.

Methods in Python are SciPy's and CVODE. Any other name is that of an integrator which is compiled
with the model; its record in the manifest tells which loop runs it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from eomc.runtime.integrators.adaptive import solve_adaptive
from eomc.runtime.integrators.compiled_adaptive import solve_compiled_adaptive
from eomc.runtime.integrators.compiled_run import IN_PYTHON, is_compiled
from eomc.runtime.integrators.fixed_step import solve_fixed_step
from eomc.runtime.integrators.problem import InitialValueProblem, RunSolution
from eomc.runtime.integrators.watched_run import solve_watched
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.names.near_names import near_names

Method = Callable[[InitialValueProblem, Mapping[str, Any]], RunSolution]

ALWAYS_COMPILED = ("dopri", "rk4")
"""Integrators of every model whose functions allow them."""

__all__ = [
    "ALWAYS_COMPILED",
    "IN_PYTHON",
    "InitialValueProblem",
    "Method",
    "RunSolution",
    "has_fixed_steps",
    "is_compiled",
    "method_of",
    "solve_watched",
]


def has_fixed_steps(model: CompiledModel, method: str) -> bool:
    """True for a compiled method whose steps no tolerance chooses."""
    record = model.integrator_record(method) if is_compiled(method) else None
    return method == "rk4" or (record is not None and not record["adaptive"])


def method_of(model: CompiledModel, method: str) -> Method:
    """The method of that name.

    Raises ValueError for a name that is neither a method in Python nor an integrator of the model.
    """
    is_name = isinstance(method, str)
    if is_name and not is_compiled(method):
        return partial(solve_adaptive, method)
    if not is_name or (method not in ALWAYS_COMPILED and model.integrator_record(method) is None):
        own = (entry["name"] for entry in model.manifest.get("integrators", ()))
        known = {*IN_PYTHON, *ALWAYS_COMPILED, *own}
        raise ValueError(f"unknown method {method!r}; {near_names(str(method), sorted(known))}")
    solve = solve_fixed_step if has_fixed_steps(model, method) else solve_compiled_adaptive
    return partial(solve, method)
