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

from eomc.binding.arrays import Array
from eomc.runtime.constraints.clearance import touching_gap
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.impacts.contacts import Closings, RigidContacts
from eomc.runtime.impacts.history import ContactHistory
from eomc.runtime.impacts.impact import LAWS, struck
from eomc.runtime.impacts.modes import Bending, ContactModes, settled
from eomc.runtime.impacts.phase import ContactPhase, Watch
from eomc.runtime.integrators import InitialValueProblem, RunSolution, is_compiled
from eomc.runtime.integrators.events import Events
from eomc.runtime.integrators.joined import joined, within
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.errors import SimulationError, stopped
from eomc.runtime.model.state import State
from eomc.runtime.names.near_names import near_names
from eomc.runtime.output.warning_level import outside

Solve = Callable[[InitialValueProblem, Mapping[str, Any]], RunSolution]

_MOST_AT_ONCE = 200
"""Events within rounding of one time after which a run is stuck."""

_AT_ONCE = 1e-13
"""Share of the times of a run by which such events are apart."""

_ROUNDING = 1e-12
"""Share of a time within which events are one."""

_GAINED = 1e-9
"""Share of kinetic energy that an impact may gain by rounding."""

_LOST = 1e-6
"""Share of kinetic energy that bringing a state onto closed contacts may take: the square of what
steps are off by."""

_EVENT_METHODS = "'DOP853', 'RK45', 'RK23', 'Radau'"
_GAP = np.array([[1.0, 0.0, 0.0, 0.0]])
"""The row of the gap out of the four of a contact."""


def check_contact_run(model: CompiledModel, method: str, formulation: str, law: str) -> None:
    """Raise ValueError for what runs with rigid contacts do not take."""
    if law not in LAWS:
        raise ValueError(f"unknown law of impact {law!r}; {near_names(str(law), LAWS)}")
    many_steps = is_compiled(method) or method in ("BDF", "LSODA", "cvode")
    steps = f"{_EVENT_METHODS}, or by fixed steps 'moreau', 'stewart_trinkle'"
    for found, what, others in (
        (many_steps, f"method {method!r}", steps),
        (formulation != "multipliers", f"formulation {formulation!r}", "'multipliers'"),
    ):
        if found:
            raise ValueError(
                f"model {model.name!r} has rigid contacts, which do not go with {what}; they go "
                f"with {others}; or give the contacts a law of force by depth"
            )


class ContactRun:
    """One run, of a problem or of several, one after the other, that a controller cuts it into."""

    def __init__(self, model: CompiledModel, excitation: Excitation, solve: Solve, law: str):
        self.model, self._solve, self._law = model, solve, law
        self.contacts = RigidContacts(model, excitation)
        self.history = ContactHistory(tuple(self.contacts.names))
        self._found: tuple[Events, ...] = ()

    def with_statistics(self, solution: RunSolution) -> RunSolution:
        """With impacts, and the times of what contacts did."""
        counts = {**solution.statistics, "impacts": len(self.history.impacts)}
        switches = {**solution.switches, **self.history.switches()}
        return replace(solution, statistics=counts, switches=switches)

    def solved(self, problem: InitialValueProblem, settings: Mapping[str, Any]) -> RunSolution:
        """From event to event."""
        times, state = problem.times, problem.state
        t, end, spans, at_once = float(times[0]), float(times[-1]), [], 0
        nothing = np.zeros(0)
        self._found = tuple(Events(nothing, nothing, nothing) for _ in problem.events)
        self._check_start(t, state)
        state, phase = self._after(t, state, [])
        while True:
            span, ended = self._span(replace(problem, state=state), settings, phase, t, end)
            spans.append(span)
            later, state = float(span.t[-1]), State(*(part[-1] for part in span.states))
            if not ended:
                break
            at_once = at_once + 1 if later - t <= _AT_ONCE * max(abs(later), abs(end)) else 0
            if at_once > _MOST_AT_ONCE:
                raise self._stuck(later, ended)
            t = later
            state, phase = self._after(t, state, ended)
            if t >= end:
                break
        return joined(times, spans)

    def _stuck(self, t: float, ended: Sequence[Watch]) -> SimulationError:
        names = ", ".join(dict.fromkeys(self.contacts.names[w.contact] for w in ended))
        return stopped(self.model.name, t, f"events of the contacts {names} do not end")

    def _check_start(self, t: float, state: State) -> None:
        at = self.contacts.at(t, state)
        least = -touching_gap(self.model)
        for name, gap in zip(at.names, at.gap, strict=True):
            if gap < least:
                raise ValueError(
                    f"model {self.model.name!r}: {name!r} starts with the gap {gap:.6g} m; start "
                    "where none is below zero"
                )

    def _span(
        self,
        problem: InitialValueProblem,
        settings: Mapping[str, Any],
        phase: ContactPhase,
        t: float,
        end: float,
    ) -> tuple[RunSolution, list[Watch]]:
        """The run until the phase ends, and what ended it."""
        watches = phase.watches(phase.at(t, problem.state))
        own = len(problem.events)
        problem = replace(
            problem,
            times=within(problem.times, t, end),
            events=(*problem.events, *(watch.event for watch in watches)),
        )
        if phase.modes.closed:
            problem = replace(
                problem, acceleration=phase.acceleration, project=phase.projected, passage=None
            )
        span = self._solve(problem, settings)
        last = float(span.t[-1])
        ended = [
            watch
            for watch, event in zip(watches, span.events[own:], strict=True)
            if event.t.size and event.t[-1] == last
        ]
        events = tuple(
            _not_again(now, before, t)
            for now, before in zip(span.events[:own], self._found, strict=True)
        )
        self._found = span.events[:own]
        return replace(span, events=events), ended

    def _after(self, t: float, state: State, ended: Sequence[Watch]) -> tuple[State, ContactPhase]:
        """The state behind an event, and the phase that begins there."""
        at = self.contacts.at(t, state)
        for watch in ended:
            if watch.what == "touch":  # the root of the gap is not zero to the last digit
                at = replace(at, gap=np.where(np.arange(at.gap.size) == watch.contact, 0.0, at.gap))
        touching = at.touching()
        if any(at.opening[k] < 0 and not at.rests(k, _GAP, ()) for k in touching):
            state, at = self._jump(t, state, at)
        turned, opened, breaking = (
            {watch.contact for watch in ended if watch.what == what}
            for what in ("turn", "open", "break")
        )
        slow = [k for k in touching if k not in turned | opened and at.rests(k, _GAP, ())]
        free = self.contacts.free_acceleration(t, state)
        modes = settled(at, free, slow, breaking, self._bending(t, state))
        self.history.begin(t, modes)
        parted = [k for k in touching if k not in modes.closed and k not in turned]
        departing = [k for k in parted if k in opened or at.opening[k] > 0]
        phase = ContactPhase(self.contacts, modes, departing)
        projected = phase.projected(t, state)
        self._check_loss(at, modes, projected)
        return projected, phase

    def _bending(self, t: float, state: State) -> Bending:
        """Of the rows, see `settled`."""
        still = self.contacts.at(t, state.moved(state.q, 0 * state.u)).bias

        def bending(a: Array) -> Array:
            return self.contacts.at(t, state.moved(state.q, a)).bias - still

        return bending

    def _check_loss(self, at: Closings, modes: ContactModes, after: State) -> None:
        """Raise `SimulationError` if closing gaps and ending slips took more energy than goes with
        the speeds of rest: impacts, which are told, and friction take all else."""
        change = after.u - at.state.u
        lost, kinetic = (float(v @ at.mass @ v / 2) for v in (change, at.state.u))
        if lost <= _LOST * kinetic + sum(at.energy_of_rest(k) for k in modes.closed):
            return
        names = ", ".join(repr(at.names[k]) for k in modes.closed)
        raise stopped(
            self.model.name,
            at.t,
            f"the contacts {names} would take {lost:.3g} J of {kinetic:.3g} J from the motion "
            "without an impact and without sliding; start away from a configuration in which they "
            "jam the mechanism",
        )

    def _jump(self, t: float, state: State, at: Closings) -> tuple[State, Closings]:
        """The impact; a gain of energy is told."""
        found = struck(self.contacts, t, state, self._law)
        self.history.impacts.append(found)
        for contact, impulse in zip(found.names, found.impulses, strict=True):
            if impulse > 0:
                self.history.note("impact", self.history.names.index(contact), t)
        gained = found.energy_after - found.energy_before
        if gained > _GAINED * found.energy_before and not self.model.prescribed:
            warnings.warn(
                f"model {self.model.name!r}: the impact at t = {t:.9g} s gains {gained:.3g}"
                " J, as Newton's law with friction or different restitutions may; see impacts=",
                RuntimeWarning,
                stacklevel=outside(),
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
