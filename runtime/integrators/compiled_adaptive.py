"""The methods of adaptive steps that are compiled into the module."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.integrators.held import HeldRun
from eomc.runtime.integrators.problem import STIFF, Problem, Solution
from eomc.runtime.state import State

Array = NDArray[np.float64]

# Steps of one call into C, between which a long run tells how far it is. Every call ends on a time
# of the record, where a step is cut short; so there are few.
_ENOUGH_STEPS = 10_000
_MOST_STEPS = 10_000_000


def solve_compiled_adaptive(method: str, problem: Problem, options: Mapping[str, Any]) -> Solution:
    """Integrate with steps that the tolerances choose, all of them in C.

    A controller's torques and varying inputs are held between the times of the record, or for
    `problem.step` if that is shorter, as by a digital controller. Events are looked for from time
    to time of the record.

    Raises SimulationError with the time where no further step can be taken.
    """
    return _Run(method, problem, options).solve()


class _Run(HeldRun):
    """Calls of the compiled method."""

    def __init__(self, method: str, problem: Problem, options: Mapping[str, Any]) -> None:
        super().__init__(method, problem)
        self.options = dict(options)
        self.most = problem.most_steps or _MOST_STEPS
        self.length = 0.0
        self.statistics["rejected"] = 0
        self.rows = 1
        self.before = 0

    def last_row(self, row: int) -> int:
        """Further from call to call, if the inputs never change and the calls are short."""
        taken = self.statistics["steps"] - self.before
        if row > 0 and self.problem.excitation.is_constant and taken < _ENOUGH_STEPS:
            self.rows *= 4
        self.before = self.statistics["steps"]
        return min(row + self.rows, self.problem.times.size - 1)

    def advance(self, row: int, end: int, state: State) -> tuple[Array, Array]:
        times, excitation = self.problem.times[row : end + 1], self.problem.excitation
        tau = first = excitation.torque(float(times[0]), state)
        longest = self.problem.step
        if longest is None or excitation.is_constant:
            return self._interval(times, state, tau), first
        # The record has one interval here: inputs are sampled within it.
        count = max(int(np.ceil((times[-1] - times[0]) / longest - 1e-9)), 1)
        samples = np.linspace(times[0], times[-1], count + 1)
        for k, pair in enumerate(pairwise(samples.tolist())):
            if k > 0:
                tau = excitation.torque(pair[0], state)
            rows = self._interval(np.array(pair), state, tau)
            if self.end is not None:
                break
            state = self._state(rows[-1])
        return rows, first

    def _interval(self, times: Array, state: State, tau: Array) -> Array:
        """[q; u] at the times after the first, all inputs held."""
        values = self.held(float(times[0]), state, tau)
        rows, report = self._rows(values, times, self.length)

        def state_at(start: float, known: State, end: float) -> Array:
            changed = {**values, "q": known.q, "u": known.u}
            row: Array = self._rows(changed, np.array([start, end]), 0.0)[0][-1]
            return row

        self.watch(times, rows, state_at)
        self.length = report["h"]
        for what in self.statistics:
            self.statistics[what] += report[what]
        return rows[1:]

    def _rows(
        self, values: Mapping[str, Any], times: Array, length: float
    ) -> tuple[Array, dict[str, Any]]:
        """[q; u] at the times, and what the compiled method tells of its steps."""
        left = self.most - self.statistics["steps"]
        try:
            if left <= 0:
                raise self.stopped(float(times[0]), _REASONS["too_many_steps"])
            q, u, report = self.call(values, times, **self.options, h=length, max_steps=left)
        except FloatingPointError as error:
            reached = float(getattr(error, "time", times[0]))
            raise self.stopped(reached, _reason(error)) from error
        rows = np.hstack([q, u])
        finite = np.isfinite(rows).all(axis=1)
        if not finite.all():
            last = float(times[int(np.argmin(finite)) - 1])
            raise self.stopped(last, "the state is no longer finite: the motion diverges")
        return rows, report


_REASONS = {
    "step_underflow": "the motion diverges there, or a law is singular or undefined",
    "too_many_steps": f"too many steps; {STIFF}",
}


def _reason(error: FloatingPointError) -> str:
    code = getattr(error, "code", "")
    return _REASONS.get(code, f"forward_dynamics: {code}" if code else str(error))
