"""Limits of the rate of change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.runtime.control.signal.signal import Array, PerChannel, channels


@dataclass(frozen=True)
class RateLimit:
    """abs(y_k - y_(k-1)) <= rate T, from zero before the first sample.

    >>> ramp = RateLimit(100.0).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> [ramp(np.array([2.5])).item() for _ in range(3)]
    [1.0, 2.0, 2.5]
    """

    rate: PerChannel

    def begin(
        self, names: Sequence[str], period: float, rng: np.random.Generator
    ) -> Callable[[Array], Array]:
        """As of `Signal`."""
        most = channels("rate limit: rate", self.rate, names, np.inf) * period
        last = np.zeros(len(names))

        def limited(x: Array) -> Array:
            nonlocal last
            last = last + np.clip(x - last, -most, most)
            return last

        return limited
