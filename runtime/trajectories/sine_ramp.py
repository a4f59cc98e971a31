"""The sine ramp, also called cycloidal motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import Array, Profile, Sample


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

    def inside(self, t: Array) -> Sample:
        """Position, rate and acceleration at times (k,)."""
        step = self.end - self.start
        turn = 2 * np.pi / self.duration
        angle = (turn * (t - self.start_time)).reshape(-1, *[1] * step.ndim)
        return Sample(
            self.start + step * ((angle - np.sin(angle)) / (2 * np.pi)),
            step * ((1 - np.cos(angle)) / self.duration),
            step * (turn * np.sin(angle) / self.duration),
        )
