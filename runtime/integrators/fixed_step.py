"""The fixed-step methods that are compiled into the module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.errors import SimulationError, stopped
from eomc.runtime.integrators.held import compiled_method
from eomc.runtime.integrators.problem import Problem, Solution
from eomc.runtime.state import State

Array = NDArray[np.float64]

# Steps of one call into C: enough to make the call cheap, few enough to see divergence early.
_CHUNK = 20_000


def solve_fixed_step(method: str, problem: Problem, options: Mapping[str, Any]) -> Solution:
    """Integrate with steps of equal length between any two times, none longer than `problem.step`.

    Torques and inputs are held over a step, as by a digital controller. If they never change, all
    steps run in C; the tolerances in `options` have no meaning here.

    Raises SimulationError with the time where the state is no longer finite.
    """
    model, times = problem.model, problem.times
    run = _Run(method, problem)
    rows = np.empty((times.size, model.nq + model.nu))
    torques = np.empty((times.size, model.nu))
    state, row = problem.state, 0
    rows[0] = np.concatenate(state)
    while row < times.size - 1:
        end = run.last_equal(row) if problem.excitation.is_constant else row + 1
        q, u, torques[row:end] = run.advance(row, end, state)
        rows[row + 1 : end + 1] = np.hstack([q, u])
        state, row = State(q[-1], u[-1]), end
        problem.report(float(times[row]))
    torques[-1] = problem.excitation.torque(float(times[-1]), state)
    q, u = np.ascontiguousarray(rows[:, : model.nq]), np.ascontiguousarray(rows[:, model.nq :])
    return Solution(times, q, u, {"steps": run.steps}, torques)


class _Run:
    """Calls of the compiled method."""

    def __init__(self, method: str, problem: Problem) -> None:
        self.integrate, self.arguments = compiled_method(method, problem)
        self.problem = problem
        self.steps = 0
        intervals = np.diff(problem.times)
        longest = problem.step or np.inf
        # A grid point missed by rounding is no reason for another step.
        self.substeps = np.maximum(np.ceil(intervals / longest - 1e-9), 1).astype(int)
        self.lengths = intervals / self.substeps

    def last_equal(self, row: int) -> int:
        """The last row that is reached by steps like those from `row`, each recorded."""
        if self.substeps[row] > 1:
            return row + 1
        same = np.isclose(self.lengths[row:], self.lengths[row], rtol=1e-9, atol=0)
        same &= self.substeps[row:] == 1
        count = same.size if same.all() else int(np.argmin(same))
        return row + min(count, _CHUNK)

    def advance(self, row: int, end: int, state: State) -> tuple[Array, Array, Array]:
        """States at the times after `row` up to `end`, and the torque at `row`."""
        time, length = float(self.problem.times[row]), float(self.lengths[row])
        tau = first = self.problem.excitation.torque(time, state)
        if end - row > 1:
            return *self._call(time, length, end - row, state, tau), first
        left, constant = int(self.substeps[row]), self.problem.excitation.is_constant
        while True:
            count = min(left, _CHUNK) if constant else 1
            q, u = self._call(time, length, count, state, tau)
            state, time, left = State(q[-1], u[-1]), time + count * length, left - count
            if left == 0:
                return state.q[None], state.u[None], first
            tau = self.problem.excitation.torque(time, state)

    def _call(
        self, t: float, length: float, count: int, state: State, tau: Array
    ) -> tuple[Array, Array]:
        """`count` recorded steps from time t."""
        values = {"q": state.q, "u": state.u, "tau": tau, "h": length, "steps": count}
        values |= self.problem.excitation.others(t, state)
        arguments = [values[name] for name in (*self.arguments, "h", "steps")]
        keywords = {} if self.problem.excitation.p is None else {"p": self.problem.excitation.p}
        try:
            q, u = self.integrate(*arguments, **keywords)
        except FloatingPointError as error:
            if count == 1:
                raise self._stopped(t, str(error).partition(" in step")[0]) from error
            # Step by step, to name the time.
            for k in range(count):
                q, u = self._call(t + k * length, length, 1, state, tau)
                state = State(q[-1], u[-1])
            raise
        finite = np.isfinite(q).all(axis=1) & np.isfinite(u).all(axis=1)
        if not finite.all():
            raise self._stopped(
                t + int(np.argmin(finite)) * length,
                "the state is no longer finite: the motion diverges, or the step is too long",
            )
        self.steps += count
        return q[1:], u[1:]

    def _stopped(self, t: float, reason: str) -> SimulationError:
        return stopped(self.problem.model.name, t, reason)
