"""Runs of compiled methods: torques and inputs stay over a step (zero-order hold)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.integrators.adaptive import solve_adaptive
from eomc.runtime.integrators.crossing import between
from eomc.runtime.integrators.events import EventFinder, Stretch
from eomc.runtime.integrators.problem import InitialValueProblem, RunSolution
from eomc.runtime.model.errors import SimulationError, SingularityError, stopped
from eomc.runtime.model.state import State, parted

StateAt = Callable[[float, State, float], Array]
"""(t, state, later time) -> [q; u; z] then."""

IN_PYTHON = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA", "cvode")
"""Names of the methods that step in Python; any other is compiled with the model."""

_PASSABLE = ("singular_constraints", "no_convergence", "step_underflow", "singular_mass_matrix")
"""Codes of their failures that a singular configuration of the constraints may cause."""

TIGHT = {"rtol": 1e-9, "atol": 1e-11}
"""Tolerances past one, of methods that have none."""


def is_compiled(method: str) -> bool:
    """True for the name of a method whose steps are compiled with the model."""
    return method not in IN_PYTHON


def is_passable(failure: FloatingPointError) -> bool:
    """True if a compiled method may have failed at a singular configuration."""
    told = getattr(failure, "code", "") or str(failure)
    return any(code in told for code in _PASSABLE)


class CompiledRun(ABC):
    """A compiled method at work on one problem; a subclass says how it gets from time to time.

    A terminal event between two recorded times ends the run: `end` is then its time and [q; u; z].
    """

    def __init__(self, method: str, problem: InitialValueProblem) -> None:
        self.problem = problem
        self.integrate, self.names = _compiled_method(method, problem)
        self.statistics = {"steps": 0}
        if problem.project is not None:
            self.statistics["projections"] = 0
        self.end: tuple[float, Array] | None = None
        start = np.concatenate(problem.state)
        self._finder = EventFinder(problem.events, problem.model, float(problem.times[0]), start)

    @abstractmethod
    def last_row(self, row: int) -> int:
        """The row up to which one call advances from `row`."""

    @abstractmethod
    def advance(self, row: int, end: int, state: State) -> tuple[Array, Array]:
        """[q; u; z] at the times after `row` up to `end`, in rows, and tau at `row`."""

    def solve(self) -> RunSolution:
        """The whole run, or as far as a terminal event."""
        times = self.problem.times
        start, row = np.concatenate(self.problem.state), 0
        rows = np.empty((times.size, start.size))
        torques = np.empty((times.size, self.problem.model.nu))
        rows[0] = start
        while row < times.size - 1 and self.end is None:
            end = self.last_row(row)
            rows[row + 1 : end + 1], torques[row:end] = self.advance(
                row, end, self._state(rows[row])
            )
            self._look_for_singularities(row, rows[row : end + 1])
            row = end
            self.problem.report(float(times[row]))
        if self.end is not None:
            t, y = self.end
            row = int(np.searchsorted(times, t))  # the first that the event does not precede
            times = np.append(times[:row], t)
            rows[row] = y
        torques[row] = self.torque(float(times[row]), self._state(rows[row]))
        states = State(*map(np.ascontiguousarray, parted(self.problem.model, rows[: row + 1])))
        return RunSolution(
            times, states, self.statistics, torques[: row + 1], events=self._finder.events()
        )

    def arguments(self, t: float, state: State, tau: Array) -> dict[str, Any]:
        """All that the compiled method takes at time t, by name; the inputs stay from then on."""
        values = {"q": state.q, "u": state.u, "tau": tau, "rho": self.problem.rho}
        return values | self.problem.excitation.others(t, state)

    def call(self, values: Mapping[str, Any], *arguments: Any, **keywords: Any) -> Any:
        """The compiled method itself."""
        if self.problem.excitation.p is not None:
            keywords["parameters"] = self.problem.excitation.p
        return self.integrate(*[values[name] for name in self.names], *arguments, **keywords)

    def crossed(self, t: float, state: State, end: float, **tolerances: float) -> Array | None:
        """[q; u] at a later time, past a singular configuration that the compiled method cannot
        pass; None if that is none.

        Raises SingularityError if the run is to stop there.
        """
        if self.problem.passage is None:
            return None
        times = np.array([t, end])
        stretch = replace(
            self.problem,
            state=state,
            times=times,
            events=(),
            report=lambda _: None,
            most_steps=None,
        )
        try:
            passed = solve_adaptive("DOP853", stretch, tolerances)
        except SingularityError:
            raise
        except SimulationError:
            return None
        made = self.statistics.get("passages", 0)
        self.statistics["passages"] = made + passed.statistics["passages"]
        return np.concatenate([part[-1] for part in passed.states])

    def _look_for_singularities(self, row: int, rows: Array) -> None:
        """Raise SingularityError where the rows pass one, if the run is to stop there."""
        passage = self.problem.passage
        if passage is None or not self.problem.stops_at_singularity:
            return
        places = []
        for t, y in zip(self.problem.times[row : row + len(rows)].tolist(), rows, strict=True):
            state = self._state(y)
            places.append((t, state, passage.nearness(t, state)))
        for before, after in pairwise(places):
            if between(passage, before, after):
                self.crossed(before[0], before[1], after[0], **TIGHT)

    def count_projections(self, count: int) -> None:
        """Add those that a call of the compiled method made, if the model is constrained."""
        if "projections" in self.statistics:
            self.statistics["projections"] += count

    def watch(self, times: Array, rows: Array, state_at: StateAt) -> None:
        """Look for events between the rows [q; u; z] of these times, the first of them known.

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

    def torque(self, t: float, state: State) -> Array:
        """tau (nu,) of the controller; LawError where it fails after the start."""
        with self.problem.acting(t, state):
            return self.problem.excitation.torque(t, state)

    def stopped(self, t: float, reason: str) -> SimulationError:
        """The error of a run that ends at time t."""
        return stopped(self.problem.model.name, t, reason)

    def _state(self, row: Array) -> State:
        return parted(self.problem.model, row.copy())


@dataclass(frozen=True)
class _Within:
    """The state [q; u; z] at times from `t` on, where it is `known`."""

    t: float
    known: State
    state_at: StateAt

    def __call__(self, t: float) -> Array:
        return self.state_at(self.t, self.known, t) if t > self.t else np.concatenate(self.known)


def _compiled_method(
    method: str, problem: InitialValueProblem
) -> tuple[Callable[..., Any], tuple[str, ...]]:
    """The compiled integrator and the names of its first arguments.

    Raises ValueError if the model is compiled without, or for what compiled methods cannot do.
    """
    model = problem.model
    if problem.dense:
        raise ValueError(f"dense: method {method!r} keeps no interpolants; record more times")
    if problem.acceleration is not None and not problem.excitation.is_constant:
        raise ValueError(
            f"method {method!r} holds torques and inputs over a step, which independent "
            "coordinates are not solved with; choose one of SciPy's methods, such as 'DOP853'"
        )
    compiled = model.integrator(method)
    if compiled is None:
        raise ValueError(
            f"model {model.name!r} was compiled without {method!r}; build it with the "
            "functions coordinate_rates, forward_dynamics and normalize"
        )
    return compiled
