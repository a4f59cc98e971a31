"""Kinks of forces along a run, such as at touch-down: steps end there and begin anew.

A step that looks over a kink has the accuracy of none. So where a switching function of an element
has changed its sign over a step, that step is taken back, and the run goes on to the zero that the
step's interpolant shows. What lay behind the kink has moved that zero a little: it is looked for
again from both sides, until it is less than rounding away. Over the rest the state is carried by
its rates on the near side, and the run begins anew on the far one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.integrators.events import Step
from eomc.runtime.integrators.problem import Problem
from eomc.runtime.model.state import parted

Array = NDArray[np.float64]

_FUNCTION = "element_switches"
_MOST_CUTS = 12
"""Times that a run comes nearer to one zero."""

_ROUNDING, _MOST_DOUBLINGS = 4 * float(np.finfo(float).eps), 20
"""Share of the time that is rounding, and how often it is doubled until a zero is passed."""


@dataclass(frozen=True)
class Cut:
    """A time and state from which to go on, and the time to which if not to the end."""

    t: float
    y: Array
    end: float | None = None


class Switching:
    """Watches the switching functions of a model from step to step."""

    def __init__(self, problem: Problem, t: float, y: Array) -> None:
        self.problem = problem
        self.active = _FUNCTION in problem.model.available_functions
        self.found: list[tuple[float, int]] = []
        self.names: tuple[str, ...] = ()
        self._cuts = 0
        if self.active:
            self.names = problem.model.output_rows(_FUNCTION)
            self._sides = np.sign(self.values(t, y))

    def values(self, t: float, y: Array) -> Array:
        """All functions at a state."""
        call, state = self.problem.excitation.call, parted(self.problem.model, y)
        given = self.problem.excitation.others(t, state)
        found = call(_FUNCTION, {"q": state.q, "u": state.u, **given})
        return np.asarray(found, dtype=float)

    def cut(self, step: Step, rates: Callable[[float, Array], Array]) -> Cut | None:
        """Where the run is to go on instead, if the step looked over a kink."""
        if not self.active:
            return None
        sides = np.sign(self.values(step.t, step.y))
        # A side that was zero is known from now on.
        self._sides = np.where(self._sides == 0, sides, self._sides)
        changed = np.flatnonzero((sides != 0) & (sides != self._sides))
        if not changed.size:
            return None
        state = step.dense_output()
        zeros = {k: self._zero(k, step, state) for k in changed.tolist()}
        first = min(zeros.values())
        start, rounding = np.array(state(step.t_old)), _ROUNDING * max(abs(step.t), 1e-300)
        if first > step.t_old + rounding and self._cuts < _MOST_CUTS:
            self._cuts += 1
            return Cut(step.t_old, start, first)
        self._cuts = 0
        passed = [k for k, zero in zeros.items() if zero <= first + rounding]
        return self._carried(first, passed, Cut(step.t_old, start), rates(step.t_old, start))

    def _carried(self, zero: float, passed: list[int], near: Cut, rates: Array) -> Cut:
        """The state behind the zero of the functions `passed`."""
        beyond = _ROUNDING * max(abs(zero), 1e-300)
        for _ in range(_MOST_DOUBLINGS):
            t = zero + beyond
            y = near.y + (t - near.t) * rates
            sides = np.sign(self.values(t, y))
            if all(sides[k] == -self._sides[k] for k in passed):
                break
            beyond *= 2
        for k in passed:
            self._sides[k] = -self._sides[k]
            self.found.append((float(zero), k))
        return Cut(t, y)

    def _zero(self, k: int, step: Step, state: Callable[[float], Array]) -> float:
        """Where function k has its zero within the step."""
        from scipy.optimize import brentq

        def value(t: float) -> float:
            return float(self.values(t, np.asarray(state(t)))[k])

        low, high = float(step.t_old), float(step.t)
        at_low, at_high = value(low), value(high)
        if at_low == 0 or np.sign(at_low) != self._sides[k]:
            return low
        if np.sign(at_high) == self._sides[k]:  # the interpolant misses the end by rounding
            return high
        return float(brentq(value, low, high, xtol=_ROUNDING * max(abs(high), 1e-300)))

    def times(self) -> dict[str, Array]:
        """Times of the zeros by the names of the functions."""
        return {
            name: np.array([t for t, which in self.found if which == k])
            for k, name in enumerate(self.names)
        }
