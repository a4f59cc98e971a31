"""Kinks of forces along a run, such as at touch-down: steps end there and begin anew.

A step that looks over a kink has the accuracy of none. So where a switching function of an element
has changed its sign over a step, that step is taken back, and the run goes on to the zero that the
step's interpolant shows. What lay behind the kink has moved that zero a little: it is looked for
again from both sides, until it is less than rounding away. Over the rest the state is carried by
its rates on the near side, and the run begins anew on the far one.

A function that lingers at its zero, as the strain of a cable that is just straight, changes its
sign with every rounding. A change counts once it is more than a small share of what the tolerances
of the run leave open, so that a run never stands still for kinks that it could not see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.integrators.events import LastStep
from eomc.runtime.integrators.problem import InitialValueProblem
from eomc.runtime.model.state import parted

_FUNCTION = "element_switches"
_MOST_CUTS = 12
"""Times that a run comes nearer to one zero."""

_ROUNDING, _MOST_DOUBLINGS = 4 * float(np.finfo(float).eps), 20
"""Share of the time that is rounding, and how often it is doubled until a zero is passed."""

_SEEN = 1e-3
"""Share of the tolerances of a state that a function's change of sign is to stand for."""


@dataclass(frozen=True)
class Cut:
    """A time and state from which to go on, and the time to which if not to the end."""

    t: float
    y: Array
    end: float | None = None


class Switching:
    """Watches the switching functions of a model from step to step; `tolerances` are the relative
    and the absolute one of the run."""

    def __init__(
        self, problem: InitialValueProblem, t: float, y: Array, tolerances: tuple[float, float]
    ) -> None:
        self.problem = problem
        self.tolerances = tolerances
        self.active = problem.model.has_function(_FUNCTION)
        self.found: list[tuple[float, int]] = []
        self.names: tuple[str, ...] = ()
        self.sides: Array = np.empty(0)
        self._cuts = 0
        if self.active:
            self.names = problem.model.output_names(_FUNCTION)
            before = problem.sides
            self.sides = np.sign(self.values(t, y)) if before is None else before.copy()

    def values(self, t: float, y: Array) -> Array:
        """All functions at a state."""
        call, state = self.problem.excitation.call, parted(self.problem.model, y)
        given = self.problem.excitation.others(t, state)
        found = call(_FUNCTION, {"q": state.q, "u": state.u, **given})
        return np.asarray(found, dtype=float)

    def cut(self, step: LastStep, rates: Callable[[float, Array], Array]) -> Cut | None:
        """Time and state from which to go on instead, if the step looked over a kink, else None."""
        if not self.active:
            return None
        found = self.values(step.t, step.y)
        sides = np.sign(found)
        if np.array_equal(sides, self.sides):
            return None
        sides[~self._are_clear(step.t, step.y, found)] = 0
        # A side that was zero is known from now on.
        self.sides = np.where(self.sides == 0, sides, self.sides)
        changed = np.flatnonzero((sides != 0) & (sides != self.sides))
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

    def _are_clear(self, t: float, y: Array, found: Array) -> NDArray[np.bool_]:
        """True for each of the functions `found` at a state that is further from zero than the
        tolerances and rounding of that state can move them."""
        relative, absolute = self.tolerances
        moves = np.maximum(
            _SEEN * (absolute + relative * np.abs(y)), _ROUNDING * np.abs(y).max(initial=0.0)
        )
        open_by = np.zeros_like(found)
        for i, move in enumerate(moves):
            beside = y.copy()
            beside[i] += move
            open_by += np.abs(self.values(t, beside) - found)
        return np.asarray(np.abs(found) > open_by)

    def _carried(self, zero: float, passed: list[int], near: Cut, rates: Array) -> Cut:
        """The state behind the zero of the functions `passed`."""
        beyond = _ROUNDING * max(abs(zero), 1e-300)
        for _ in range(_MOST_DOUBLINGS):
            t = zero + beyond
            y = near.y + (t - near.t) * rates
            sides = np.sign(self.values(t, y))
            if all(sides[k] == -self.sides[k] for k in passed):
                break
            beyond *= 2
        for k in passed:
            self.sides[k] = -self.sides[k]
            self.found.append((float(zero), k))
        return Cut(t, y)

    def _zero(self, k: int, step: LastStep, state: Callable[[float], Array]) -> float:
        """Time [s] of the zero of function k within the step."""
        from scipy.optimize import brentq

        def value(t: float) -> float:
            return float(self.values(t, np.asarray(state(t)))[k])

        low, high = float(step.t_old), float(step.t)
        at_low, at_high = value(low), value(high)
        if at_low == 0 or np.sign(at_low) != self.sides[k]:
            return low
        if np.sign(at_high) == self.sides[k]:  # the interpolant misses the end by rounding
            return high
        return float(brentq(value, low, high, xtol=_ROUNDING * max(abs(high), 1e-300)))

    def times(self) -> dict[str, Array]:
        """Times of the zeros by the names of the functions."""
        return {
            name: np.array([t for t, which in self.found if which == k])
            for k, name in enumerate(self.names)
        }
