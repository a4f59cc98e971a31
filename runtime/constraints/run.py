"""What a run of a constrained model needs: a consistent start, and a way back onto constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.compiled import CompiledModel
from eomc.runtime.constraints.assembly import assembled
from eomc.runtime.constraints.errors import ConstraintError
from eomc.runtime.constraints.independent import IndependentMotion
from eomc.runtime.constraints.projection import Projection, require_consistent
from eomc.runtime.constraints.rows import Rows, has_constraints
from eomc.runtime.constraints.singular import singular
from eomc.runtime.constraints.stabilized import StabilizedMotion
from eomc.runtime.excitation import Excitation
from eomc.runtime.integrators.held import HOLDING
from eomc.runtime.near_names import near_names
from eomc.runtime.state import State

Array = NDArray[np.float64]

FORMULATIONS = ("multipliers", "independent", "stabilized")

CONSISTENT = 1e-6
"""Residuals of a start, relative to its size, that count as printed numbers and not as an error."""


@dataclass(frozen=True)
class ConstrainedRun:
    """start : consistent state; restore : (t, state) -> the consistent state nearby, if states are
    brought back at all;
    acceleration : (t, state) -> the state that stands for it and u' there, if not of the
    multipliers; counts : gives what the run took."""

    start: State
    restore: Callable[[float, State], State] | None
    acceleration: Callable[[float, State], tuple[State, Array]] | None
    counts: Callable[[], Mapping[str, int]]

    @property
    def statistics(self) -> Mapping[str, int]:
        """What the run took."""
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
    if not has_constraints(model):
        return None
    if formulation != "multipliers" and method in HOLDING:
        raise ValueError(
            f"method {method!r} takes multipliers; formulation {formulation!r} needs one of "
            "SciPy's, such as 'DOP853'"
        )
    rows = Rows(model, excitation)
    if assemble:
        state = assembled(rows, t, state)[0]
    else:
        try:
            require_consistent(rows, t, state, CONSISTENT)
        except ConstraintError as gap:
            advice = "; start from eomc.assemble(model, q, u), or with assemble=True (--assemble)"
            raise type(gap)(f"{gap}{advice}") from None
    error = singular(rows, t, state, " at the start")
    if error is not None:
        raise error
    if formulation == "independent":
        motion = IndependentMotion(rows, t, state)
        return ConstrainedRun(
            motion.restored(t, state), motion.accepted, motion.acceleration, motion.statistics
        )
    if formulation == "stabilized":
        stabilized = StabilizedMotion(rows, stabilization)
        return ConstrainedRun(state, None, stabilized.acceleration, dict)
    project = Projection(rows)
    return ConstrainedRun(
        project(t, state),
        project,
        None,
        lambda: {"projections": project.states},
    )
