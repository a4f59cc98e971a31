"""Latches of a compiled model at times and states: gap, turn, their rates, limits and events."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.runtime.excitation.excitation import Excitation
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.model.state import State

FUNCTION = "latches"
LIMITS = {"gap": "m", "speed": "m/s", "angle": "rad", "angular_speed": "rad/s"}
EVENTS = ("closes", "opens")


def has_latches(model: CompiledModel) -> bool:
    """True if a model has latches, open or closed."""
    return model.has_function(FUNCTION)


def refuse_latches(model: CompiledModel, purpose: str) -> None:
    """Raise ValueError for a model that has any, which `purpose` would pass over in silence."""
    if has_latches(model):
        names = ", ".join(entry["name"] for entry in model.manifest["metadata"]["latches"])
        raise ValueError(
            f"model {model.name!r}: {purpose} opens and closes no latches, of which there are "
            f"{names}; simulate by events, or build Model.latched(..., keep=False)"
        )


@dataclass(frozen=True, eq=False)
class LatchMeasure:
    """A latch at a time and state.

    rows : gaps and turns of its joint by name; values : of gap, speed, angle and angular speed;
    limits : of those that are limited; events : what closes and opens it as it rises through zero;
    parting : half the rate of the square of the gap, which rises through zero at the closest
    """

    rows: Mapping[str, float]
    parting: float
    values: Mapping[str, float]
    limits: Mapping[str, float]
    events: Mapping[str, float]

    @property
    def excess(self) -> float:
        """Largest share by which a limit is exceeded; negative within all of them."""
        return max(self.values[word] / limit - 1 for word, limit in self.limits.items())

    def beyond(self) -> Iterator[str]:
        """Phrases for what exceeds its limit."""
        for word, limit in self.limits.items():
            if self.values[word] > limit * (1 + 1e-9):
                told, unit = word.replace("_", " "), LIMITS[word]
                value = f"{self.values[word]:.6g} {unit}"
                yield f"its {told} is {value}, more than the {limit:.6g} {unit} that it allows"


class LatchMeasures:
    """The latches of a model under an excitation; the last state is kept, as many ask for it."""

    def __init__(self, model: CompiledModel, excitation: Excitation) -> None:
        self.excitation = excitation
        self.told = {entry["name"]: entry for entry in model.manifest["metadata"]["latches"]}
        self.names = model.output_names(FUNCTION)
        self._last: tuple[tuple[float, bytes], dict[str, LatchMeasure]] | None = None

    def at(self, t: float, state: State) -> dict[str, LatchMeasure]:
        """All latches by name."""
        key = t, b"".join(part.tobytes() for part in state)
        if self._last is None or self._last[0] != key:
            self._last = key, dict(self._measured(t, state))
        return self._last[1]

    def _measured(self, t: float, state: State) -> Iterator[tuple[str, LatchMeasure]]:
        values: dict[str, Any] = {"q": state.q, "u": state.u, **self.excitation.others(t, state)}
        gaps, rates, limits, events = map(np.asarray, self.excitation.call(FUNCTION, values))
        row = 0
        for k, (name, told) in enumerate(self.told.items()):
            own = slice(row, row + len(told["offsets"]))
            row = own.stop
            linear = np.array([".force" in each for each in self.names[own]])
            given = set(told["given"])

            def chosen(words: Iterable[str], values: Array, given: set[str] = given) -> Any:
                named = zip(words, values.tolist(), strict=True)
                return {word: value for word, value in named if word in given}

            yield (
                name,
                LatchMeasure(
                    dict(zip(self.names[own], gaps[own].tolist(), strict=True)),
                    float(gaps[own][linear] @ rates[own][linear]),
                    _sizes(linear, gaps[own], rates[own]),
                    chosen(LIMITS, limits[4 * k : 4 * k + 4]),
                    chosen(EVENTS, events[2 * k : 2 * k + 2]),
                ),
            )


def _sizes(linear: NDArray[np.bool_], gaps: Array, rates: Array) -> dict[str, float]:
    """The turn is 2 tan(theta/2) e of its angle theta and axis e."""
    gap, turn = (float(np.linalg.norm(gaps[rows])) for rows in (linear, ~linear))
    speed, turning = (float(np.linalg.norm(rates[rows])) for rows in (linear, ~linear))
    return {
        "gap": gap,
        "speed": speed,
        "angle": 2 * math.atan(turn / 2),
        "angular_speed": turning / (1 + turn * turn / 4),
    }
