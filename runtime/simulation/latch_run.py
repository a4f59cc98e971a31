"""Runs of models with latches: from event to event, each set of closed latches by its own model.

Where latches close, the joint holds the gap r and the turn at which it closes, so that no body
jumps, and the speeds jump to the nearest ones by kinetic energy that satisfy all constraints:

    M (u+ - u-) = G^T P,   G u+ + b = 0.

What the impulses P do not act on keeps its momentum, and constraints that stand still take the
energy (u+ - u-)^T M (u+ - u-) / 2 (Carnot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.constraints.run import ConstrainedRun
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.integrators import InitialValueProblem, RunSolution
from eomc.runtime.integrators.events import StateEvent
from eomc.runtime.integrators.joined import joined, within
from eomc.runtime.latches.errors import LatchError
from eomc.runtime.latches.history import LatchEvent, LatchHistory
from eomc.runtime.latches.measures import LatchMeasures
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State

Solve = Callable[[InitialValueProblem, Mapping[str, Any]], RunSolution]

_MOST_AT_ONCE = 100
"""Events at one time after which a run is stuck."""

_AWAY = 1.01
"""Share of the largest gap beyond which a latch that opened may close by itself again."""

_LOOKS = 4
"""Parts of a step at whose ends it is looked at: bodies may come and go within one."""

_ROUNDING = 1e-12
"""Share of a time within which events are one."""


@dataclass(frozen=True)
class LatchConfiguration:
    """A model whose latches stay as they are, what acts on it, and how its equations are solved."""

    excitation: Excitation
    solve: Solve
    constrained: ConstrainedRun | None

    def of(self, problem: InitialValueProblem) -> InitialValueProblem:
        """A problem of a run in this configuration."""
        held = self.constrained
        return replace(
            problem,
            model=self.excitation.model,
            excitation=self.excitation,
            project=None if held is None else held.project,
            acceleration=None if held is None else held.acceleration,
            passage=None if held is None else held.passage,
        )


Acting = Callable[[CompiledModel, Mapping[str, float]], Excitation]
"""Makes the excitation of a model in which latches hold these offsets."""
Configure = Callable[[Excitation, float, State], LatchConfiguration]
"""The configuration of its model from a time and state on."""


@dataclass(frozen=True, eq=False)
class LatchWatch:
    """A value that ends a stretch as it rises through zero: a latch closes by itself ("meet") or
    by its expression ("closes"), opens ("opens"), or leaves where it opened ("leave")."""

    latch: str
    what: str
    value: Callable[[float, State], float]

    @property
    def event(self) -> StateEvent:
        return StateEvent(self.value, terminal=True, direction=1, looks=_LOOKS)


class LatchRun:
    """One run, of a problem or of several that a controller cuts it into."""

    def __init__(
        self, first: LatchConfiguration, t: float, acting: Acting, configure: Configure
    ) -> None:
        self.base, self.now = first.excitation.model, first
        self._acting, self._configure = acting, configure
        self._measures = LatchMeasures(self.base, first.excitation)
        self.closed = [name for name, told in self._measures.told.items() if told["closed"]]
        self.offsets: dict[str, float] = {}
        self._near: set[str] = set()
        self._fired: dict[tuple[str, str], float] = {}
        self.history = LatchHistory()
        self.history.begin(t, self.closed, self.base, {})

    def with_statistics(self, solution: RunSolution) -> RunSolution:
        """With events, and the times of these."""
        counts = {**solution.statistics, "latch_events": len(self.history.events)}
        return replace(
            solution, statistics=counts, switches={**solution.switches, **self.history.switches()}
        )

    def solved(self, problem: InitialValueProblem, settings: Mapping[str, Any]) -> RunSolution:
        """From event to event."""
        times, state = problem.times, problem.state
        t, end, at_once = float(times[0]), float(times[-1]), 0
        spans: list[RunSolution] = []
        while True:
            watches = list(self._watches(t, state))
            armed = [watch for watch in watches if watch.value(t, state) < 0]
            begun = replace(self.now.of(problem), state=state)
            span, hit = self._span(begun, settings, watches, t, end)
            later, state = float(span.t[-1]), State(*(rows[-1] for rows in span.states))
            spans.append(span)
            if not hit:
                break
            at_once = at_once + 1 if later - t <= _ROUNDING * max(t, 1e-3) else 0
            if at_once > _MOST_AT_ONCE:
                names = ", ".join(sorted({watch.latch for watch in hit}))
                raise self._failed(later, state, f"the latches {names} close and open without end")
            hit |= {watch for watch in armed if watch.value(later, state) >= 0}
            t = later
            # A signal that jumps is on its far side only a rounding later.
            again = {key for key, at in self._fired.items() if t - at <= _ROUNDING * max(t, 1e-3)}
            new = [
                watch
                for watch in watches
                if watch in hit and watch.what != "leave" and (watch.latch, watch.what) not in again
            ]
            self._fired |= {(watch.latch, watch.what): t for watch in new}
            self._near -= {watch.latch for watch in hit if watch.what == "leave"}
            problem = replace(problem, memory=None if new else span.memory)
            if new:
                state = self._after(t, state, new)
            if t >= end:
                break
        return joined(times, spans)

    def _span(
        self,
        problem: InitialValueProblem,
        settings: Mapping[str, Any],
        watches: Sequence[LatchWatch],
        t: float,
        end: float,
    ) -> tuple[RunSolution, set[LatchWatch]]:
        """The run until an event of a latch, and what it is.

        A step may pass a gap that opens again before its end: the closest places are looked at,
        and the run is made again as far as one that is within the limits.
        """
        own = len(problem.events)
        meeting = [watch for watch in watches if watch.what == "meet"]
        passing = [StateEvent(self._parting(w.latch), False, 1, _LOOKS) for w in meeting]
        mine = (*(watch.event for watch in watches), *passing)
        part = replace(
            problem, times=within(problem.times, t, end), events=(*problem.events, *mine)
        )
        span = self.now.solve(part, settings)
        later = float(span.t[-1])
        seen = [
            float(when)
            for watch, found in zip(meeting, span.events[own + len(watches) :], strict=True)
            for when, q, u in zip(found.t, found.q, found.u, strict=True)
            if t < when < later and watch.value(when, problem.state.moved(q, u)) > 0
        ]
        if seen:
            return self._span(problem, settings, watches, t, min(seen))
        hit = {
            watch
            for watch, found in zip(watches, span.events[own:], strict=False)
            if found.t.size and found.t[-1] == later
        }
        return replace(span, events=span.events[:own]), hit

    def _watches(self, t: float, state: State) -> Iterator[LatchWatch]:
        """Of closed latches what opens them; of open ones what closes them, and what would open
        them. One that opened, or started within its limits, closes by itself once it was away."""
        found = self._measures.at(t, state)
        for name, told in self._measures.told.items():
            given = told["given"]
            if "opens" in given:
                yield LatchWatch(name, "opens", self._expression(name, "opens"))
            if name in self.closed:
                continue
            if "closes" in given:
                yield LatchWatch(name, "closes", self._expression(name, "closes"))
            elif "gap" in given and found[name].excess > 0 and name not in self._near:
                yield LatchWatch(name, "meet", self._nearness(name))
            elif "gap" in given:
                self._near.add(name)
                yield LatchWatch(name, "leave", self._distance(name))

    def _expression(self, name: str, what: str) -> Callable[[float, State], float]:
        return lambda t, state: self._measures.at(t, state)[name].events[what]

    def _parting(self, name: str) -> Callable[[float, State], float]:
        return lambda t, state: self._measures.at(t, state)[name].parting

    def _nearness(self, name: str) -> Callable[[float, State], float]:
        return lambda t, state: -self._measures.at(t, state)[name].excess

    def _distance(self, name: str) -> Callable[[float, State], float]:
        def beyond(t: float, state: State) -> float:
            found = self._measures.at(t, state)[name]
            return found.values["gap"] - _AWAY * found.limits["gap"]

        return beyond

    def _after(self, t: float, state: State, hit: Sequence[LatchWatch]) -> State:
        """The state behind an event: first latches open, then others close."""
        opening = [watch.latch for watch in hit if watch.what == "opens"]
        closing = [watch.latch for watch in hit if watch.what != "opens"]
        found = self._measures.at(t, state)
        for watch in hit:
            if watch.what == "opens" and watch.latch not in self.closed:
                reason = f"latch {watch.latch!r} is to open, but it is not closed"
                raise self._failed(t, state, reason)
            if watch.what == "closes" and (beyond := "; ".join(found[watch.latch].beyond())):
                raise self._failed(t, state, f"latch {watch.latch!r} cannot close: {beyond}")
        self.closed = [name for name in self.closed if name not in opening]
        self._near |= set(opening)
        if opening:
            energy = self._energy(state.u, t, state)
            self.history.events.append(
                LatchEvent(t, "open", tuple(opening), {}, state.q, state.u, state.u, energy, energy)
            )
        self.closed += closing
        for name in closing:
            offsets = self._measures.told[name]["offsets"]
            self.offsets |= zip(offsets, found[name].rows.values(), strict=True)
        acting = self._acting(self._model(t, state, closing), self.offsets)
        if closing:
            state = self._struck(t, state, closing, acting)
        try:
            self.now = self._configure(acting, t, state)
        except (ArithmeticError, ValueError) as error:
            raise self._failed(t, state, f"{_named(closing or opening)}: {error}") from error
        self.history.begin(t, self.closed, acting.model, dict(self.offsets))
        return state

    def _model(self, t: float, state: State, closing: Sequence[str]) -> CompiledModel:
        """The model in which the latches that are closed now are closed."""
        try:
            model = self.base.latched(*self.closed)
        except ValueError as error:
            raise self._failed(t, state, f"{_named(closing)} cannot close: {error}") from error
        rows = [row for row in model.redundant if row not in self.base.redundant]
        if rows:
            reason = (
                f"{_named(closing)} cannot close: it would make a redundant loop, in which "
                f"{', '.join(rows)} depend on other constraints; give it a joint that holds less"
            )
            raise self._failed(t, state, reason)
        return model

    def _struck(self, t: float, state: State, closing: Sequence[str], acting: Excitation) -> State:
        """The state with the speeds behind the impulse, which is noted."""
        values = {"q": state.q, "u": state.u, **acting.others(t, state)}
        try:
            change = np.asarray(acting.call("velocity_correction", values))
        except ArithmeticError as error:
            raise self._failed(t, state, f"{_named(closing)} cannot close: {error}") from error
        jacobian = np.asarray(acting.call("constraint_jacobian", values))
        momentum = np.asarray(acting.call("mass_matrix", values)) @ change
        impulses = np.linalg.lstsq(jacobian.T, momentum, rcond=None)[0].tolist()
        after = state.moved(state.q, state.u + change)
        rows = acting.model.output_names("constraint_jacobian")
        own = {
            row: impulse
            for row, impulse in zip(rows, impulses, strict=True)
            if row.rpartition(".")[0] in closing
        }
        energies = self._energy(state.u, t, state), self._energy(after.u, t, state)
        self.history.events.append(
            LatchEvent(t, "close", tuple(closing), own, state.q, state.u, after.u, *energies)
        )
        return after

    def _energy(self, u: Array, t: float, state: State) -> float:
        """Kinetic energy with the speeds u [J]."""
        values = {"q": state.q, "u": u, **self.now.excitation.others(t, state)}
        return float(self.now.excitation.call("kinetic_energy", values))

    def _failed(self, t: float, state: State, reason: str) -> LatchError:
        found = LatchError.at(self.base, t, state.q, state.u, ValueError(reason))
        assert isinstance(found, LatchError)
        return found


def _named(latches: Sequence[str]) -> str:
    """One latch or several, for messages.

    >>> _named(["a"]), _named(["a", "b"])
    ("latch 'a'", "latches 'a', 'b'")
    """
    return f"latch{'es' * (len(latches) > 1)} {', '.join(map(repr, latches))}"
