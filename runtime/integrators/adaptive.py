"""SciPy's adaptive solvers, and those that look like them, stepped one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.errors import SimulationError, stopped
from eomc.runtime.integrators.events import EventFinder
from eomc.runtime.integrators.jacobian import flow_jacobian
from eomc.runtime.integrators.problem import STIFF, Problem, Solution
from eomc.runtime.integrators.restored import RestoredStep, keep
from eomc.runtime.state import State

Array = NDArray[np.float64]

_MOST_STEPS = 1_000_000
_IMPLICIT = ("Radau", "BDF", "LSODA", "cvode")


def solve_adaptive(method: str, problem: Problem, options: Mapping[str, Any]) -> Solution:
    """Integrate y = [q; u] by one of the solvers of `scipy.integrate`, or by "cvode".

    The rates are evaluated at the normalized q, so that a quaternion's length, which drifts within
    the tolerances, has no influence; what is recorded is normalized. With constraints every step
    ends on them, and so does what is recorded.

    Raises SimulationError with the time where the solver can take no further step.
    """
    flow = _Flow(problem)
    if method in _IMPLICIT:
        options = {**options, "jac": flow_jacobian(problem)}
    nq, times = problem.model.nq, problem.times
    y0 = np.concatenate([problem.state.q, problem.state.u])
    finder = EventFinder(problem.events, nq, float(times[0]), y0)
    solver_type = _solver(method)

    def start(t: float, y: Array, **more: Any) -> Any:
        return solver_type(flow, t, y, float(times[-1]), **options, **more)

    # What overflows in a trial step shows as a state that is not finite.
    with np.errstate(all="ignore"):
        try:
            solver = start(float(times[0]), y0)
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            raise flow.stopped(float(times[0])) from error
        dense = _Interpolants(float(times[0])) if problem.dense else None
        restoring = _Restoring(method, problem, options, start) if problem.restore else None
        times, states, steps = _run(flow, solver, finder, dense, restoring)
    q = np.asarray(
        problem.excitation.call("normalize", {"q": np.ascontiguousarray(states[:, :nq])})
    )
    statistics = {"steps": steps, "evaluations": flow.evaluations}
    u = np.ascontiguousarray(states[:, nq:])
    return Solution(
        times, q, u, statistics, events=finder.events(), dense=dense.solution() if dense else None
    )


def _solver(method: str) -> Any:
    """The class of the solver of that name."""
    if method == "cvode":
        from eomc.runtime.integrators.sundials import Cvode, package

        package()
        return Cvode
    import scipy.integrate

    return getattr(scipy.integrate, method)


class _Interpolants:
    """The interpolants of all steps."""

    def __init__(self, t: float) -> None:
        self.times = [t]
        self.steps: list[Any] = []

    def add(self, step: Any) -> None:
        """Keep that of the last step."""
        self.times.append(step.t)
        self.steps.append(step.dense_output())

    def solution(self) -> Callable[[Array], Array]:
        """The states at any times within the run."""
        from scipy.integrate import OdeSolution

        solution: Callable[[Array], Array] = OdeSolution(self.times, self.steps)
        return solution


class _Restoring:
    """Steps that end on the constraints; `start` makes a new solver."""

    def __init__(
        self,
        method: str,
        problem: Problem,
        options: Mapping[str, Any],
        start: Callable[..., Any],
    ) -> None:
        self.method, self.problem, self.start = method, problem, start
        self.tolerances = float(options["rtol"]), float(options["atol"])

    def end(self, solver: Any) -> RestoredStep:
        """The last step with its end on the constraints."""
        try:
            return RestoredStep(solver, self.problem.restored)
        except ArithmeticError as error:
            raise stopped(self.problem.model.name, float(solver.t), str(error)) from error

    def kept(self, solver: Any, step: RestoredStep) -> Any:
        """The solver that goes on from the end of the step."""
        if solver.status != "running" or keep(self.method, step, solver, self.tolerances):
            return solver
        return self.start(step.t, step.y)


def _run(
    flow: _Flow,
    solver: Any,
    finder: EventFinder,
    dense: _Interpolants | None,
    restoring: _Restoring | None,
) -> tuple[Array, Array, int]:
    """Step through the times: those reached, the states there, and the number of steps.

    The times end early, and with it, at a terminal event.
    """
    times, row, steps = flow.problem.times, 1, 0
    most = flow.problem.most_steps or _MOST_STEPS
    states = np.empty((times.size, solver.y.size))
    states[0] = solver.y
    while solver.status == "running":
        try:
            solver.step()
        except (ArithmeticError, ValueError, np.linalg.LinAlgError) as error:
            raise flow.stopped(solver.t) from error
        if solver.status == "failed" or not np.isfinite(solver.y).all():
            raise flow.stopped(solver.t)
        steps += 1
        if steps > most:
            raise stopped(flow.problem.model.name, float(solver.t), f"{most} steps taken; {STIFF}")
        step = solver if restoring is None else restoring.end(solver)
        if dense is not None:
            dense.add(step)
        end = finder.step(step)
        reached = int(np.searchsorted(times, step.t if end is None else end, side="right"))
        if reached > row:
            states[row:reached] = step.dense_output()(times[row:reached]).T
            row = reached
        if end is not None:
            if times[row - 1] == end:
                return times[:row], states[:row], steps
            last = step.dense_output()(end)
            return np.append(times[:row], end), np.vstack([states[:row], last]), steps
        if restoring is not None:
            solver = restoring.kept(solver, step)
        flow.problem.report(step.t)
    states[-1] = step.y
    return times, states, steps


class _Flow:
    """y' = f(t, y) as the solvers call it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.evaluations = 0
        self.breakdown: Exception | None = None
        self.has_manifold = problem.model.operations_of("normalize") > 0

    def __call__(self, t: float, y: Array) -> Array:
        self.evaluations += 1
        nq = self.problem.model.nq
        # A trial step may go too far: not a number makes the solver try a shorter one.
        if not np.isfinite(y).all():
            return np.full(y.size, np.nan)
        try:
            q = y[:nq]
            if self.has_manifold:
                q = self.problem.excitation.call("normalize", {"q": q})
            q_rate, a = self.problem.rates(t, State(q, y[nq:]))
        except (FloatingPointError, ValueError) as error:
            self.breakdown = error
            return np.full(y.size, np.nan)
        self.breakdown = None
        return np.concatenate([q_rate, a])

    def stopped(self, t: float) -> SimulationError:
        """The error of a run that ends at time t."""
        reason = self.breakdown or "the motion diverges there, or a law is singular or undefined"
        return stopped(self.problem.model.name, t, str(reason))
