"""Finite Fourier series: motions that return to where they were."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite, whole
from eomc.runtime.trajectories.profile import Profile, ProfileSample


class FourierSeries(Profile):
    """Harmonics of one period, again and again:

        q = center + sum_k sine_k sin(k w t') + cosine_k cos(k w t'),  w = 2 pi/period,  k = 1, 2...

    with t' = t - start_time. What is measured along several periods is averaged, and speeds and
    accelerations found of it without bias. Reference: Swevers, Ganseman, Tukel, De Schutter and Van
    Brussel, *Optimal robot excitation and identification*, IEEE Trans. Robotics and Automation
    13(5), 1997.

    Parameters
    ----------
    center : number or (n,) array
    sine, cosine : (harmonics, ...) arrays, of the shape of `center` beyond the first
    period : float [s]
    periods : int
        How many; the motion ends with them.
    start_time : float [s]

    Raises ValueError for numbers that are not finite, other shapes, no positive period or number.

    >>> FourierSeries(1.0, sine=[0.5], cosine=[0.0], period=4.0)(1.0).position
    array(1.5)
    """

    def __init__(
        self,
        center: ArrayLike,
        sine: ArrayLike,
        cosine: ArrayLike,
        period: float,
        *,
        periods: int = 1,
        start_time: float = 0.0,
    ) -> None:
        self.center = finite("center", center)
        self.sine, self.cosine = finite("sine", sine), finite("cosine", cosine)
        self.period = float(finite("period", period, ()))
        for name, array in (("sine", self.sine), ("cosine", self.cosine)):
            if array.shape != (*self.sine.shape[:1], *self.center.shape) or not array.size:
                expected = ("harmonics", *self.center.shape)
                raise ValueError(f"{name} has shape {array.shape}, expected {expected}")
        super().__init__(start_time, start_time + whole("periods", periods, 1) * self.period)

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        order: Array = 2 * np.pi / self.period * np.arange(1, 1 + len(self.sine), dtype=np.float64)
        angle = (t - self.start_time)[:, None] * order
        s, c = np.sin(angle), np.cos(angle)

        def sums(sine: Array, cosine: Array) -> Array:
            told: Array = np.tensordot(sine, self.sine, 1) + np.tensordot(cosine, self.cosine, 1)
            return told

        return ProfileSample(
            self.center + sums(s, c), sums(order * c, -order * s), -sums(order**2 * s, order**2 * c)
        )
