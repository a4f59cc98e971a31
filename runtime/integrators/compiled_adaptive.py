"""The methods of adaptive steps that are compiled into the module."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.adaptive import solve_adaptive
from eomc.runtime.integrators.compiled_run import CompiledRun, is_passable
from eomc.runtime.integrators.problem import InitialValueProblem, RunSolution, too_many
from eomc.runtime.model.state import State, parted

# Steps of one call into C, between which a long run tells how far it is and can be interrupted.
# Calls end on times of the record, where a step is cut short; so they grow while they take few
# steps, and are made in pieces beyond the second number only.
_ENOUGH_STEPS = 10_000
_CHUNK = 50_000
_MOST_STEPS = 10_000_000

# Share of the speeds by which they change otherwise than smoothly; so near to a singular
# configuration that is doubtful, and an interval of more than so many steps is looked at in parts.
_CORNER, _WATCHED, _MANY = 0.05, 0.5, 50

_Piece = tuple[Array, dict[str, Any]]


def solve_compiled_adaptive(
    method: str, problem: InitialValueProblem, options: Mapping[str, Any]
) -> RunSolution:
    """Integrate with steps that the tolerances choose, all of them in C.

    A controller's torques and varying inputs are held between the times of the record, or for
    `problem.step` if that is shorter, as by a digital controller. Events are looked for from time
    to time of the record.

    A prescribed motion and independent coordinates change within a step, and with them all that
    the compiled stages hold: there the pair of Dormand and Prince runs as SciPy has it, on the
    compiled functions.

    Raises SimulationError with the time where no further step can be taken.
    """
    if problem.is_held:
        return AdaptiveRun(method, problem, options).solve()
    name = method.removesuffix("_adaptive")
    if not problem.excitation.is_constant:
        raise ValueError(
            f"method {name!r} holds torques and inputs between the times of the record, which a "
            "prescribed motion and independent coordinates do not bear; choose one of SciPy's "
            "methods, such as 'DOP853'"
        )
    if method != "dopri":
        raise ValueError(
            f"method {name!r} holds what is prescribed over a step; choose one of SciPy's "
            "methods, such as 'DOP853'"
        )
    return solve_adaptive("RK45", problem, options)


class AdaptiveRun(CompiledRun):
    """Calls of the compiled method."""

    def __init__(
        self, method: str, problem: InitialValueProblem, options: Mapping[str, Any]
    ) -> None:
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
        values = self.arguments(float(times[0]), state, tau)
        rows, report = self._rows(values, times, self.length)

        def state_at(start: float, known: State, end: float) -> Array:
            changed = {**values, **known.named}
            row: Array = self._rows(changed, np.array([start, end]), 0.0)[0][-1]
            return row

        self.watch(times, rows, state_at)
        self.length = report["h"]
        for what in ("steps", "rejected"):
            self.statistics[what] += report[what]
        return rows[1:]

    def _rows(
        self, values: Mapping[str, Any], times: Array, length: float
    ) -> tuple[Array, dict[str, Any]]:
        """[q; u] at the times, and what the compiled method tells of its steps."""
        rows = [np.concatenate([values[name] for name in ("q", "u", "z") if name in values])[None]]
        total, left = {"steps": 0, "rejected": 0, "h": length}, self.most - self.statistics["steps"]
        t, end, longest = float(times[0]), float(times[-1]), np.inf
        while t < end:
            stop = min(t + longest, end)
            grid = np.concatenate([[t], times[(times > t) & (times < stop)], [stop]])
            try:
                piece, report = self._piece(values, grid, total["h"], left)
            except _TooLong as error:
                longest = (error.time - t) / 2
                continue
            for what in ("steps", "rejected"):
                total[what] += report[what]
            total["h"], left, t = report["h"], left - report["steps"], stop
            rows.append(piece[1:] if stop in times else piece[1:-1])
            state = self._state(piece[-1])
            values = {**values, **state.named}
        return np.vstack(rows), total

    def _piece(
        self, values: Mapping[str, Any], times: Array, length: float, left: int
    ) -> tuple[Array, dict[str, Any]]:
        """The same by one call; raises _TooLong if it takes more than a chunk of steps."""
        start = float(times[0])
        try:
            if left <= 0:
                raise self.stopped(start, _REASONS["too_many_steps"])
            most = min(left, _CHUNK)
            *parts, report = self.call(values, times, **self.options, h=length, max_steps=most)
        except FloatingPointError as error:
            reached = float(getattr(error, "time", start))
            is_long = getattr(error, "code", "") == "too_many_steps" and left > _CHUNK
            if is_long and reached > start:
                raise _TooLong(reached) from None
            if is_passable(error):
                passed = self._passed(values, times, length, left)
                if passed is not None:
                    return passed
            raise self.stopped(reached, _reason(error)) from error
        # Every trial ends on the constraints, and every row of the record.
        self.count_projections(report["steps"] + report["rejected"] + times.size - 1)
        rows = np.hstack(parts)
        finite = np.isfinite(rows).all(axis=1)
        if not finite.all():
            last = float(times[int(np.argmin(finite)) - 1])
            raise self.stopped(last, "the state is no longer finite: the motion diverges")
        return self._inspected(values, times, length, left, (rows, report))

    def _passed(
        self, values: Mapping[str, Any], times: Array, length: float, left: int
    ) -> tuple[Array, dict[str, Any]] | None:
        """The same past a singular configuration of the constraints, in the interval where it
        lies; None if it is something else."""
        if self.problem.passage is None:
            return None
        if times.size > 2:
            return self._halves(values, times, length, left)
        state = State(*(np.asarray(values[name]) for name in ("q", "u", "z") if name in values))
        row = self.crossed(float(times[0]), state, float(times[1]), **self.options)
        if row is None:
            return None
        return np.vstack([np.concatenate(state), row]), {"steps": 0, "rejected": 0, "h": 0.0}

    def _inspected(
        self, values: Mapping[str, Any], times: Array, length: float, left: int, found: _Piece
    ) -> _Piece:
        """A piece whose speeds may turn a corner: past a singular configuration short steps can
        follow that by which a loop, open by rounding, gets to another branch."""
        passage, (rows, report) = self.problem.passage, found
        if passage is None or not self._has_corner(values, times, rows):
            return found
        if times.size > 2:
            return self._halves(values, times, length, left)
        ends = zip(times.tolist(), rows, strict=True)
        nearest = min(passage.nearness(t, self._state(row)) for t, row in ends)
        if nearest > _WATCHED and report["steps"] > _MANY:
            middle = float(times.mean())
            if times[0] < middle < times[1]:
                grid = np.array([times[0], middle, times[1]])
                rows, report = self._halves(values, grid, length, left)
                return rows[[0, 2]], report
        passed = self._passed(values, times, length, left) if nearest < _WATCHED else None
        return passed or found

    def _has_corner(self, values: Mapping[str, Any], times: Array, rows: Array) -> bool:
        """True if speeds change from row to row by other than their accelerations there."""
        excitation, states = self.problem.excitation, parted(self.problem.model, rows)
        steps, u = np.diff(times)[:, None], states.u
        a = np.empty_like(u)
        timed = "t" in self.problem.model.inputs_of("forward_dynamics")
        try:
            for k in range(len(rows)) if timed else [slice(None)]:
                here = {**values, **self._state(rows[k]).named}
                if timed:
                    here |= excitation.others(float(times[k]), self._state(rows[k]))
                a[k] = excitation.call("forward_dynamics", here)
        except FloatingPointError:
            return True
        rest = np.abs(np.diff(u, axis=0) - steps * (a[1:] + a[:-1]) / 2).max(axis=1)
        size = np.abs(u).max(axis=1)
        return bool((rest > _CORNER * np.maximum(size[1:], size[:-1])).any())

    def _halves(self, values: Mapping[str, Any], times: Array, length: float, left: int) -> _Piece:
        """The same in two calls."""
        half = times.size // 2
        total: dict[str, Any] = {"steps": 0, "rejected": 0, "h": length}
        rows: list[Array] = []
        for part in (times[: half + 1], times[half:]):
            piece, report = self._piece(values, part, total["h"], left - total["steps"])
            for what in ("steps", "rejected"):
                total[what] += report[what]
            total["h"] = report["h"]
            rows.append(piece[1:] if rows else piece)
            state = self._state(piece[-1])
            values = {**values, **state.named}
        return np.vstack(rows), total


class _TooLong(Exception):
    """A call would take more than a chunk of steps, which got it to `time`."""

    def __init__(self, time: float) -> None:
        super().__init__(time)
        self.time = time


_REASONS = {
    "step_underflow": "the motion diverges there, or a law is singular or undefined",
    "too_many_steps": too_many("dopri", "too many"),
}


def _reason(error: FloatingPointError) -> str:
    code = getattr(error, "code", "")
    return _REASONS.get(code, f"forward_dynamics: {code}" if code else str(error))
