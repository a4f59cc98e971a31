"""Motions through points as splines."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.profile import Profile, ProfileSample


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
    ProfileSample(position=array(4.), rate=array(4.), acceleration=array(2.))
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

    def inside(self, t: Array) -> ProfileSample:
        """Position, rate and acceleration at times (k,)."""
        return ProfileSample(*(np.asarray(derivative(t)) for derivative in self._derivatives))


def checked_knots(times: ArrayLike, points: ArrayLike) -> tuple[Array, Array]:
    """Times (n,) and points (n, ...) as numbers; ValueError if they do not fit together."""
    knots, rows = finite("times", times), finite("points", points)
    if knots.ndim != 1 or knots.size < 2 or not (np.diff(knots) > 0).all():
        raise ValueError("times must be at least two numbers that increase")
    if rows.shape[:1] != knots.shape:
        raise ValueError(f"points has shape {rows.shape}, expected {knots.size} points")
    return knots, rows


class CubicSpline(HermiteSpline):
    """`HermiteSpline` whose rates make the acceleration continuous: with h_i = t_i - t_(i-1),

        v_(i-1)/h_i + 2 (1/h_i + 1/h_(i+1)) v_i + v_(i+1)/h_(i+1)
            = 3 ((p_i - p_(i-1))/h_i^2 + (p_(i+1) - p_i)/h_(i+1)^2)

    inside. At an end the rate is given, or the acceleration is zero (natural). Of all motions
    through the points with these ends it has the least integral of acceleration squared.

    Reference: de Boor, *A Practical Guide to Splines* (2001), ch. IV.

    Parameters
    ----------
    times : (n,) increasing [s], n >= 2
    points : (n,) or (n, k)
    start_rate, end_rate : like a point, optional [1/s]
        Zero to start or end at rest.

    Raises ValueError for numbers that are not finite, other shapes, or times that do not increase.

    >>> spline = CubicSpline([0.0, 1.0, 2.0], [0.0, 1.0, 0.0], start_rate=0.0, end_rate=0.0)
    >>> spline([1.0 - 1e-12, 1.0]).acceleration.round(6)
    array([-6., -6.])
    """

    def __init__(
        self,
        times: ArrayLike,
        points: ArrayLike,
        *,
        start_rate: ArrayLike | None = None,
        end_rate: ArrayLike | None = None,
    ) -> None:
        from scipy.interpolate import CubicSpline as Interpolation

        knots, rows = checked_knots(times, points)
        ends = tuple(
            _end(name, rate, rows.shape[1:])
            for name, rate in (("start_rate", start_rate), ("end_rate", end_rate))
        )
        super().__init__(knots, rows, Interpolation(knots, rows, bc_type=ends)(knots, 1))


def _end(name: str, rate: ArrayLike | None, shape: tuple[int, ...]) -> tuple[int, Array]:
    """The derivative that is given at an end, by its order."""
    return (2, np.zeros(shape)) if rate is None else (1, finite(name, rate, shape))


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
