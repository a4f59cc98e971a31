"""Noise of sensors and actuators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from eomc.runtime.control.signal.signal import Equated, PerChannel, channels, equation
from eomc.runtime.difference import DifferenceEquation, Operations


@dataclass(frozen=True)
class Noise(Equated):
    """y = x (1 + relative n) + deviation m, with normal n and m of variance 1 in each channel and
    sample, drawn from the seed of the run.

    Parameters
    ----------
    deviation : standard deviation, in the unit of the channel
    relative : standard deviation as a share of the value

    >>> import numpy as np
    >>> shake = Noise(0.1).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> round(float(np.std([shake(np.zeros(1)) for _ in range(4000)])), 2)
    0.1
    """

    disturbs: ClassVar[bool] = True

    deviation: PerChannel = 0.0
    relative: PerChannel = 0.0

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        n = len(names)
        share = channels("noise: relative", self.relative, names, 0.0)
        deviation = channels("noise: deviation", self.deviation, names, 0.0)

        def shaken(by: Operations, state: Any, w: Any, x: Any) -> tuple[Any, Any]:
            return state, x * (1 + share * w[:n]) + deviation * w[n:]

        return equation(names, shaken, draws=2 * n)
