"""Compiled runs that look for events as often as they take steps, be the record sparse or dense.

A call into C tells the length of the step that it would try next. So the next call is asked for
some steps, with states at as many times between. Where it took more than was thought, or failed
further on, it is made again: no event is missed for what comes behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.compiled_adaptive import AdaptiveRun, solve_compiled_adaptive
from eomc.runtime.integrators.joined import within
from eomc.runtime.integrators.problem import InitialValueProblem, RunSolution
from eomc.runtime.model.errors import SimulationError, SingularityError
from eomc.runtime.model.state import State

_STEPS = 16
"""Steps that a call is asked for."""

_FIRST = 1e-6
"""Share of the run that a call is asked for if nothing is known of the next step."""

_ROUNDED_UP = 1 + 4 * float(np.finfo(float).eps)
"""Factor of a length with which it is not shorter than from one time to the other."""


def solve_watched(
    method: str, problem: InitialValueProblem, options: Mapping[str, Any]
) -> RunSolution:
    """As `solve_compiled_adaptive` for torques and inputs that stay, but that events are looked for
    as often as it takes steps."""
    if problem.events and problem.is_held:
        return _WatchedRun(method, problem, options).solve()
    return solve_compiled_adaptive(method, problem, options)


class _WatchedRun(AdaptiveRun):
    """Some steps a call."""

    def last_row(self, row: int) -> int:
        """The last that the next call reaches."""
        times = self.problem.times
        reached = int(np.searchsorted(times, times[row] + _STEPS * self.length, side="right")) - 1
        return max(reached, row + 1)

    def _interval(self, times: Array, state: State, tau: Array) -> Array:
        values = self.arguments(float(times[0]), state, tau)
        t, end = float(times[0]), float(times[-1])
        first = _FIRST * float(self.problem.times[-1] - self.problem.times[0])
        # Rows behind a terminal event, which nobody looks at, stay as they are here.
        rows = np.repeat(np.concatenate(state)[None], times.size, axis=0)
        while t < end and self.end is None:
            until = min(t + (_STEPS * self.length or first), end)
            grid, found = self._watched(values, times, t, until)
            recorded = np.isin(grid, times)
            rows[np.searchsorted(times, grid[recorded])] = found[recorded]
            t = float(grid[-1])
            values = {**values, **self._state(found[-1]).named}
        return rows[1:]

    def _watched(
        self, values: Mapping[str, Any], times: Array, t: float, until: float
    ) -> tuple[Array, Array]:
        """Times from t on, those of the record among them, at the latest until then, and
        [q; u; z] there; events between are found."""
        count = _STEPS
        while True:
            looks = np.linspace(t, until, count + 1)
            grid = np.union1d(within(times, t, until), looks)
            try:
                found, report = self._rows(values, grid, self.length)
            except SingularityError:
                raise
            except SimulationError as error:
                if not t < error.time < until:
                    raise
                until = error.time
                continue
            steps = report["steps"]
            if steps > 2 * _STEPS:
                until = t + (until - t) * _STEPS / steps
            elif steps > count:
                count = steps
            else:
                break
        self.length = report["h"]
        for what in ("steps", "rejected"):
            self.statistics[what] += report[what]

        def state_at(start: float, known: State, later: float) -> Array:
            changed, ends = {**values, **known.named}, np.array([start, later])
            row: Array = self._rows(changed, ends, (later - start) * _ROUNDED_UP)[0][-1]
            return row

        self.watch(looks, found[np.searchsorted(grid, looks)], state_at)
        return grid, found
