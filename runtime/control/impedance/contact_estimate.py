"""The force of a contact, from what the object does and what its holders feel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.difference import Operations


@dataclass(frozen=True)
class ContactEstimate:
    """F_c = M x'' + F_w - F_o - G F_e,   x'' = (x'(t) - x'(t - window)) / window

    The acceleration is a difference over a sliding window: what is estimated is the mean force over
    it, which lags behind a changing one by half of it.

    Attributes
    ----------
    sensor : function (t, q, u, tau) -> (m,), or Sensor
        F_e, the forces of the end-effectors on the object, in the order of the law's grips; tau
        (nu of the plant) are the forces that act when the sample is taken.
    window : float
        Time between the two rates [s].

    Reference: Moosavian 1996, equations 6.27 to 6.30.
    """

    sensor: Callable[[float, Array, Array, Array], ArrayLike]
    window: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.window) and self.window > 0):
            raise ValueError(f"window is {self.window!r}; give a positive time [s]")

    def start(self, size: int, period: float) -> Array:
        """Memory before the first sample, of k = size rows: count of samples, and their rates."""
        return np.zeros(1 + self._intervals(period) * size)

    def step(
        self,
        by: Operations,
        memory: Any,
        rate: Any,
        mass: Any,
        bias: Any,
        grasp: Any,
        held: Any,
        period: float,
    ) -> tuple[Any, Any]:
        """Memory and F_c (k,) after a sample of x', M, F_w - F_o, G and F_e, in the operations of a
        difference equation; zero at the first sample, and over what time there is before the
        window is full."""
        n = self._intervals(period)
        count, rows = memory[0], memory[1:].reshape(n, -1)
        rows = [by.less(count, 0.5, rate, row) for row in rows]
        acceleration = (rate - rows[0]) / (period * by.bounded(count, 1.0, float(n)))
        found = mass @ acceleration + bias - grasp @ held
        after = np.concatenate([np.ravel(by.bounded(count + 1.0, 0.0, float(n))), *rows[1:], rate])
        return after, by.less(count, 0.5, np.zeros(len(rate)), found)

    def _intervals(self, period: float) -> int:
        """Periods that the window takes."""
        return max(int(np.ceil(self.window / period * (1 - 1e-9))), 1)
