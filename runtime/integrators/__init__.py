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
from eomc.runtime.model.implicit_steps import refuse_kinks, without
from eomc.runtime.model.needed_functions import EXPLICIT_METHODS, IMPLICIT_METHODS
from eomc.runtime.names.near_names import near_names

Method = Callable[[InitialValueProblem, Mapping[str, Any]], RunSolution]

__all__ = [
    "IN_PYTHON",
    "InitialValueProblem",
    "Method",
    "RunSolution",
    "has_fixed_steps",
    "is_compiled",
    "is_implicit",
    "method_of",
    "solve_watched",
    "stepping",
]


def stepping(model: CompiledModel, method: str, step: float | None) -> str:
    """The compiled integrator that a method stands for: that of steps which the tolerances choose,
    of an implicit method that has one, unless a step is given."""
    if step is not None or not is_implicit(model, method):
        return method
    adaptive = f"{method}_adaptive"
    return method if model.integrator_record(adaptive) is None else adaptive


def is_implicit(model: CompiledModel, method: str) -> bool:
    """True for a compiled method that is linearly implicit."""
    if not isinstance(method, str) or not is_compiled(method) or method in EXPLICIT_METHODS:
        return False
    record = model.integrator_record(method)
    return record is not None and bool(record.get("implicit"))


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
    if not is_name or (method not in EXPLICIT_METHODS and model.integrator_record(method) is None):
        own = (entry["name"] for entry in model.manifest.get("integrators", ()))
        known = {*IN_PYTHON, *EXPLICIT_METHODS, *IMPLICIT_METHODS, *own}
        if is_name and method in IMPLICIT_METHODS:
            raise ValueError(without(model, method))
        raise ValueError(f"unknown method {method!r}; {near_names(str(method), sorted(known))}")
    if is_implicit(model, method):
        refuse_kinks(model, method)
    solve = solve_fixed_step if has_fixed_steps(model, method) else solve_compiled_adaptive
    return partial(solve, method)
