"""Resolution of converters and encoders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from eomc.runtime.control.signal.signal import Array, PerChannel, channels


@dataclass(frozen=True)
class Quantizer:
    """y = h round(x/h), the nearest multiple of the resolution h; x itself where h is 0.

    >>> count = Quantizer(0.25).begin(("elbow",), 0.01, np.random.default_rng(0))
    >>> count(np.array([0.6])).item()
    0.5
    """

    resolution: PerChannel

    def begin(
        self, names: Sequence[str], period: float, rng: np.random.Generator
    ) -> Callable[[Array], Array]:
        """As of `Signal`."""
        h = channels("quantizer: resolution", self.resolution, names, 0.0)
        coarse = np.where(h > 0, h, 1.0)
        return lambda x: np.where(h > 0, coarse * np.round(x / coarse), x)
