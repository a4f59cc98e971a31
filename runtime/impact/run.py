"""Runs of models with rigid contacts: from event to event.

At an event a gap closes, a force stops to press, a contact breaks away or its slip ends. Behind an
impact the way of each gap is told by its rate, never by the gap, which is zero but for rounding. A
gap that opens is watched by its rate until it closes again, so that no bounce is too short to be
seen. Bounces end where a gap opens slower than the speed of rest: there the contact closes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from eomc.runtime.impact.contacts import TOUCHING, Closings, RigidContacts
from eomc.runtime.impact.history import ContactHistory
from eomc.runtime.impact.impact import LAWS, struck
from eomc.runtime.impact.modes import settled
from eomc.runtime.impact.phase import Phase, Watch
from eomc.runtime.integrators import COMPILED, Problem, Solution
from eomc.runtime.integrators.events import Events
from eomc.runtime.integrators.joined import joined, within
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import SimulationError, stopped
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names

Solve = Callable[[Problem, Mapping[str, Any]], Solution]

_MOST_AT_ONCE = 200
"""Events within rounding of one time after which a run is stuck."""

_ROUNDING = 1e-12
"""Share of a time within which events are one."""

_GAINED = 1e-9
"""Share of kinetic energy that an impact may gain by rounding."""


def check_contact_run(model: CompiledModel, method: str, law: str, sampled: bool) -> None:
    """Raise ValueError for what runs with rigid contacts do not take."""
    if law not in LAWS:
        raise ValueError(f"unknown law of impact {law!r}; {near_names(str(law), LAWS)}")
    for found, what in (
        (method in COMPILED or method in ("BDF", "LSODA", "cvode"), f"method {method!r}"),
        (model.is_constrained, "a model with loops or other constraints"),
        (bool(model.element_states), "elements with states of their own"),
        (sampled, "sampled controllers"),
    ):
        if found:
            raise ValueError(
                f"model {model.name!r} has rigid contacts, which do not go with {what} yet; they "
                "go with open trees and the methods 'DOP853', 'RK45', 'RK23', 'Radau'; or give "
                "the contacts a law of force by depth"
            )


class ContactRun:
    """One run."""

    def __init__(self, problem: Problem, solve: Solve, settings: Mapping[str, Any], law: str):
        self.problem, self._solve, self._settings, self._law = problem, solve, settings, law
        self.contacts = RigidContacts(problem.model, problem.excitation)
        self.history = ContactHistory(tuple(self.contacts.names))
        nothing = np.zeros(0)
        self._found = tuple(Events(nothing, nothing, nothing) for _ in problem.events)

    def solution(self) -> Solution:
        """From event to event."""
        times, state = self.problem.times, self.problem.state
        t, end, spans, at_once = float(times[0]), float(times[-1]), [], 0
        self._check_start(t, state)
        state, phase = self._after(t, state, [])
        while True:
            span, ended = self._span(phase, t, state, end)
            spans.append(span)
            later, state = float(span.t[-1]), State(*(part[-1] for part in span.states))
            if not ended:
                break
            at_once = at_once + 1 if later - t <= 1e-13 * max(abs(later), 1e-3) else 0
            if at_once > _MOST_AT_ONCE:
                raise self._stuck(later, ended)
            t = later
            state, phase = self._after(t, state, ended)
            if t >= end:
                break
        found = joined(times, spans)
        found.statistics["impacts"] = len(self.history.impacts)
        return replace(found, switches={**found.switches, **self.history.switches()})

    def _stuck(self, t: float, ended: Sequence[Watch]) -> SimulationError:
        names = ", ".join(dict.fromkeys(self.contacts.names[w.contact] for w in ended))
        return stopped(self.problem.model.name, t, f"events of the contacts {names} do not end")

    def _check_start(self, t: float, state: State) -> None:
        at = self.contacts.at(t, state)
        for name, gap in zip(at.names, at.gap, strict=True):
            if gap < -TOUCHING:
                raise ValueError(
                    f"model {self.problem.model.name!r}: contact {name!r} starts with the gap "
                    f"{gap:.6g} m; start where rigid bodies are not in each other"
                )

    def _span(
        self, phase: Phase, t: float, state: State, end: float
    ) -> tuple[Solution, list[Watch]]:
        """The run until the phase ends, and what ended it."""
        watches = phase.watches(phase.at(t, state))
        own = len(self.problem.events)
        held = bool(phase.modes.closed)
        problem = replace(
            self.problem,
            state=state,
            times=within(self.problem.times, t, end),
            events=(*self.problem.events, *watches),
            acceleration=phase.acceleration if held else None,
            project=phase.projected if held else None,
        )
        span = self._solve(problem, self._settings)
        last = float(span.t[-1])
        ended = [
            watch for watch, event in zip(watches, span.events[own:], strict=True)
            if event.t.size and event.t[-1] == last
        ]  # fmt: skip
        events = tuple(
            _not_again(now, before, t)
            for now, before in zip(span.events[:own], self._found, strict=True)
        )
        self._found = span.events[:own]
        return replace(span, events=events), ended

    def _after(self, t: float, state: State, ended: Sequence[Watch]) -> tuple[State, Phase]:
        """The state behind an event, and the phase that begins there."""
        at = self.contacts.at(t, state)
        for watch in ended:
            if watch.what == "touch":  # the root of the gap is not zero to the last digit
                at = replace(at, gap=np.where(np.arange(at.gap.size) == watch.contact, 0.0, at.gap))
        touching = at.touching()
        if any(at.opening[k] < -at.rest_speed[k] for k in touching):
            state, at = self._jump(t, state, at)
        turned, opened, breaking = (
            {watch.contact for watch in ended if watch.what == what}
            for what in ("turn", "open", "break")
        )
        slow = [
            k for k in touching
            if abs(at.opening[k]) <= at.rest_speed[k] and k not in turned | opened
        ]  # fmt: skip
        free = self.contacts.free_acceleration(t, state)
        modes = settled(at, free, slow, breaking)
        self.history.begin(t, modes)
        parted = [k for k in touching if k not in modes.closed and k not in turned]
        departing = [k for k in parted if k in opened or at.opening[k] > 0]
        phase = Phase(self.contacts, modes, departing)
        return phase.projected(t, state), phase

    def _jump(self, t: float, state: State, at: Closings) -> tuple[State, Closings]:
        """The impact; a gain of energy is told."""
        found = struck(self.contacts, t, state, self._law)
        self.history.impacts.append(found)
        for contact, impulse in zip(found.names, found.impulses, strict=True):
            if impulse > 0:
                self.history.note("impact", self.history.names.index(contact), t)
        gained = found.energy_after - found.energy_before
        if gained > _GAINED * found.energy_before and not self.problem.model.prescribed:
            warnings.warn(
                f"model {self.problem.model.name!r}: the impact at t = {t:.9g} s gains {gained:.3g}"
                " J, as Newton's law with friction or different restitutions may; see impacts=",
                RuntimeWarning,
                stacklevel=2,
            )
        state = state.moved(state.q, found.after)
        after = self.contacts.at(t, state)
        return state, replace(after, gap=at.gap)


def _not_again(now: Events, before: Events, start: float) -> Events:
    """Events of a phase but for one at its start that ended the phase before, too."""
    near = _ROUNDING * max(abs(start), 1e-3)
    if not (now.t.size and before.t.size):
        return now
    if now.t[0] - start > near or start - before.t[-1] > near:
        return now
    return Events(now.t[1:], now.q[1:], now.u[1:])
