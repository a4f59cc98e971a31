"""Cubic Hermite splines through points at any times."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import Profile, Sample


class HermiteSpline(Profile):
    """Cubics between points, with continuous rates.

    Between t_i and t_(i+1) = t_i + h, with x = (t - t_i)/h:

        q = (1 + 2 x)(1 - x)^2 p_i + x (1 - x)^2 h v_i
            + x^2 (3 - 2 x) p_(i+1) + x^2 (x - 1) h v_(i+1)

    Rates v that are not given are those of the parabola through a point and its two neighbours (at
    an end, through the last three points), so that parabolas are reproduced; moving one point
    changes four intervals at most.

    Reference: de Boor, *A Practical Guide to Splines* (2001), ch. IV.

    Parameters
    ----------
    times : (n,) increasing [s], n >= 2
    points : (n,) or (n, k)
    rates : like points, optional [1/s]
    start_rate, end_rate : like a point, optional
        Rates at the ends, if `rates` is not given: zero to start or end at rest.

    Raises ValueError for numbers that are not finite, other shapes, or times that do not increase.

    >>> spline = HermiteSpline([0.0, 1.0, 3.0], [0.0, 1.0, 9.0])
    >>> spline(2.0)
    Sample(position=array(4.), rate=array(4.), acceleration=array(2.))
    """

    def __init__(
        self,
        times: ArrayLike,
        points: ArrayLike,
        rates: ArrayLike | None = None,
        *,
        start_rate: ArrayLike | None = None,
        end_rate: ArrayLike | None = None,
    ) -> None:
        from scipy.interpolate import CubicHermiteSpline

        knots, rows = checked_knots(times, points)
        if rates is not None:
            if start_rate is not None or end_rate is not None:
                raise ValueError("rates are given; start_rate and end_rate are among them")
            slopes = finite("rates", rates)
            if slopes.shape != rows.shape:
                raise ValueError(f"rates has shape {slopes.shape}, expected {rows.shape}")
        else:
            order: Literal[1, 2] = 2 if knots.size > 2 else 1
            slopes = np.asarray(np.gradient(rows, knots, axis=0, edge_order=order))
            for place, name, rate in ((0, "start_rate", start_rate), (-1, "end_rate", end_rate)):
                if rate is not None:
                    slopes[place] = finite(name, rate, rows.shape[1:])
        super().__init__(float(knots[0]), float(knots[-1]))
        spline = CubicHermiteSpline(knots, rows, slopes)
        self._derivatives = (spline, spline.derivative(), spline.derivative(2))

    def inside(self, t: Array) -> Sample:
        """Position, rate and acceleration at times (k,)."""
        return Sample(*(np.asarray(derivative(t)) for derivative in self._derivatives))


def checked_knots(times: ArrayLike, points: ArrayLike) -> tuple[Array, Array]:
    """Times (n,) and points (n, ...) as numbers; ValueError if they do not fit together."""
    knots, rows = finite("times", times), finite("points", points)
    if knots.ndim != 1 or knots.size < 2 or not (np.diff(knots) > 0).all():
        raise ValueError("times must be at least two numbers that increase")
    if rows.shape[:1] != knots.shape:
        raise ValueError(f"points has shape {rows.shape}, expected {knots.size} points")
    return knots, rows
