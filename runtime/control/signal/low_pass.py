"""Filters of first order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.runtime.control.signal.signal import Equated, PerChannel, channels, equation
from eomc.runtime.difference import DifferenceEquation, Operations


@dataclass(frozen=True)
class LowPass(Equated):
    """y_k = y_(k-1) + (1 - exp(-T/time)) (x_k - y_(k-1)), from zero: y' = (x - y)/time with x held.

    A time of 0 passes x as it is.

    >>> smooth = LowPass(0.1).begin(("elbow",), 0.1, np.random.default_rng(0))
    >>> [round(smooth(np.ones(1)).item(), 6) for _ in range(2)]
    [0.632121, 0.864665]
    """

    time: PerChannel

    def equation(self, names: Sequence[str], period: float) -> DifferenceEquation:
        """As of `Equated`."""
        time = channels("low pass: time", self.time, names, 0.0)
        share = np.where(time > 0, -np.expm1(-period / np.where(time > 0, time, 1.0)), 1.0)

        def smoothed(by: Operations, last: Any, w: Any, x: Any) -> tuple[Any, Any]:
            y = np.where(time > 0, last + share * (x - last), x)
            return y, y

        return equation(names, smoothed, np.zeros(len(names)))
