"""The start of a constrained run: a consistent state, and a way back onto the constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.assembly import assembled
from eomc.runtime.constraints.consistency import violation
from eomc.runtime.constraints.constraints import VALUES, Constraints
from eomc.runtime.constraints.errors import ConstraintError
from eomc.runtime.constraints.independent import IndependentFormulation
from eomc.runtime.constraints.passage import Passage
from eomc.runtime.constraints.projection import Projection
from eomc.runtime.constraints.rank import singularity
from eomc.runtime.constraints.stabilized import StabilizedFormulation
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.integrators.compiled_run import COMPILED
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names

Array = NDArray[np.float64]

FORMULATIONS = ("multipliers", "independent", "stabilized")


@dataclass(frozen=True)
class ConstrainedRun:
    """start : consistent state; project : (t, state) -> the consistent state nearby, if states are
    brought back at all;
    acceleration : (t, state) -> the state that stands for it and u' there, if not of the
    multipliers; passage : past singular configurations, if all that it takes is compiled;
    counts : gives what the run took."""

    start: State
    project: Callable[[float, State], State] | None
    acceleration: Callable[[float, State], tuple[State, Array]] | None
    passage: Passage | None
    counts: Callable[[], Mapping[str, int]]

    @property
    def statistics(self) -> Mapping[str, int]:
        """Counts of the work of the run, as "projections", by name."""
        return self.counts()


def constrained_run(
    model: CompiledModel,
    excitation: Excitation,
    t: float,
    state: State,
    formulation: str,
    *,
    method: str,
    assemble: bool,
    stabilization: float,
) -> ConstrainedRun | None:
    """None if the model has no constraints.

    Raises ValueError for an unknown formulation or one that the method cannot take, and
    `ConstraintError` for a start that violates the constraints (unless `assemble`) or is singular.
    """
    if formulation not in FORMULATIONS:
        known = near_names(str(formulation), FORMULATIONS)
        raise ValueError(f"unknown formulation {formulation!r}; {known}")
    if not model.is_constrained:
        return None
    if formulation == "stabilized" and method in COMPILED:
        raise ValueError(
            f"method {method!r} projects its steps, which stabilization does without; choose one "
            "of SciPy's methods, such as 'DOP853'"
        )
    if method in COMPILED:
        model.integrator(method)  # compiles with it what projects its steps
    if formulation == "stabilized":
        model.prepare("constrained_dynamics", *VALUES)
    else:
        model.prepare(*model.constraint_functions)
    constraints = Constraints(model, excitation)
    if assemble:
        state = assembled(constraints, t, state)[0]
    at = constraints.at(t, state)
    if not assemble and (text := violation(at)) is not None:
        advice = "start from eomc.assemble(model, q, u), or with assemble=True (--assemble)"
        raise ConstraintError(f"{text}; {advice}")
    if (text := singularity(at, " at the start")) is not None:
        raise ConstraintError(text)
    needed = set(model.constraint_functions)
    passage = Passage(constraints) if needed <= set(model.available_functions) else None
    if passage is not None:
        passage.nearness(t, state)
    if formulation == "independent":
        formulated = IndependentFormulation(constraints, t, state)
        return ConstrainedRun(
            formulated.projected(t, state),
            formulated.accepted,
            formulated.acceleration,
            passage,
            formulated.statistics,
        )
    if formulation == "stabilized":
        stabilized = StabilizedFormulation(constraints, stabilization)
        return ConstrainedRun(state, None, stabilized.acceleration, passage, dict)
    assert passage is not None
    project = Projection(constraints, passage)
    return ConstrainedRun(
        project(t, state),
        project,
        None,
        passage,
        lambda: {"projections": project.states},
    )
