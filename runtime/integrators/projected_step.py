"""Steps of solvers whose ends are projected onto constraints.

A one-step method goes on from the projected state. The backward differences of BDF are shifted with
it, which leaves the slopes of its polynomial as they are. Solvers that do not show their history
start anew where projection moved the state by more than their tolerances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

Projection = Callable[[float, Array], Array]
"""(t, [q; u]) -> the state that satisfies the constraints."""

_ONE_STEP = ("RK23", "RK45", "DOP853", "Radau")
_SHIFTED = ("BDF",)

_RESTART = 100.0
"""Multiple of the tolerances by which a state may be moved without a new start."""


class ProjectedStep:
    """The last step of a solver with its end projected, as events and records see it."""

    def __init__(self, solver: Any, project: Projection) -> None:
        self.t_old, self.t = float(solver.t_old), float(solver.t)
        self._solver, self._project = solver, project
        self._free = np.array(solver.y)
        self._inner: Callable[[float], Array] | None = None
        self.y = project(self.t, self._free)

    @property
    def moved(self) -> Array:
        """By how much projection moved the end."""
        shift: Array = self.y - self._free
        return shift

    def dense_output(self) -> Callable[[Any], Array]:
        """The state at times (k,) within the step, (nq + nu, k), or at one."""

        def state(t: Any) -> Array:
            if np.ndim(t) == 0:
                return self._at(float(t))
            return np.array([self._at(float(time)) for time in t]).T.reshape(self.y.size, -1)

        self._interpolant()
        return state

    def _at(self, t: float) -> Array:
        return self.y if t == self.t else self._project(t, self._interpolant()(t))

    def _interpolant(self) -> Callable[[float], Array]:
        """That of the solver, made from the state that it reached itself."""
        if self._inner is None:
            self._inner = self._solver.dense_output()
        return self._inner


def keep(name: str, step: ProjectedStep, solver: Any, tolerances: tuple[float, float]) -> bool:
    """Give the projected state to the solver; False if it must be started anew from there.

    To be called when nobody asks for the interpolant of the step any more.
    """
    if name in _ONE_STEP:
        solver.y = step.y
        solver.f = solver.fun(step.t, step.y)
        return True
    if name in _SHIFTED:
        solver.D[0] += step.moved
        solver.y = step.y
        return True
    rtol, atol = tolerances
    return bool((np.abs(step.moved) <= _RESTART * (atol + rtol * np.abs(step.y))).all())
