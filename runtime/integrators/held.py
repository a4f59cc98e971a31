"""What compiled methods have in common: they hold torques and inputs, as digital controllers do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.errors import SimulationError, stopped
from eomc.runtime.integrators.events import EventFinder, Stretch
from eomc.runtime.integrators.problem import Problem, Solution
from eomc.runtime.state import State

Array = NDArray[np.float64]

StateAt = Callable[[float, State, float], Array]
"""(t, state, later time) -> [q; u] then."""

HOLDING = ("dopri", "rk4")
"""Names of the compiled methods."""


class HeldRun(ABC):
    """A compiled method at work on one problem; a subclass says how it gets from time to time.

    A terminal event between two recorded times ends the run: `end` is then its time and [q; u].
    """

    def __init__(self, method: str, problem: Problem) -> None:
        self.problem = problem
        self.integrate, self.arguments = _compiled_method(method, problem)
        self.statistics = {"steps": 0}
        self.end: tuple[float, Array] | None = None
        start = np.concatenate(problem.state)
        self._finder = EventFinder(problem.events, problem.model.nq, float(problem.times[0]), start)

    @abstractmethod
    def last_row(self, row: int) -> int:
        """The row up to which one call advances from `row`."""

    @abstractmethod
    def advance(self, row: int, end: int, state: State) -> tuple[Array, Array]:
        """[q; u] at the times after `row` up to `end`, (end - row, nq + nu), and tau at `row`."""

    def solve(self) -> Solution:
        """The whole run, or as far as a terminal event."""
        times, excitation, nq = self.problem.times, self.problem.excitation, self.problem.model.nq
        rows = np.empty((times.size, nq + self.problem.model.nu))
        torques = np.empty((times.size, self.problem.model.nu))
        rows[0], row = np.concatenate(self.problem.state), 0
        while row < times.size - 1 and self.end is None:
            end = self.last_row(row)
            rows[row + 1 : end + 1], torques[row:end] = self.advance(
                row, end, self._state(rows[row])
            )
            row = end
            self.problem.report(float(times[row]))
        if self.end is not None:
            t, y = self.end
            row = int(np.searchsorted(times, t))  # the first that the event does not precede
            times = np.append(times[:row], t)
            rows[row] = y
        torques[row] = excitation.torque(float(times[row]), self._state(rows[row]))
        q, u = (
            np.ascontiguousarray(rows[: row + 1, :nq]),
            np.ascontiguousarray(rows[: row + 1, nq:]),
        )
        return Solution(
            times, q, u, self.statistics, torques[: row + 1], events=self._finder.events()
        )

    def held(self, t: float, state: State, tau: Array) -> dict[str, Any]:
        """All that the compiled method takes and holds from time t on, by name."""
        values = {"q": state.q, "u": state.u, "tau": tau}
        return values | self.problem.excitation.others(t, state)

    def call(self, values: Mapping[str, Any], *arguments: Any, **keywords: Any) -> Any:
        """The compiled method itself."""
        if self.problem.excitation.p is not None:
            keywords["p"] = self.problem.excitation.p
        return self.integrate(*[values[name] for name in self.arguments], *arguments, **keywords)

    def watch(self, times: Array, rows: Array, state_at: StateAt) -> None:
        """Look for events between the rows [q; u] of these times, the first of them known.

        `state_at` integrates from a time and state to a later time: so the zeros of event
        functions are as accurate as the run.
        """
        if not self.problem.events:
            return
        for k, (t_old, t) in enumerate(pairwise(times.tolist())):
            within = _Within(t_old, self._state(rows[k]), state_at)
            stretch = Stretch(t_old, t, rows[k + 1], within)
            end = self._finder.step(stretch)
            if end is not None:
                self.end = end, within(end) if end < t else rows[k + 1]
                return

    def stopped(self, t: float, reason: str) -> SimulationError:
        """The error of a run that ends at time t."""
        return stopped(self.problem.model.name, t, reason)

    def _state(self, row: Array) -> State:
        nq = self.problem.model.nq
        return State(row[:nq].copy(), row[nq:].copy())


@dataclass(frozen=True)
class _Within:
    """The state [q; u] at times from `t` on, where it is `known`."""

    t: float
    known: State
    state_at: StateAt

    def __call__(self, t: float) -> Array:
        return self.state_at(self.t, self.known, t) if t > self.t else np.concatenate(self.known)


def _compiled_method(method: str, problem: Problem) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """The compiled integrator and the names of its first arguments.

    Raises ValueError if the model is compiled without, or for what compiled methods cannot do.
    """
    model = problem.model
    if problem.dense:
        raise ValueError(f"dense: method {method!r} keeps no interpolants; record more times")
    if not problem.excitation.is_at_rest:
        raise ValueError(
            f"method {method!r} holds inputs, which a prescribed motion does not bear; "
            "prescribe rest, or choose one of SciPy's, such as 'DOP853'"
        )
    compiled = model.integrator(method)
    if compiled is None:
        raise ValueError(
            f"model {model.name!r} was compiled without {method!r}; build it with the "
            "functions coordinate_rates, forward_dynamics and normalize"
        )
    return compiled
