"""Closings and openings of latches along a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.model.compiled import CompiledModel


@dataclass(frozen=True, eq=False)
class LatchEvent:
    """Latches that close or open together at time t.

    Attributes
    ----------
    what : "close" or "open"
    names : of the latches
    impulses : by rows of their joints [N s, N m s], as multipliers: on the child's side; empty
        where they open
    q, before, after : (nq,), (nu,), (nu,)
        The configuration, which stays, and u before and after.
    energy_before, energy_after : kinetic [J]
    """

    t: float
    what: str
    names: tuple[str, ...]
    impulses: Mapping[str, float]
    q: Array
    before: Array
    after: Array
    energy_before: float
    energy_after: float

    @property
    def energy_loss(self) -> float:
        """Kinetic energy that closing takes [J]."""
        return self.energy_before - self.energy_after

    def __repr__(self) -> str:
        return f"<LatchEvent: {self.summary}>"

    @property
    def summary(self) -> str:
        """In words."""
        verb = "closes" if self.what == "close" else "opens"
        lost = f", {self.energy_loss:.6g} J lost" if self.what == "close" else ""
        return f"{', '.join(self.names)} {verb} at {self.t:.9g} s{lost}"


@dataclass(eq=False)
class LatchHistory:
    """Events in order; from the time `starts[k]` on the latches `closed[k]` are closed, and the run
    is one of `models[k]` with the values `parameters[k]`."""

    events: list[LatchEvent] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    closed: list[tuple[str, ...]] = field(default_factory=list)
    models: list[CompiledModel] = field(default_factory=list)
    parameters: list[Mapping[str, float]] = field(default_factory=list)

    @classmethod
    def of(cls, model: CompiledModel, stretches: Sequence[tuple[Any, ...]]) -> LatchHistory:
        """Of a record's `stretches`; its events are not in it."""
        made = cls()
        for t, closed, parameters in stretches:
            made.begin(float(t), tuple(closed), model.latched(*closed), dict(parameters))
        return made

    @property
    def stretches(self) -> list[tuple[Any, ...]]:
        """Start, closed latches and parameters of each stretch, as plain values."""
        return [*zip(self.starts, self.closed, self.parameters, strict=True)]

    def begin(
        self, t: float, closed: Sequence[str], model: CompiledModel, parameters: Mapping[str, float]
    ) -> None:
        """From now on other latches are closed."""
        self.starts.append(t)
        self.closed.append(tuple(closed))
        self.models.append(model)
        self.parameters.append(parameters)

    def places(self, times: Array) -> NDArray[np.intp]:
        """For each time the number of its model; at an event of that before it."""
        return np.maximum(np.searchsorted(self.starts, times, side="left") - 1, 0)

    def switches(self) -> dict[str, Array]:
        """Times by ``latch.close`` and ``latch.open``."""
        found: dict[str, list[float]] = {}
        for event in self.events:
            for name in event.names:
                found.setdefault(f"{name}.{event.what}", []).append(event.t)
        return {name: np.array(times) for name, times in found.items()}
