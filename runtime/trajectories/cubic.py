"""Cubic polynomials between two positions and rates."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.polynomial import Polynomial


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
    Sample(position=array(0.5), rate=array(0.75), acceleration=array(0.))
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
