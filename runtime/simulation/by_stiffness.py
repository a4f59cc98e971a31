"""The compiled method of a run that names none: explicit, or implicit where the model is stiff.

A run is stiff if stability, not accuracy, keeps the steps of the explicit method short. With the
fastest rate |l| at the start, the largest stable h |l| of the method, and the duration T:

    T |l| / limit > 1000 steps, and the steps that the tolerances choose have h |l| > 1/2

The second is seen in a trial of some steps: modes that the tolerances resolve have shorter ones;
stability ends at h |l| = 1 for oscillations, and later for decays. The start stands for the whole
run. Large models, whose implicit steps take minutes to compile, have them only if they are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.integrators import InitialValueProblem, RunSolution, solve_watched
from eomc.runtime.integrators.compiled_adaptive import AdaptiveRun
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.needed_functions import IMPLICIT_STEPS_NEED
from eomc.runtime.model.state import Values, initial_state
from eomc.runtime.simulation.stiffness import WORTH, Mode, fastest_mode, stability_limit

EXPLICIT, IMPLICIT = "dopri", "rodas4p"
"""The methods that are chosen of."""

_UNRESOLVED = 0.5
"""Least h |l| of steps that do not resolve the mode."""
_MOST_OPERATIONS = 3000
"""Of forward dynamics of a model whose implicit steps are compiled without being asked for."""
_TRIAL, _FIRST = 300, 100
"""Steps of a trial, of which the first are those that find the length."""


def solve_by_stiffness(problem: InitialValueProblem, options: Mapping[str, Any]) -> RunSolution:
    """The solution by the method that the stiffness at the start calls for; `told` of the solution
    has its name and the reason for an implicit one."""
    stiff = _stiff(problem, options)
    if stiff is None:
        return solve_watched(EXPLICIT, problem, options)
    mode, length = stiff
    solution = solve_watched(f"{IMPLICIT}_adaptive", problem, options)
    why = (
        f"the speed {mode.speed(problem.model)!r} has a rate of {mode.rate:.3g} 1/s, which keeps "
        f"stable steps of {EXPLICIT!r} at {length:.2g} s"
    )
    return replace(solution, told={"method": IMPLICIT, "why": why})


def method_if_stiff(
    model: CompiledModel,
    q: Values = None,
    u: Values = None,
    z: Values = None,
    *,
    duration: float = 10.0,
    **acting: Any,
) -> str | None:
    """The implicit method, if a run of that duration from the state would take it by default.

    acting : constant `tau`, `inputs`, `prescribed` and `parameters`, as of `simulate`
    """
    if not model.integrator(EXPLICIT) or model.has_function("element_switches"):
        return None
    excitation, times = Excitation(model, **acting), np.array([0.0, duration])
    problem = InitialValueProblem(
        model, excitation, initial_state(model, q, u, z), times, None, lambda _: None
    )
    return None if _stiff(problem, {"rtol": 1e-8, "atol": 1e-10}) is None else IMPLICIT


def _stiff(problem: InitialValueProblem, options: Mapping[str, Any]) -> tuple[Mode, float] | None:
    """The fastest mode and the length of explicit steps, if these are as short as stability
    demands; None otherwise, and for a model without implicit steps."""
    model = problem.model
    if not problem.is_held or not _has_implicit_steps(model):
        return None
    limit = stability_limit(model, EXPLICIT)
    mode = fastest_mode(problem, float(problem.times[-1] - problem.times[0]) / WORTH, limit)
    length = None if mode is None else _explicit_length(problem, options)
    if mode is None or length is None or length * mode.rate <= _UNRESOLVED:
        return None
    return mode, length


def _has_implicit_steps(model: CompiledModel) -> bool:
    """True if they are compiled, or compiled soon."""
    if set(IMPLICIT_STEPS_NEED) <= set(model.functions):
        return True
    can = all(map(model.has_function, IMPLICIT_STEPS_NEED))
    return can and model.operations_of("forward_dynamics") <= _MOST_OPERATIONS


def _explicit_length(problem: InitialValueProblem, options: Mapping[str, Any]) -> float | None:
    """Mean length of explicit steps from the start; None if they get to the end, or fail."""
    quiet = replace(problem, events=(), report=lambda _: None)
    trial = AdaptiveRun(EXPLICIT, quiet, options)
    start = float(problem.times[0])
    values = trial.arguments(start, problem.state, trial.torque(start, problem.state))
    span, reached = np.array([start, float(problem.times[-1])]), []
    for steps in (_FIRST, _TRIAL):
        try:
            trial.call(values, span, **options, h=0.0, max_steps=steps)
        except FloatingPointError as error:
            if getattr(error, "code", "") != "too_many_steps":
                return None
            reached.append(float(getattr(error, "time", start)))
        else:
            return None
    return (reached[1] - reached[0]) / (_TRIAL - _FIRST)
