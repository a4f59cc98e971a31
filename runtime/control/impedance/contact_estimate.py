"""The force of a contact, from what the object does and what its holders feel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.control.law import Array
from eomc.runtime.model.state import vector


@dataclass(frozen=True)
class ContactEstimate:
    """F_c = M x'' + F_w - F_o - G F_e,   x'' = (x'(t) - x'(t - window)) / window

    The acceleration is a difference over a sliding window: what is estimated is the mean force over
    it, which lags behind a changing one by half of it.

    Attributes
    ----------
    sensor : function (t, q, u, tau) -> (m,)
        F_e, the forces of the end-effectors on the object, in the order of the law's grips; tau
        (nu of the plant) is what the law asked for last.
    window : float
        Time between the two rates [s].

    Reference: Moosavian 1996, equations 6.27 to 6.30.
    """

    sensor: Callable[[float, Array, Array, Array], ArrayLike]
    window: float

    def __post_init__(self) -> None:
        if not (np.isfinite(self.window) and self.window > 0):
            raise ValueError(f"window is {self.window!r}; give a positive time [s]")

    def begin(self) -> Callable[[float, Array, Array, Array, Array, Array], Array]:
        """For one run, (t, rate, M, F_w - F_o, G, F_e) to F_c (k,)."""
        times: list[float] = []
        rates: list[Array] = []

        def estimate(
            t: float, rate: Array, mass: Array, bias: Array, grasp: Array, held: Array
        ) -> Array:
            times.append(t)
            rates.append(rate)
            # Keep one entry at or before the window's beginning.
            while len(times) > 1 and times[1] <= t - self.window * (1 - 1e-9):
                times.pop(0)
                rates.pop(0)
            elapsed = t - times[0]
            acceleration = (rate - rates[0]) / elapsed if elapsed > 0 else np.zeros_like(rate)
            found: Array = (
                mass @ acceleration + bias - grasp @ vector("sensor", held, grasp.shape[1])
            )
            return found if elapsed > 0 else np.zeros_like(rate)

        return estimate
