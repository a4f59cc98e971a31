"""Limits of magnitude."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.runtime.control.signal.signal import Array, PerChannel, channels


@dataclass(frozen=True)
class Saturation:
    """y = min(max(x, -limit), limit)

    >>> rng, names = np.random.default_rng(), ("shoulder", "elbow")
    >>> clip = Saturation({"elbow": 2.0}).begin(names, 0.01, rng)
    >>> clip(np.array([5.0, -5.0])).tolist()
    [5.0, -2.0]
    """

    limit: PerChannel

    def begin(
        self, names: Sequence[str], period: float, rng: np.random.Generator
    ) -> Callable[[Array], Array]:
        """As of `Signal`."""
        limit = channels("saturation: limit", self.limit, names, np.inf)
        return lambda x: np.clip(x, -limit, limit)
