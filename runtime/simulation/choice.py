"""The method of a run: the one that is named, or the fastest that the run admits.

Compiled steps see nothing of Python. So a law that changes within a step, a force whose kinks a
step is to end at, and what is solved in Python stage by stage, take SciPy's method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts.contacts import has_rigid_contacts
from eomc.runtime.integrators import (
    InitialValueProblem,
    RunSolution,
    has_fixed_steps,
    method_of,
    solve_watched,
    stepping,
)
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.by_stiffness import EXPLICIT, solve_by_stiffness

COMPILED, PYTHON = EXPLICIT, "DOP853"
"""The methods that are chosen of."""


@dataclass(frozen=True)
class MethodChoice:
    """method : its name; solve : the method itself; has_fixed_steps : no tolerance chooses its
    steps; told : "method" that was chosen if none was
    named, and "why" if it is not the compiled one."""

    method: str
    solve: Callable[[InitialValueProblem, Mapping[str, Any]], RunSolution]
    has_fixed_steps: bool = False
    told: Mapping[str, str] = field(default_factory=dict)

    def settled(self, solution: RunSolution) -> MethodChoice:
        """The choice with the method that the solution tells of."""
        told = {**self.told, **solution.told}
        return replace(self, method=told.get("method", self.method), told=told)


def choice(
    method: str | None,
    model: CompiledModel,
    excitation: Excitation,
    *,
    step: float | None,
    formulation: str,
    at_singularity: str,
    dense: bool,
) -> MethodChoice:
    """The method of that name, or the one to take if it is None; a clocked controller has begun.

    Raises ValueError for an unknown name.
    """
    if method is not None:
        name = stepping(model, method, step)
        return MethodChoice(method, method_of(model, name), has_fixed_steps(model, name))
    why = (
        _changes_within_steps(model, excitation)
        or _needs_python(model, formulation, at_singularity, dense)
        or (model.integrator(COMPILED) is None and f"the model is compiled without {COMPILED}")
    )
    if why:
        return MethodChoice(PYTHON, method_of(model, PYTHON), told={"method": PYTHON, "why": why})
    solve = solve_by_stiffness if excitation.is_constant else partial(solve_watched, COMPILED)
    return MethodChoice(COMPILED, solve, told={"method": COMPILED})


def _changes_within_steps(model: CompiledModel, excitation: Excitation) -> str | None:
    """A phrase for what acts otherwise within a step than at its start, None if nothing does."""
    if not excitation.is_stepwise:
        return "controllers and inputs that are functions are called at every stage"
    if not excitation.is_at_rest:
        return "prescribed coordinates move within a step"
    if has_rigid_contacts(model):
        return "steps end where rigid contacts open and close"
    if model.has_function("element_switches"):
        return "steps end at the kinks of forces"
    return None


def _needs_python(
    model: CompiledModel, formulation: str, at_singularity: str, dense: bool
) -> str | None:
    """A phrase for what else of a run is not compiled, None for nothing."""
    if dense:
        return "interpolants are kept for dense"
    if model.is_constrained and formulation != "multipliers":
        return f"the formulation {formulation!r} is solved at every stage"
    if model.is_constrained and at_singularity == "stop":
        return "singular configurations to stop at are looked for in each step"
    return None
