"""Limits of magnitude."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eomc.runtime.control.signal.signal import Equated, PerChannel, channels, equation
from eomc.runtime.difference import DifferenceEquation


@dataclass(frozen=True)
class Saturation(Equated):
    """y = min(max(x, -limit), limit)

    >>> rng, names = np.random.default_rng(), ("shoulder", "elbow")
    >>> clip = Saturation({"elbow": 2.0}).begin(names, 0.01, rng)
    >>> clip(np.array([5.0, -5.0])).tolist()
    [5.0, -2.0]
    """

    limit: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        limit = channels("saturation: limit", self.limit, names, np.inf)
        return equation(names, lambda by, state, w, x: (state, by.bounded(x, -limit, limit)))
