"""The start of a constrained run: a consistent state, and a way back onto the constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ConstraintError
from eomc.runtime.constraints.constraints import VALUES, IndependentConstraints
from eomc.runtime.constraints.independent import IndependentFormulation
from eomc.runtime.constraints.passage import SingularPassage
from eomc.runtime.constraints.projection import Projection
from eomc.runtime.constraints.rank import singularity
from eomc.runtime.constraints.stabilized import StabilizedFormulation
from eomc.runtime.constraints.start import (
    ConsistentStart,
    GivenByName,
    start_on_constraints,
    warn_of_moved,
)
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.integrators.compiled_run import is_compiled
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names

FORMULATIONS = ("multipliers", "independent", "stabilized")


@dataclass(frozen=True)
class ConstrainedRun:
    """start : consistent state; project : (t, state) -> the consistent state nearby, if states are
    brought back at all;
    acceleration : (t, state) -> the state that stands for it and u' there, if not of the
    multipliers; passage : past singular configurations, if all that it takes is compiled;
    counts : gives what the run took; assembled : what moved at the start."""

    start: State
    project: Callable[[float, State], State] | None
    acceleration: Callable[[float, State], tuple[State, Array]] | None
    passage: SingularPassage | None
    counts: Callable[[], Mapping[str, int]]
    assembled: ConsistentStart

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
    assemble: bool = False,
    fixed: Sequence[str] | str = (),
    named: GivenByName | None = None,
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
    if formulation == "stabilized" and is_compiled(method):
        raise ValueError(
            f"method {method!r} projects its steps, which stabilization does without; choose one "
            "of SciPy's methods, such as 'DOP853'"
        )
    if is_compiled(method):
        model.integrator(method)  # compiles with it what projects its steps
    if formulation == "stabilized":
        model.prepare("constrained_dynamics", *VALUES)
    else:
        model.prepare(*model.constraint_functions)
    constraints = IndependentConstraints(model, excitation)
    start = start_on_constraints(constraints, t, state, assemble=assemble, fixed=fixed, named=named)
    warn_of_moved(model, start, named)
    state = start.state
    if (text := singularity(constraints.at(t, state), " at the start")) is not None:
        raise ConstraintError(text)
    needed = set(model.constraint_functions)
    passage = SingularPassage(constraints) if needed <= set(model.available_functions) else None
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
            start,
        )
    if formulation == "stabilized":
        stabilized = StabilizedFormulation(constraints, stabilization)
        return ConstrainedRun(state, None, stabilized.acceleration, passage, dict, start)
    assert passage is not None
    project = Projection(constraints, passage)
    return ConstrainedRun(
        project(t, state), project, None, passage, lambda: {"projections": project.states}, start
    )
