"""The sine ramp, also called cycloidal motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import Profile, ProfileSample


class SineRamp(Profile):
    """From rest to rest with a sine for acceleration, which is zero at both ends:

        q = start + (end - start) (x - sin(2 pi x)/(2 pi)),   x = (t - start_time)/duration

    Reference: Angeles, *Fundamentals of Robotic Mechanical Systems* (2007), sec. 6.4.

    Parameters
    ----------
    start, end : number or array, of the same shape
    duration : float [s]
    start_time : float [s]

    Raises ValueError for numbers that are not finite, other shapes, or no positive duration.

    >>> SineRamp(0.0, 1.0, duration=2.0)(1.0).rate
    array(1.)
    """

    def __init__(
        self, start: ArrayLike, end: ArrayLike, duration: float, *, start_time: float = 0.0
    ) -> None:
        self.start = finite("start", start)
        self.end = finite("end", end, self.start.shape)
        super().__init__(start_time, start_time + float(finite("duration", duration, ())))
        self._step = self.end - self.start
        self._turn = 2 * np.pi / self.duration
        self._alike = (-1, *[1] * self.start.ndim)

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        angle = self._turn * (t - self.start_time)
        sine, cosine = np.sin(angle), np.cos(angle)
        rows = (
            (angle - sine) / (2 * np.pi),
            (1 - cosine) * (self._turn / (2 * np.pi)),
            sine * (self._turn**2 / (2 * np.pi)),
        )
        shares = (row.reshape(self._alike) for row in rows)
        position, rate, acceleration = (self._step * share for share in shares)
        return ProfileSample(self.start + position, rate, acceleration)
