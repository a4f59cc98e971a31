"""Steps of constrained runs: their ends on the constraints, and past singular configurations.

The usual equations are those of multipliers. Close to a singular configuration, and where a step of
theirs fails or projection would take out of the speeds more than a step can have brought, a
`PassageReport` takes over from the last good state: the same motion, evaluated on the constraints,
with what is nearly singular left to inertia.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.problem import InitialValueProblem, PassageReport
from eomc.runtime.integrators.projected_step import ProjectedStep, keep
from eomc.runtime.integrators.switching import Cut
from eomc.runtime.model.errors import SimulationError, stopped
from eomc.runtime.model.state import State, parted

Start = Callable[..., Any]
"""(method, options, t, y, first step) -> a solver."""

FAULTS = (ArithmeticError, ValueError, np.linalg.LinAlgError)
"""Errors that a step which went too far may raise."""

_IMPLICIT = ("Radau", "BDF", "cvode")

_CLOSE, _FAR, _AROUND = 0.05, 0.1, 0.3
"""Nearness, see `PassageReport`, where the passage begins, where it ends, and where a failed step
is taken for one of a singular configuration."""

_HALF_WAY, _THERE = 0.5, 1e-4
"""Nearness from which on a run is watched, and that of a singular configuration."""

_LEAST_JUMP = 1e-5
"""Share of the speeds that projection may always take out of a step; else the root of the relative
tolerance: the energy that is lost with it is the square."""

_LEAST_LOSS, _STEP_LOSS = 1e-10, 100.0
"""Share of the kinetic energy that a step may always make or lose; else a multiple of the relative
tolerance, as its own error does."""

_ATTEMPTS, _ENOUGH = 25, 50
_INSIDE = (0.25, 0.5, 0.75)
"""Shares of a step of the passage at which its interpolant is judged, too."""

_STIFF = 500
"""Steps of an explicit method in one passage after which an implicit one is to go on."""


Place = tuple[float, State, float]
"""Time, state and nearness."""


def between(passage: PassageReport, before: Place, after: Place) -> bool:
    """True if a singular configuration lies between two places of a run, or at the later one."""
    if min(before[2], after[2]) > _HALF_WAY:
        return False
    return after[2] < _THERE or passage.is_crossed(*before[:2], *after[:2])


class Crossing:
    """Steps of one run; `start` makes solvers, `use` takes the equations that they solve."""

    def __init__(
        self,
        method: str,
        problem: InitialValueProblem,
        options: Mapping[str, Any],
        start: Start,
        use: Callable[[InitialValueProblem], None],
    ) -> None:
        self.method, self.problem, self.options = method, problem, options
        self.start, self.use = start, use
        self._jump = max(_LEAST_JUMP, float(options["rtol"]) ** 0.5)
        self._loss = max(_LEAST_LOSS, _STEP_LOSS * float(options["rtol"]))
        self.passages, self.is_close = 0, False
        self.t, self.y = float(problem.times[0]), np.concatenate(problem.state)
        self.near = 1.0 if problem.passage is None else self._nearness(self.t, self.y)
        self._steps = 0
        self._leave_at = _FAR

    def step(self, solver: Any) -> tuple[Any, Any]:
        """The solver after one more good step, and that step with its end on the constraints."""
        for attempt in range(_ATTEMPTS):
            length = None
            try:
                solver.step()
                length = solver.t - self.t
                if solver.status == "failed" or not np.isfinite(solver.y).all():
                    raise FloatingPointError
                step = self._projected(solver)
                near = self._checked(step)
            except FAULTS as fault:
                solver = self._again(solver, fault, length, attempt)
                continue
            if self.problem.stops_at_singularity:
                self._look_for_singularity(step, near)
            self.t, self.y, self.near = float(step.t), np.array(step.y), near
            return solver, step
        raise self._singular(self.t, self.y)

    def following(self, solver: Any, step: Any) -> Any:
        """The solver that goes on from the end of the step."""
        if solver.status != "running":
            return solver
        self._steps += 1
        if self.is_close:
            if self.near > self._leave_at or (self._steps > _ENOUGH and self.near > _FAR):
                self.is_close = False
                self.use(self.problem)
                return self.start(self.method, self.options, self.t, self.y)
            if self._steps == _STIFF and self.method in _IMPLICIT:
                return self._enter()
        elif self.near < _CLOSE:
            return self._enter()
        if step is solver:
            return solver
        tolerances = float(self.options["rtol"]), float(self.options["atol"])
        method = self._close_method()[0] if self.is_close else self.method
        if keep(method, step, solver, tolerances):
            return solver
        return self.start(self.method, self.options, self.t, self.y)

    def anew(self, cut: Cut) -> Any:
        """A solver that begins where a cut says."""
        self.t, self.y = cut.t, cut.y
        if self.problem.passage is not None:
            self.near = self._nearness(cut.t, cut.y)
        chosen = self._close_method() if self.is_close else (self.method, self.options)
        if cut.end is None:
            return self.start(*chosen, cut.t, cut.y)
        return self.start(*chosen, cut.t, cut.y, cut.end - cut.t, cut.end)

    def place(self) -> SimulationError | None:
        """The error of a run that ends at the singular configuration it is close to, if it is."""
        return None if self.near > _FAR else self._singular(self.t, self.y)

    def _projected(self, solver: Any) -> Any:
        project = self.problem.project
        if self.is_close:
            assert self.problem.passage is not None
            project = self.problem.passage.project
        if project is None:
            return solver
        problem = replace(self.problem, project=project)
        try:
            return ProjectedStep(solver, problem.projected)
        except ArithmeticError as error:
            raise stopped(self.problem.model.name, float(solver.t), str(error)) from error

    def _checked(self, step: Any) -> float:
        """Nearness at the end of the step, see `PassageReport`. Raises FloatingPointError if
        projection took out too much, or the step made or lost energy."""
        passage = self.problem.passage
        if passage is None:
            return 1.0
        near = self._nearness(step.t, step.y)
        if min(near, self.near) > _AROUND:
            return near
        if isinstance(step, ProjectedStep):
            speeds = slice(self.problem.model.nq, self.problem.model.nq + self.problem.model.nu)
            size = max(float(np.abs(y[speeds]).max(initial=0.0)) for y in (self.y, step.y))
            if float(np.abs(step.moved[speeds]).max(initial=0.0)) > self._jump * size:
                raise FloatingPointError
        before, after = self._state(self.y), self._state(np.asarray(step.y))

        def within(t: float) -> State:
            return self._state(np.asarray(step.dense_output()(t)))

        if passage.lost(self.t, before, float(step.t), after, within) > self._loss:
            raise FloatingPointError
        # Stages that only the interpolant has may lie where forces are rounding.
        for share in _INSIDE if self.is_close else ():
            t = self.t + share * (float(step.t) - self.t)
            if passage.lost(self.t, before, t, within(t), within) > self._loss:
                raise FloatingPointError
        return near

    def _again(self, solver: Any, fault: Exception, length: float | None, attempt: int) -> Any:
        """A solver from the last good state, by the passage.

        Raises what was wrong if that is not near a singular configuration.
        """
        is_near = self.near < _AROUND
        if self.problem.passage is not None and not is_near and np.isfinite(solver.y).all():
            try:
                is_near = self._nearness(solver.t, np.asarray(solver.y)) < _AROUND
            except FAULTS:
                is_near = False
        if self.problem.passage is None or not is_near:
            raise fault
        if self.problem.stops_at_singularity or attempt + 1 == _ATTEMPTS:
            raise self._singular(self.t, self.y) from fault
        return self._enter(None if length is None or not self.is_close else length / 4)

    def _enter(self, first: float | None = None) -> Any:
        assert self.problem.passage is not None
        if not self.is_close:
            self.is_close, self._steps = True, 0
            self.passages += 1
            self._leave_at = max(_FAR, min(self.near, _AROUND))
        passage = self.problem.passage
        self.use(replace(self.problem, project=passage.project, acceleration=passage.acceleration))
        return self.start(*self._close_method(), self.t, self.y, first)

    def _close_method(self) -> tuple[str, dict[str, Any]]:
        """One that starts again at no cost, and its options: the Jacobian of the usual equations
        is not that of the passage, and tolerances below its rounding would take steps without end.
        """
        assert self.problem.passage is not None
        options = {name: value for name, value in self.options.items() if name != "jac"}
        share, rounding = self.problem.passage.rounding(self._state(self.y))
        beside = np.zeros(self.y.size - rounding.size)  # states of elements
        options["rtol"] = max(float(options["rtol"]), share)
        options["atol"] = np.maximum(options["atol"], np.concatenate([rounding, beside]))
        is_stiff = self.method in _IMPLICIT and self._steps >= _STIFF
        return "Radau" if is_stiff else "DOP853", options

    def _look_for_singularity(self, step: Any, near: float) -> None:
        """Raise where the step passes a singular configuration."""
        passage = self.problem.passage
        before, after = self._state(self.y), self._state(np.asarray(step.y))
        if passage is None or not between(
            passage, (self.t, before, self.near), (step.t, after, near)
        ):
            return
        from scipy.optimize import minimize_scalar

        inside = step.dense_output()

        def nearness(t: float) -> float:
            return self._nearness(t, np.asarray(inside(t)))

        found = minimize_scalar(nearness, bounds=(self.t, step.t), options={"xatol": 1e-12})
        raise self._singular(float(found.x), np.asarray(inside(float(found.x))))

    def _singular(self, t: float, y: Array) -> SimulationError:
        assert self.problem.passage is not None
        return self.problem.passage.singular(t, self._state(y))

    def _nearness(self, t: float, y: Array) -> float:
        passage = self.problem.passage
        assert passage is not None
        return passage.nearness(float(t), self._state(y))

    def _state(self, y: Array) -> State:
        return State(*map(np.ascontiguousarray, parted(self.problem.model, y)))
