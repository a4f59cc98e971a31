"""Motions between two states as polynomials of time."""

from __future__ import annotations

import numpy as np
from numpy.polynomial.polynomial import polyder, polyval
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import Profile, ProfileSample


class Polynomial(Profile):
    """sum_n c_n x^n of x = (t - start_time)/duration, with coefficients c (degree + 1, ...)."""

    def __init__(self, coefficients: Array, duration: float, start_time: float) -> None:
        super().__init__(start_time, start_time + duration)
        if not np.isfinite(coefficients).all():
            raise ValueError("duration, start or end are too large: the coefficients overflow")
        self.coefficients = coefficients

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        x = (t - self.start_time) / self.duration
        rows = [polyder(self.coefficients, m, scl=1 / self.duration) for m in range(3)]
        values = (np.moveaxis(polyval(x, part), -1, 0) for part in rows)
        return ProfileSample(*(np.asarray(value, dtype=np.float64) for value in values))


class Cubic(Polynomial):
    """The cubic with given positions and rates at both ends; from rest to rest by default.

    Of all motions with these ends it has the least integral of acceleration squared. From rest to
    rest, with x = (t - start_time)/duration:

        q = start + (end - start) (3 x^2 - 2 x^3)

    Acceleration jumps at the ends.

    Reference: Siciliano et al., *Robotics* (2009), sec. 4.2.1.

    Parameters
    ----------
    start, end : number or array, of the same shape
    duration : float [s]
    start_rate, end_rate : number or array [1/s]
    start_time : float [s]

    Raises ValueError for numbers that are not finite, other shapes, or no positive duration.

    >>> Cubic(0.0, 1.0, duration=2.0)(1.0)
    ProfileSample(position=array(0.5), rate=array(0.75), acceleration=array(0.))
    """

    @np.errstate(over="ignore", invalid="ignore")  # what overflows is refused
    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike,
        duration: float,
        *,
        start_rate: ArrayLike = 0.0,
        end_rate: ArrayLike = 0.0,
        start_time: float = 0.0,
    ) -> None:
        first = finite("start", start)
        span, shape = float(finite("duration", duration, ())), first.shape
        step = finite("end", end, shape) - first
        leave = finite("start_rate", start_rate, shape) * span
        arrive = finite("end_rate", end_rate, shape) * span
        rows = (first, leave, 3 * step - 2 * leave - arrive, leave + arrive - 2 * step)
        super().__init__(np.array(rows), span, start_time)


class Quintic(Polynomial):
    """The quintic with given positions, rates and accelerations at both ends.

    Of all motions with these ends it has the least integral of jerk squared. From rest to rest,
    with x = (t - start_time)/duration:

        q = start + (end - start) (10 x^3 - 15 x^4 + 6 x^5)

    Reference: Flash and Hogan, The coordination of arm movements, J. Neuroscience 5 (1985);
    Siciliano et al., *Robotics* (2009), sec. 4.2.1.

    Parameters
    ----------
    start, end : number or array, of the same shape
    duration : float [s]
    start_rate, end_rate : number or array [1/s]
    start_acceleration, end_acceleration : number or array [1/s^2]
    start_time : float [s]

    Raises ValueError for numbers that are not finite, other shapes, or no positive duration.

    >>> Quintic(0.0, 1.0, duration=2.0)(1.0).position
    array(0.5)
    """

    @np.errstate(over="ignore", invalid="ignore")  # what overflows is refused
    def __init__(
        self,
        start: ArrayLike,
        end: ArrayLike,
        duration: float,
        *,
        start_rate: ArrayLike = 0.0,
        end_rate: ArrayLike = 0.0,
        start_acceleration: ArrayLike = 0.0,
        end_acceleration: ArrayLike = 0.0,
        start_time: float = 0.0,
    ) -> None:
        first = finite("start", start)
        span, shape = float(finite("duration", duration, ())), first.shape
        leave = finite("start_rate", start_rate, shape) * span
        bend = finite("start_acceleration", start_acceleration, shape) * (span * span)
        # What the first three coefficients leave for the others to do at x = 1.
        p = finite("end", end, shape) - first - leave - bend / 2
        v = finite("end_rate", end_rate, shape) * span - leave - bend
        a = finite("end_acceleration", end_acceleration, shape) * (span * span) - bend
        higher = (10 * p - 4 * v + a / 2, -15 * p + 7 * v - a, 6 * p - 3 * v + a / 2)
        super().__init__(np.array((first, leave, bend / 2, *higher)), span, start_time)
