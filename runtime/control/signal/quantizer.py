"""Resolution of converters and encoders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.runtime.control.signal.signal import Equated, PerChannel, channels, equation
from eomc.runtime.difference import DifferenceEquation, Operations


@dataclass(frozen=True)
class Quantizer(Equated):
    """y = h round(x/h), the nearest multiple of the resolution h; x itself where h is 0.

    >>> count = Quantizer(0.25).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> count(np.array([0.6])).item()
    0.5
    """

    resolution: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        h = channels("quantizer: resolution", self.resolution, names, 0.0)
        coarse = np.where(h > 0, h, 1.0)

        def counted(by: Operations, state: Any, w: Any, x: Any) -> tuple[Any, Any]:
            return state, np.where(h > 0, coarse * by.nearest(x / coarse), x)

        return equation(names, counted)
