"""SciPy's adaptive solvers, and those that look like them, stepped one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.crossing import FAULTS, Crossing
from eomc.runtime.integrators.events import EventFinder
from eomc.runtime.integrators.jacobian import flow_jacobian
from eomc.runtime.integrators.problem import InitialValueProblem, RunSolution, too_many
from eomc.runtime.integrators.switching import Cut, Switching
from eomc.runtime.model.errors import SimulationError, stopped
from eomc.runtime.model.state import State, parted

_DIVERGES = "the motion diverges there, or a law is singular or undefined"
_MOST_STEPS = 1_000_000
_IMPLICIT = ("Radau", "BDF", "LSODA", "cvode")


def solve_adaptive(
    method: str, problem: InitialValueProblem, options: Mapping[str, Any]
) -> RunSolution:
    """Integrate y = [q; u; z] by one of the solvers of `scipy.integrate`, or by "cvode".

    The rates are evaluated at the normalized q, so that a quaternion's length, which drifts within
    the tolerances, has no influence; what is recorded is normalized. With constraints every step
    ends on them, and so does what is recorded.

    Raises SimulationError with the time where the solver can take no further step.
    """
    flow = _RightHandSide(problem)
    if method in _IMPLICIT:
        options = {**options, "jac": flow_jacobian(problem)}
    times, y0 = problem.times, np.concatenate(problem.state)
    finder = EventFinder(problem.events, problem.model, float(times[0]), y0)

    def start(
        name: str,
        options: Mapping[str, Any],
        t: float,
        y: Array,
        first: float | None = None,
        end: float = float(times[-1]),
    ) -> Any:
        more = {} if first is None else {"first_step": min(first, end - t)}
        return _solver(name)(flow, t, y, end, **options, **more)

    # What overflows in a trial step shows as a state that is not finite.
    with np.errstate(all="ignore"):
        try:
            solver = start(method, options, float(times[0]), y0)
        except FAULTS as error:
            raise flow.stopped(float(times[0]), error) from error
        dense = _Interpolants(float(times[0])) if problem.dense else None
        crossing = Crossing(method, problem, options, start, flow.use)
        tolerances = float(options["rtol"]), float(options["atol"])
        switching = Switching(problem, float(times[0]), y0, tolerances)
        times, states, steps = _run(flow, solver, finder, dense, crossing, switching)
    found = State(*map(np.ascontiguousarray, parted(problem.model, states)))
    q = np.asarray(problem.excitation.call("normalize", {"q": found.q}))
    statistics = {"steps": steps, "evaluations": flow.evaluations}
    if problem.passage is not None:
        statistics["passages"] = crossing.passages
    if switching.active:
        statistics["switches"] = len(switching.found)
    return RunSolution(
        times,
        found.moved(q, found.u),
        statistics,
        events=finder.events(),
        dense=dense.solution() if dense else None,
        switches=switching.times(),
        sides=switching.sides,
    )


def _solver(method: str) -> Any:
    """The class of the solver of that name."""
    if method == "cvode":
        from eomc.runtime.integrators.sundials import Cvode, package

        package()
        return Cvode
    try:
        import scipy.integrate
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"method {method!r} is SciPy's: pip install scipy; compiled methods, such as 'dopri' "
            "and 'rk4', need NumPy alone"
        ) from error

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


def _run(
    flow: _RightHandSide,
    solver: Any,
    finder: EventFinder,
    dense: _Interpolants | None,
    crossing: Crossing,
    switching: Switching,
) -> tuple[Array, Array, int]:
    """Step through the times: those reached, the states there, and the number of steps.

    The times end early, and with it, at a terminal event.
    """
    times, row, steps = flow.problem.times, 1, 0
    most = flow.problem.most_steps or _MOST_STEPS
    states = np.empty((times.size, solver.y.size))
    states[0] = solver.y
    while solver.t < times[-1]:
        try:
            if solver.status == "finished":  # at a zero of a switching function
                solver = crossing.anew(Cut(crossing.t, crossing.y))
            solver, step = crossing.step(solver)
            cut = switching.cut(step, flow)
        except SimulationError:
            raise
        except FAULTS as error:
            raise flow.stopped(solver.t, error) from error
        steps += 1
        if steps > most:
            reason = too_many(crossing.method, most)
            where = crossing.place()
            raise where or stopped(flow.problem.model.name, float(solver.t), reason)
        if cut is not None:
            solver = crossing.anew(cut)
            continue
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
        solver = crossing.following(solver, step)
        flow.problem.report(step.t)
    states[-1] = step.y
    return times, states, steps


class _RightHandSide:
    """y' = f(t, y) as the solvers call it."""

    def __init__(self, problem: InitialValueProblem) -> None:
        self.problem = problem
        self.evaluations = 0
        self.breakdown: Exception | None = None
        self.has_manifold = problem.model.operations_of("normalize") > 0

    def use(self, problem: InitialValueProblem) -> None:
        """Go on by other equations of the same model."""
        self.problem = problem

    def __call__(self, t: float, y: Array) -> Array:
        self.evaluations += 1
        # A trial step may go too far: not a number makes the solver try a shorter one.
        if not np.isfinite(y).all():
            return np.full(y.size, np.nan)
        try:
            state = parted(self.problem.model, y)
            if self.has_manifold:
                q = self.problem.excitation.call("normalize", {"q": state.q})
                state = state.moved(q, state.u)
            rates = self.problem.rates(t, state)
        except (FloatingPointError, ValueError, np.linalg.LinAlgError) as error:
            self.breakdown = error
            return np.full(y.size, np.nan)
        self.breakdown = None
        return np.concatenate(rates)

    def stopped(self, t: float, error: Exception) -> SimulationError:
        """The error of a run that ends at time t by an error."""
        reason = self.breakdown or (error if "no_derivative" in str(error) else _DIVERGES)
        return stopped(self.problem.model.name, t, str(reason))
