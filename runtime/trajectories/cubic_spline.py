"""Cubic splines through points at any times, with continuous accelerations."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.model.arguments import finite
from eomc.runtime.trajectories.hermite_spline import HermiteSpline, checked_knots


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
