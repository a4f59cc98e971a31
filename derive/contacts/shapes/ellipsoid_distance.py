"""The distance from an ellipsoid to a place outside.

From y, in its axes, the nearest point is x_i = a_i^2 y_i/(t + a_i^2) with the largest root t of

    F(t) = sum (a_i y_i/(t + a_i^2))^2 - 1

and the distance is t |N|, N_i = x_i/a_i^2 being normal to it. F is convex and falls, so that
Newton's method rises from where F >= 0 to the root and never passes it; its fixed number of steps
reaches rounding from any place outside, and the derivatives of the last ones are those of the
implicit function. Deeper inside than the least radius of curvature the nearest point is not one.
Reference: Eberly, *Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import reduce

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression

#: Eight from the start below bring 10^4 random places outside to rounding, and two more the
#: derivatives.
STEPS = 10
#: For the furthest point, before the two that are differentiated.
_FAR = 8
_SETTLED = 1e-6


def from_ellipsoid(
    away: Vector, axes: Sequence[Vector], sizes: Sequence[Expression], body: str
) -> tuple[Expression, Vector]:
    """Distance and normal of a place `away` from the middle; a return code deep inside."""
    zero = away.x * 0
    y = [away.dot(e) for e in axes]
    t = nearest(y, sizes)
    n = [b / (t + a * a) for a, b in zip(sizes, y, strict=True)]
    steep = sum((x * x for x in n), zero).sqrt()
    distance = t * steep
    small, large = (reduce(lambda a, b: a.binary(m, b), sizes) for m in ("min", "max"))
    depth, code = small * small / large, re.sub(r"\W", "_", body)
    inside = (distance + depth).required(f"no_nearest_point_on_{code}")
    distance = inside.if_less(zero, -depth, distance)
    parts = [e * (x / steep) for e, x in zip(axes, n, strict=True)]
    return distance, parts[0] + parts[1] + parts[2]


def furthest_of_ellipsoid(
    away: Vector, axes: Sequence[Vector], sizes: Sequence[Expression], body: str
) -> tuple[Expression, Vector]:
    """Distance of the furthest point from a place `away` from the middle, and the unit vector from
    there to the place: by the least root of F, and a return code if it is one of several."""
    zero, y = away.x * 0, [away.dot(e) for e in axes]
    starts = [-a * a - a * b.unary("abs") for a, b in zip(sizes, y, strict=True)]
    t, step = reduce(lambda a, b: a.binary("min", b), starts), zero
    for _ in range(_FAR):
        step = _towards_root(t, y, sizes)
        t = t + step
    largest = reduce(lambda a, b: a.binary("max", b), sizes)
    settled = largest * largest * largest * largest * _SETTLED**2 - step * step
    code = re.sub(r"\W", "_", body)
    t = t.frozen_unless(settled.required(f"no_furthest_point_of_{code}"))
    for _ in range(2):
        t = t + _towards_root(t, y, sizes)
    n = [b / (t + a * a) for a, b in zip(sizes, y, strict=True)]
    steep = sum((x * x for x in n), zero).sqrt()
    parts = [e * (x / steep) for e, x in zip(axes, n, strict=True)]
    return -t * steep, -(parts[0] + parts[1] + parts[2])


def _towards_root(
    t: Expression, y: Sequence[Expression], sizes: Sequence[Expression]
) -> Expression:
    """A step of Newton's method for 1/sqrt(F + 1) = 1, which passes no root beyond the poles."""
    square, slope = t * 0, t * 0
    for a, b in zip(sizes, y, strict=True):
        across = a * b / (t + a * a)
        square = square + across * across
        slope = slope + across * across / (t + a * a)
    return square * (square.sqrt() - 1) / slope


def nearest(y: Sequence[Expression], sizes: Sequence[Expression]) -> Expression:
    """The largest root t of F."""
    shares = [(b / a) * (b / a) for a, b in zip(sizes, y, strict=True)]
    beyond = shares[0] + shares[1] + shares[2] - 1
    starts = [b.unary("abs") * a - a * a for a, b in zip(sizes, y, strict=True)]
    t = reduce(lambda a, b: a.binary("max", b), starts)
    zero = beyond * 0
    t = beyond.if_less(zero, t, t.binary("max", zero))
    for _ in range(STEPS):
        value, slope = zero - 1, zero
        for a, b in zip(sizes, y, strict=True):
            across = a * b / (t + a * a)
            value = value + across * across
            slope = slope + across * across / (t + a * a)
        t = t + value / (2 * slope)
    return t
