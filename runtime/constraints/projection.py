"""The nearest state that satisfies the constraints, along a run.

Newton's method with steps of least kinetic energy, du = -M^-1 G^T (G M^-1 G^T)^-1 phi, taken on the
manifold of configurations, until residuals are those of rounding; then the speeds by one such step
with G u + b. All of it is compiled (`project`). Reference: Eich, *Convergence results for a
coordinate projection method applied to mechanical systems with algebraic constraints*, SIAM J.
Numer. Anal. 30 (1993) 1467.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.constraints.errors import AssemblyError, ConstraintError
from eomc.runtime.constraints.rows import Rows, worst
from eomc.runtime.constraints.singular import singular
from eomc.runtime.state import State

Array = NDArray[np.float64]

MOST_STEPS = 20


class Projection:
    """Brings states back onto the constraints; `states` counts them."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.states = 0

    def __call__(self, t: float, state: State) -> State:
        """The nearest consistent state at time t.

        Raises `ConstraintError` if Newton's method does not converge, or the constraints are
        singular there.
        """
        state = State(self.rows.normalized(state.q), state.u)
        try:
            q, u = self.rows.solve("project", t, state, MOST_STEPS)
        except FloatingPointError as failure:
            raise failed(self.rows, t, state) from failure
        self.states += 1
        return State(q, u)


def failed(rows: Rows, t: float, state: State) -> ConstraintError:
    """Why a state could not be brought onto the constraints: rank, or the constraint far off."""
    error = singular(rows, t, state)
    if error is not None:
        return error
    if not rows.positions:
        return ConstraintError(f"model {rows.model.name!r}: its speeds cannot be corrected")
    name, value = worst(rows.closure(t, state), rows.closure_names)
    return AssemblyError(
        f"model {rows.model.name!r}: Newton's method did not close the constraints in {MOST_STEPS} "
        f"steps; {name!r} had the residual {value:.3g}"
    )


def require_consistent(rows: Rows, t: float, state: State, tolerance: float) -> None:
    """Raise `ConstraintError`, naming the constraint, if the state violates one by more.

    `tolerance` is relative to the size of coordinates and speeds, 1 at least.
    """
    sizes = [1.0 + float(np.abs(values).max(initial=0.0)) for values in state]
    found = (
        ("position", rows.closure(t, state), rows.closure_names, sizes[0]),
        ("velocity", rows.velocity(t, state), rows.names, sizes[1]),
    )
    for what, residual, names, size in found:
        if residual.size and not float(np.abs(residual).max()) <= tolerance * size:
            name, value = worst(residual, names)
            raise ConstraintError(
                f"model {rows.model.name!r}: the state violates constraint {name!r}: its {what} "
                f"residual is {value:.3g}"
            )
