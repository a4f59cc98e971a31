"""Rigid contacts at a configuration that is assembled: no gap is below zero there.

Gaps that are negative are closed together with the constraints, by Newton's method with steps of
least norm, and those that the steps bring below zero join them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.consistency import ACCEPTED, AssemblyError, position_sizes
from eomc.runtime.constraints.constraints import IndependentConstraints
from eomc.runtime.model.arguments import model_length
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State

TOUCHING = 1e-9
"""Gap, by the model's length, below which a contact takes part in an impact, or rests; one that is
further below zero starts no run."""

_FUNCTION = "rigid_contacts"
_STEPS = 60
_CLOSED = 1e-3


def touching_gap(model: CompiledModel) -> float:
    """The same in metres."""
    return TOUCHING * model_length(model)


Least = Callable[[State, Array, Array], Array]
"""Displacement of least norm by state, rows and what they shall change by."""


def cleared(constraints: IndependentConstraints, t: float, state: State, least: Least) -> State:
    """The state with no contact below the surface, the constraints kept.

    Raises `AssemblyError` where the contacts and the constraints do not go together.
    """
    if not constraints.model.has_function(_FUNCTION):
        return state
    sizes = constraints.row_sizes(constraints.closure_names)
    active: set[int] = set()
    closed = _CLOSED * touching_gap(constraints.model)
    gap, rows = _gaps(constraints, t, state)
    for _ in range(_STEPS):
        active |= set(np.flatnonzero(gap < -closed).tolist())
        at = constraints.at(t, state)
        open_ = (np.abs(at.closure) > ACCEPTED * position_sizes(at)).any()
        if not active or not (open_ or (np.abs(gap[list(active)]) > closed).any()):
            return state
        chosen = sorted(active)
        g = np.vstack([rows[chosen], at.closure_jacobian / sizes[:, None]])
        off = np.concatenate([gap[chosen], at.closure / sizes])
        du = least(state, g, -off)
        longest = float(np.abs(du / constraints.u_sizes).max(initial=0.0))
        state = state.moved(
            constraints.moved(state.q, du * min(1.0, 1 / max(longest, 1.0))), state.u
        )
        gap, rows = _gaps(constraints, t, state)
    names = constraints.model.output_names(_FUNCTION)
    k = int(np.argmin(gap))
    raise AssemblyError(
        f"model {constraints.model.name!r}: the rigid contact {names[k]!r} keeps the gap "
        f"{gap[k]:.3g} m where the constraints are satisfied; give another guess, or hold less"
    )


def _gaps(constraints: IndependentConstraints, t: float, state: State) -> tuple[Array, Array]:
    """Gaps (n,) and their rows (n, nu)."""
    excitation = constraints.excitation
    values = {"q": state.q, "u": state.u, **excitation.others(t, state)}
    gap, rows, *_ = excitation.call(_FUNCTION, values)
    gap = np.asarray(gap)
    return gap, np.asarray(rows).reshape(len(gap), 4, -1)[:, 0]
