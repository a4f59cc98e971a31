"""History of rigid contacts along a run: impacts, modes, times of events."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.impacts.impact import Impact
from eomc.runtime.impacts.modes import ContactModes


@dataclass(eq=False)
class ContactHistory:
    """Impacts in order, and the modes of the contacts from times on.

    times : of events by ``contact.what``: "impact", "rest" (closes for good), "open", "stick",
        "slip" (breaks away)
    """

    names: tuple[str, ...]
    impacts: list[Impact] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    modes: list[ContactModes] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)

    def note(self, what: str, contact: int, t: float) -> None:
        """An event."""
        self.times.setdefault(f"{self.names[contact]}.{what}", []).append(t)

    def begin(self, t: float, modes: ContactModes) -> None:
        """New modes; what changed is noted."""
        before = self.modes[-1] if self.modes else None
        if before is not None:
            for k in modes.closed:
                if k not in before.closed:
                    self.note("rest", k, t)
                elif k in modes.sticking and k not in before.sticking:
                    self.note("stick", k, t)
                elif k in before.sticking and k not in modes.sticking:
                    self.note("slip", k, t)
            for k in before.closed:
                if k not in modes.closed:
                    self.note("open", k, t)
        self.starts.append(t)
        self.modes.append(modes)

    def during(self, t: float) -> ContactModes:
        """The modes at a time; at an event those before it."""
        place = int(np.searchsorted(self.starts, t, side="left")) - 1
        return self.modes[max(place, 0)]

    def switches(self) -> dict[str, Array]:
        """Times by names."""
        return {name: np.array(times) for name, times in self.times.items()}
