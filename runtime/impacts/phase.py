"""A stretch of a run over which the modes of rigid contacts stay: equations, and what ends it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.impacts.contacts import Closings, RigidContacts
from eomc.runtime.impacts.modes import ContactAccelerations, ContactModes, motion
from eomc.runtime.integrators.events import StateEvent
from eomc.runtime.model.state import State

_STEPS = 3
"""Newton steps that bring closed gaps back to zero."""


@dataclass(frozen=True, eq=False)
class Watch:
    """An event of one contact that ends the phase, where `value` falls through zero.

    what : "touch", "turn" (a gap that opens begins to close), "open", "break", "stop"
    """

    what: str
    contact: int
    value: Callable[[float, State], float]

    @property
    def event(self) -> StateEvent:
        """As a run takes it."""
        return StateEvent(self.value, terminal=True, direction=-1)


class ContactPhase:
    """The equations of motion with some contacts closed."""

    def __init__(
        self, contacts: RigidContacts, modes: ContactModes, departing: Collection[int]
    ) -> None:
        self.contacts, self.modes = contacts, modes
        self.departing = frozenset(departing)
        self._last: tuple[tuple[float, bytes], Closings, ContactAccelerations | None] | None = None

    def at(self, t: float, state: State) -> Closings:
        """Contacts at a state; the last one is kept, as many ask for it."""
        key = t, b"".join(part.tobytes() for part in state)
        if self._last is None or self._last[0] != key:
            self._last = key, self.contacts.at(t, state), None
        return self._last[1]

    def motion(self, t: float, state: State) -> ContactAccelerations:
        """Accelerations and forces; the last one is kept, too."""
        at = self.at(t, state)
        assert self._last is not None
        key, _, found = self._last
        if found is None:
            found = motion(at, self.contacts.free_acceleration(t, state), self.modes)
            self._last = key, at, found
        return found

    def acceleration(self, t: float, state: State) -> tuple[State, Array]:
        """As a `Problem` takes it."""
        return state, self.motion(t, state).acceleration

    def projected(self, t: float, state: State) -> State:
        """The nearest state, by kinetic energy, with closed gaps and no slip where it sticks, on
        the constraints."""
        closed = list(self.modes.closed)
        if not closed:
            return state
        q = state.q
        for _ in range(_STEPS):
            at = self.contacts.at(t, state.moved(q, state.u))
            rows, left = at.rows[closed, 0], at.gap[closed]
            if at.constraints is not None:
                rows = np.vstack([rows, at.constraints.J])
                left = np.concatenate([left, at.constraints.residual])
            if not left.any():
                break
            q = self.contacts.moved(q, at.nearest(rows, left))
        at = self.contacts.at(t, state.moved(q, state.u))
        asked, rates = [*at.rows[closed, 0]], [*at.rate[closed, 0]]
        for k in self.modes.sticking:
            asked += list(at.across(k, at.rows))
            rates += list(at.tangents[k] @ at.rate[k, 1:])
        if at.constraints is not None:
            asked += list(at.constraints.G)
            rates += list(at.constraints.velocity)
        return state.moved(q, state.u + at.nearest(np.array(asked), np.array(rates)))

    def watches(self, at: Closings) -> list[Watch]:
        """Events of the contacts, each of which would end the phase."""
        found = []
        for k in range(len(at.names)):
            if k in self.modes.closed:
                found.append(Watch("open", k, self._pressing(k)))
                if k in self.modes.sticking:
                    found.append(Watch("break", k, self._holding(k)))
                elif at.static[k] > 0:
                    found.append(Watch("stop", k, self._slipping(k)))
            elif k in self.departing:
                found.append(Watch("turn", k, self._opening(k)))
            else:
                found.append(Watch("touch", k, self._gap(k)))
        return found

    def _gap(self, k: int) -> Callable[[float, State], float]:
        return lambda t, state: float(self.at(t, state).gap[k])

    def _opening(self, k: int) -> Callable[[float, State], float]:
        return lambda t, state: float(self.at(t, state).opening[k])

    def _pressing(self, k: int) -> Callable[[float, State], float]:
        return lambda t, state: float(self.motion(t, state).pressing[k])

    def _holding(self, k: int) -> Callable[[float, State], float]:
        def left(t: float, state: State) -> float:
            found = self.motion(t, state)
            gives = self.at(t, state).static[k] * found.pressing[k]
            return float(gives - np.linalg.norm(found.friction[k]))

        return left

    def _slipping(self, k: int) -> Callable[[float, State], float]:
        return lambda t, state: float(self.at(t, state).slip[k] @ self.modes.directions[k])
