"""The fixed-step methods that are compiled into the module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.compiled_run import TIGHT, CompiledRun, is_passable
from eomc.runtime.integrators.problem import InitialValueProblem, RunSolution
from eomc.runtime.model.state import State

# Steps of one call into C: enough to make the call cheap, few enough to see divergence early and
# to be interrupted.
_CHUNK = 5_000


def solve_fixed_step(
    method: str, problem: InitialValueProblem, options: Mapping[str, Any]
) -> RunSolution:
    """Integrate with steps of equal length between any two times, none longer than `problem.step`.

    Torques and inputs are held over a step, as by a digital controller. If they never change, all
    steps run in C; the tolerances in `options` have no meaning here. Events are looked for from
    step to step. Under a prescribed motion, and in independent coordinates, the stages call the
    compiled functions one by one, as these change within a step.

    Raises SimulationError with the time where the state is no longer finite.
    """
    return _FixedStepRun(method, problem).solve()


class _FixedStepRun(CompiledRun):
    """Calls of the compiled method."""

    def __init__(self, method: str, problem: InitialValueProblem) -> None:
        super().__init__(method, problem)
        self.tableau = problem.model.integrator_record(method) or {}
        # What the method keeps beside the state: at the times t + k h in rows.
        count = len(self.tableau.get("memory", ()))
        first = np.zeros(count) if problem.memory is None else problem.memory
        self._kept = float(problem.times[0]), 1.0, first[None]
        intervals = np.diff(problem.times)
        longest = problem.step or np.inf
        # A grid point missed by rounding is no reason for another step.
        self.substeps = np.maximum(np.ceil(intervals / longest - 1e-9), 1).astype(int)
        self.lengths = intervals / self.substeps

    def solve(self) -> RunSolution:
        solution, (_, _, rows) = super().solve(), self._kept
        return replace(solution, memory=rows[-1]) if rows.size else solution

    def last_row(self, row: int) -> int:
        """The last row that is reached by steps like those from `row`, each recorded."""
        if self.substeps[row] > 1 or not self.problem.excitation.is_constant:
            return row + 1
        same = np.isclose(self.lengths[row:], self.lengths[row], rtol=1e-9, atol=0)
        same &= self.substeps[row:] == 1
        count = same.size if same.all() else int(np.argmin(same))
        return row + min(count, _CHUNK)

    def advance(self, row: int, end: int, state: State) -> tuple[Array, Array]:
        time, length = float(self.problem.times[row]), float(self.lengths[row])
        tau = first = self.torque(time, state)
        if end - row > 1:
            return self._steps(time, length, end - row, state, tau), first
        left, constant = int(self.substeps[row]), self.problem.excitation.is_constant
        while True:
            count = min(left, _CHUNK) if constant else 1
            rows = self._steps(time, length, count, state, tau)
            state, time, left = self._state(rows[-1]), time + count * length, left - count
            if left == 0 or self.end is not None:
                return rows[-1:], first
            tau = self.torque(time, state)

    def _compiled(
        self, values: Mapping[str, Any], length: float, count: int, is_kept: bool = True
    ) -> Array:
        """[q; u; z] at the start and after each of `count` steps, from which the next call goes
        on, unless it `is_kept` not."""
        if self.problem.is_held:
            start, h, kept = self._kept
            row = min(max(round((values["t"] - start) / h), 0), len(kept) - 1)
            behind = np.concatenate([values.get("z", ()), kept[row]])
            whole: Array = np.hstack(self.call({**values, "z": behind}, length, count))
            size = whole.shape[1] - kept.shape[1]
            if is_kept:
                self._kept = values["t"], length, whole[:, size:]
            return whole[:, :size]
        if self.tableau.get("implicit"):
            raise ValueError(
                f"method {self.tableau['name']!r} holds what is prescribed, and independent "
                "coordinates, over a step; choose 'Radau' or 'BDF', or a method such as 'rk4'"
            )
        held = {name: values[name] for name in ("tau", "r") if name in values}
        rows = [np.concatenate([values[name] for name in ("q", "u", "z") if name in values])]
        for k in range(count):
            rows.append(self._stages(values["t"] + k * length, length, rows[-1], held))
        return np.array(rows)

    def _stages(self, t: float, h: float, y: Array, held: Mapping[str, Any]) -> Array:
        """[q; u; z] after a step: k_i = f(t + c_i h, y + h sum_j a_ij k_j), y + h sum_i b_i k_i."""
        k = np.empty((0, y.size))
        for row in self.tableau["a"]:
            state = self._state(y + h * np.array(row) @ k)
            rates = self.problem.rates(t + sum(row) * h, state, held)
            k = np.vstack([k, np.concatenate(rates)])
        end = self._state(y + h * np.array(self.tableau["b"]) @ k)
        q = np.asarray(self.problem.excitation.call("normalize", {"q": end.q}))
        end = end.moved(q, end.u)
        if self.problem.project is not None:
            end = self.problem.project(t + h, end)
        return np.concatenate(end)

    def _steps(self, t: float, length: float, count: int, state: State, tau: Array) -> Array:
        """[q; u] after each of `count` steps from time t, (count, nq + nu)."""
        values = self.arguments(t, state, tau)
        try:
            rows = self._compiled(values, length, count)
        except FloatingPointError as error:
            if count == 1:
                row = None
                if is_passable(error):
                    row = self.crossed(t, state, t + length, **TIGHT)
                if row is not None:
                    return row[None]
                raise self.stopped(t, str(error).partition(" in step")[0]) from error
            # Step by step, to pass singular configurations, or to name the time.
            found = []
            for k in range(count):
                found.append(self._steps(t + k * length, length, 1, state, tau))
                state = self._state(found[-1][-1])
            return np.vstack(found)
        self.count_projections(count)
        finite = np.isfinite(rows).all(axis=1)
        if not finite.all():
            raise self.stopped(
                t + int(np.argmin(finite)) * length,
                "the state is no longer finite: the motion diverges, or the step is too long",
            )

        def state_at(start: float, known: State, end: float) -> Array:
            changed = {**values, **known.named, "t": start}
            row: Array = self._compiled(changed, end - start, 1, is_kept=False)[-1]
            self.count_projections(1)
            return row

        self.watch(t + length * np.arange(count + 1, dtype=np.float64), rows, state_at)
        self.statistics["steps"] += count
        return rows[1:]
