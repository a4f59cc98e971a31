"""Thrusters and relays that are on or off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.runtime.control.signal.signal import Equated, PerChannel, channels, equation
from eomc.runtime.difference import DifferenceEquation, Operations


@dataclass(frozen=True)
class OnOff(Equated):
    """y = level sign(x) where on, else 0: on where abs(x) > dead_zone, off below `hysteresis` less.

    Channels that a mapping leaves out pass as they are.

    >>> thrust = OnOff(20.0, 5.0, 2.0).begin(("x",), 0.01, np.random.default_rng(0))
    >>> [thrust(np.array([x])).item() for x in (4.0, 6.0, 4.0, -4.0, 2.0)]
    [0.0, 20.0, 20.0, -20.0, 0.0]
    """

    level: PerChannel
    dead_zone: PerChannel
    hysteresis: PerChannel = 0.0

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`; its state is 1 where on."""
        level = channels("on-off: level", self.level, names, np.inf)
        dead = channels("on-off: dead_zone", self.dead_zone, names, 0.0)
        back = channels("on-off: hysteresis", self.hysteresis, names, 0.0)
        if (back > dead).any():
            name = names[int(np.argmax(back > dead))]
            raise ValueError(f"on-off: hysteresis of {name!r} is more than its dead_zone")
        switched = np.isfinite(level)
        push = np.where(switched, level, 0.0)

        def thrust(by: Operations, on: Any, w: Any, x: Any) -> tuple[Any, Any]:
            threshold = dead - back * on
            above, below = by.less(threshold, x, 1.0, 0.0), by.less(x, -threshold, 1.0, 0.0)
            return above + below, np.where(switched, push * (above - below), x)

        return equation(names, thrust, np.zeros(len(names)))
