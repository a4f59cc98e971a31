"""Limits of the rate of change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.runtime.control.signal.signal import Equated, PerChannel, channels, equation
from eomc.runtime.difference import DifferenceEquation, Operations


@dataclass(frozen=True)
class RateLimit(Equated):
    """abs(y_k - y_(k-1)) <= rate T, from zero before the first sample.

    >>> ramp = RateLimit(100.0).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> [ramp(np.array([2.5])).item() for _ in range(3)]
    [1.0, 2.0, 2.5]
    """

    rate: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        most = channels("rate limit: rate", self.rate, names, np.inf) * period

        def limited(by: Operations, last: Any, w: Any, x: Any) -> tuple[Any, Any]:
            y = last + by.bounded(x - last, -most, most)
            return y, y

        return equation(names, limited, np.zeros(len(names)))
