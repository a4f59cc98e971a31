"""The nearest state that satisfies the constraints, along a run.

Newton's method with steps of least kinetic energy, du = -M^-1 G^T (G M^-1 G^T)^-1 phi, taken on the
manifold of configurations, until residuals are those of rounding; then the speeds by one such step
with G u + b. All of it is compiled (`project`), but close to singular configurations, where a
`SingularPassage` leaves to inertia what the constraints do not tell. Reference: Eich, *Convergence
results for a coordinate projection method applied to mechanical systems with algebraic
constraints*, SIAM J. Numer. Anal. 30 (1993) 1467.
"""

from __future__ import annotations

import numpy as np

from eomc.runtime.constraints.consistency import (
    AssemblyError,
    ConstraintError,
    position_sizes,
    worst,
)
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.constraints.passage import SingularPassage
from eomc.runtime.constraints.rank import singularity
from eomc.runtime.model.state import State

MOST_STEPS = 20

_NOTABLE, _CLOSE = 1e-6, 0.05
"""Share of the speeds by which projection may move them, however close to a singular
configuration: beyond it what the motion carries could be taken out."""


class Projection:
    """Brings states back onto the constraints; `states` counts them."""

    def __init__(self, constraints: IndependentConstraints, passage: SingularPassage) -> None:
        self.constraints, self.passage = constraints, passage
        self.states = 0

    def __call__(self, t: float, state: State) -> State:
        """The nearest consistent state at time t.

        Raises `ConstraintError` if Newton's method does not converge, or the constraints are
        singular there.
        """
        state = state.moved(self.constraints.normalized(state.q), state.u)
        try:
            projected = state.moved(*self.constraints.solve("project", t, state, MOST_STEPS))
        except FloatingPointError as failure:
            raise failed(self.constraints, t, state) from failure
        self.states += 1
        sizes = self.constraints.u_sizes
        size = float(np.abs(state.u / sizes).max(initial=0.0))
        moved = float(np.abs((projected.u - state.u) / sizes).max(initial=0.0))
        if moved > _NOTABLE * size and self.passage.nearness(t, state) < _CLOSE:
            try:
                return self.passage.project(t, state)
            except FloatingPointError:
                return projected
        return projected


def failed(constraints: IndependentConstraints, t: float, state: State) -> ConstraintError:
    """The error of a state that projection left off the constraints: rank, or the worst row."""
    at, model = constraints.at(t, state), constraints.model
    text = singularity(at)
    if text is not None:
        return ConstraintError(text)
    if not constraints.positions:
        return ConstraintError(f"model {model.name!r}: its speeds cannot be corrected")
    name, value = worst(at.closure, constraints.closure_names, position_sizes(at))
    return AssemblyError(
        f"model {model.name!r}: Newton's method did not close the constraints in {MOST_STEPS} "
        f"steps; {name!r} had the residual {value:.3g}"
    )
