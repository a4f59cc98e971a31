"""The methods of adaptive steps that are compiled into the module."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.errors import stopped
from eomc.runtime.integrators.held import compiled_method
from eomc.runtime.integrators.problem import Problem, Solution
from eomc.runtime.state import State

Array = NDArray[np.float64]

# Steps of one call into C, between which a long run tells how far it is. Every call ends on a time
# of the record, where a step is cut short; so there are few.
_ENOUGH_STEPS = 10_000


def solve_compiled_adaptive(method: str, problem: Problem, options: Mapping[str, Any]) -> Solution:
    """Integrate with steps that the tolerances choose, all of them in C.

    A controller's torques and varying inputs are held between the times of the record, or for
    `problem.step` if that is shorter, as by a digital controller.

    Raises SimulationError with the time where no further step can be taken.
    """
    model, times = problem.model, problem.times
    run = _Run(method, problem, options)
    rows = np.empty((times.size, model.nq + model.nu))
    torques = np.empty((times.size, model.nu))
    state, row, chunk = problem.state, 0, 1
    rows[0] = np.concatenate(state)
    while row < times.size - 1:
        end = min(row + chunk, times.size - 1)
        steps = run.statistics["steps"]
        torques[row:end] = problem.excitation.torque(float(times[row]), state)
        rows[row + 1 : end + 1] = run.advance(times[row : end + 1], state)
        state, row = State(rows[end, : model.nq].copy(), rows[end, model.nq :].copy()), end
        problem.report(float(times[row]))
        if problem.excitation.is_constant and run.statistics["steps"] - steps < _ENOUGH_STEPS:
            chunk *= 4
    torques[-1] = problem.excitation.torque(float(times[-1]), state)
    q, u = np.ascontiguousarray(rows[:, : model.nq]), np.ascontiguousarray(rows[:, model.nq :])
    return Solution(times, q, u, run.statistics, torques)


class _Run:
    """The compiled method at work on one problem."""

    def __init__(self, method: str, problem: Problem, options: Mapping[str, Any]) -> None:
        self.integrate, self.arguments = compiled_method(method, problem)
        self.problem = problem
        self.options = dict(options)
        self.length = 0.0
        self.statistics = {"steps": 0, "rejected": 0}

    def advance(self, times: Array, state: State) -> Array:
        """[q, u] at the times after the first, the state being that of the first."""
        longest = self.problem.step
        if longest is None or self.problem.excitation.is_constant:
            return self._call(times, state)
        # The record has one interval here: inputs are sampled within it.
        count = max(int(np.ceil((times[-1] - times[0]) / longest - 1e-9)), 1)
        samples = np.linspace(times[0], times[-1], count + 1)
        for pair in pairwise(samples.tolist()):
            rows = self._call(np.array(pair), state)
            nq = self.problem.model.nq
            state = State(rows[-1, :nq].copy(), rows[-1, nq:].copy())
        return rows

    def _call(self, times: Array, state: State) -> Array:
        """[q, u] at the times after the first, all inputs held."""
        t = float(times[0])
        excitation, name = self.problem.excitation, self.problem.model.name
        values = {"q": state.q, "u": state.u, "tau": excitation.torque(t, state)}
        values |= excitation.others(t, state)
        arguments = [values[argument] for argument in self.arguments]
        keywords = self.options | {"h": self.length}
        if excitation.p is not None:
            keywords["p"] = excitation.p
        try:
            q, u, report = self.integrate(*arguments, times, **keywords)
        except FloatingPointError as error:
            reached = float(getattr(error, "time", t))
            raise stopped(name, reached, _reason(error)) from error
        finite = np.isfinite(q).all(axis=1) & np.isfinite(u).all(axis=1)
        if not finite.all():
            last = float(times[int(np.argmin(finite)) - 1])
            raise stopped(name, last, "the state is no longer finite: the motion diverges")
        self.length = report["h"]
        self.statistics["steps"] += report["steps"]
        self.statistics["rejected"] += report["rejected"]
        rows: Array = np.hstack([q, u])[1:]
        return rows


_REASONS = {
    "step_underflow": "the motion diverges there, or a law is singular or undefined",
    "too_many_steps": "too many steps; the equations may be stiff: choose 'Radau' or 'BDF'",
}


def _reason(error: FloatingPointError) -> str:
    code = getattr(error, "code", "")
    return _REASONS.get(code, f"forward_dynamics: {code}" if code else str(error))
