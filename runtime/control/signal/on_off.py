"""Thrusters and relays that are on or off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.runtime.control.signal.signal import Array, PerChannel, channels


@dataclass(frozen=True)
class OnOff:
    """y = level sign(x) where on, else 0: on where abs(x) > dead_zone, off below `hysteresis` less.

    Channels that a mapping leaves out pass as they are.

    >>> thrust = OnOff(20.0, 5.0, 2.0).begin(("x",), 0.01, np.random.default_rng(0))
    >>> [thrust(np.array([x])).item() for x in (4.0, 6.0, 4.0, -4.0, 2.0)]
    [0.0, 20.0, 20.0, -20.0, 0.0]
    """

    level: PerChannel
    dead_zone: PerChannel
    hysteresis: PerChannel = 0.0

    def begin(
        self, names: Sequence[str], period: float, rng: np.random.Generator
    ) -> Callable[[Array], Array]:
        """As of `Signal`."""
        level = channels("on-off: level", self.level, names, np.inf)
        dead = channels("on-off: dead_zone", self.dead_zone, names, 0.0)
        back = channels("on-off: hysteresis", self.hysteresis, names, 0.0)
        if (back > dead).any():
            name = names[int(np.argmax(back > dead))]
            raise ValueError(f"on-off: hysteresis of {name!r} is more than its dead_zone")
        switched, on = np.isfinite(level), np.zeros(len(names), dtype=bool)
        level = np.where(switched, level, 0.0)

        def thrust(x: Array) -> Array:
            nonlocal on
            on = np.abs(x) > np.where(on, dead - back, dead)
            return np.where(switched, level * np.sign(x) * on, x)

        return thrust
