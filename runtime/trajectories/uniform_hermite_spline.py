"""Cubic Hermite splines through points at equal intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.hermite_spline import HermiteSpline


class UniformHermiteSpline(HermiteSpline):
    """`HermiteSpline` through points at equal intervals h: v_i = (p_(i+1) - p_(i-1))/(2 h) inside.

    Reference: Catmull and Rom, A class of local interpolating splines, in *Computer Aided Geometric
    Design* (1974).

    Parameters
    ----------
    points : (n,) or (n, k), n >= 2
    duration : float [s]
        From the first to the last point.
    rates, start_rate, end_rate : as of `HermiteSpline`
    start_time : float [s]

    >>> UniformHermiteSpline([0.0, 1.0, 4.0], duration=2.0)(0.5).position
    array(0.25)
    """

    def __init__(
        self,
        points: ArrayLike,
        duration: float,
        rates: ArrayLike | None = None,
        *,
        start_rate: ArrayLike | None = None,
        end_rate: ArrayLike | None = None,
        start_time: float = 0.0,
    ) -> None:
        rows, span = finite("points", points), float(finite("duration", duration, ()))
        begin = float(finite("start_time", start_time, ()))
        if rows.ndim < 1 or len(rows) < 2:
            raise ValueError("points: give at least two")
        if not span > 0:
            raise ValueError("duration must be a positive number of seconds")
        times = np.linspace(begin, begin + span, len(rows))
        super().__init__(times, rows, rates, start_rate=start_rate, end_rate=end_rate)
