"""SciPy's adaptive solvers, stepped one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.errors import SimulationError, stopped
from eomc.runtime.integrators.problem import Problem, Solution
from eomc.runtime.state import State

Array = NDArray[np.float64]


def solve_adaptive(method: str, problem: Problem, options: Mapping[str, Any]) -> Solution:
    """Integrate y = [q; u] by one of the solvers of `scipy.integrate`.

    The rates are evaluated at the normalized q, so that a quaternion's length, which drifts within
    the tolerances, has no influence; what is recorded is normalized.

    Raises SimulationError with the time where the solver can take no further step.
    """
    import scipy.integrate

    flow = _Flow(problem)
    start, end = float(problem.times[0]), float(problem.times[-1])
    y0 = np.concatenate([problem.state.q, problem.state.u])
    states = np.empty((problem.times.size, y0.size))
    states[0] = y0
    if problem.times.size > 1:
        limits = {} if problem.step is None else {"max_step": problem.step}
        solver_type = getattr(scipy.integrate, method)
        try:
            solver = solver_type(flow, start, y0, end, **limits, **options)
        except (FloatingPointError, ValueError, np.linalg.LinAlgError) as error:
            raise flow.stopped(start, error) from error
        steps = _fill(flow, solver, states)
    else:
        steps = 0
    q, u = states[:, : problem.model.nq], states[:, problem.model.nq :]
    q = np.asarray(problem.excitation.call("normalize", {"q": np.ascontiguousarray(q)}))
    return Solution(q, np.ascontiguousarray(u), {"steps": steps, "evaluations": flow.evaluations})


def _fill(flow: _Flow, solver: Any, states: Array) -> int:
    """Step through the times and record the states there; returns the number of steps."""
    times, row, steps = flow.problem.times, 1, 0
    while solver.status == "running":
        try:
            message = solver.step()
        except (FloatingPointError, ValueError, np.linalg.LinAlgError) as error:
            raise flow.stopped(solver.t, error) from error
        if solver.status == "failed":
            raise flow.stopped(solver.t, message)
        steps += 1
        if not np.isfinite(solver.y).all():
            raise flow.stopped(solver.t, "the state is no longer finite")
        reached = int(np.searchsorted(times, solver.t, side="right"))
        if reached > row:
            states[row:reached] = solver.dense_output()(times[row:reached]).T
            row = reached
        flow.problem.report(solver.t)
    states[-1] = solver.y
    return steps


class _Flow:
    """y' = f(t, y) as the solvers call it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.evaluations = 0
        self.breakdown: FloatingPointError | None = None

    def __call__(self, t: float, y: Array) -> Array:
        self.evaluations += 1
        model = self.problem.model
        try:
            q = self.problem.excitation.call("normalize", {"q": y[: model.nq]})
            q_rate, a = self.problem.rates(t, State(q, y[model.nq :]))
        except FloatingPointError as error:
            # A trial step may go too far: not a number makes the solver try a shorter one.
            self.breakdown = error
            return np.full(y.size, np.nan)
        return np.concatenate([q_rate, a])

    def stopped(self, t: float, reason: object) -> SimulationError:
        """The error of a run that ends at time t."""
        if self.breakdown is not None:
            reason = self.breakdown
        return stopped(self.problem.model.name, t, str(reason).rstrip("."))
