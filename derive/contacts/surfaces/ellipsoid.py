"""An ellipsoid that balls meet from outside: the distance to its nearest point.

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
from collections.abc import Mapping
from functools import reduce

from eomc.derive.contacts.shapes.shape import Site, triad
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, surface
from eomc.derive.elements.fields import (
    AtPoint,
    Direction,
    Position,
    direction,
    point,
    position,
)
from eomc.derive.elements.part import positive
from eomc.derive.graph import Expression
from eomc.derive.scene.loads import Scene

#: Eight from the start below bring 10^4 random places outside to rounding, and two more the
#: derivatives.
STEPS = 10


@surface("ellipsoid")
class EllipsoidSurface(Surface):
    """An ellipsoid with semi-axes along `first`, across both, and along `axis`."""

    ellipsoid: AtPoint = point("centre")
    semi_axes: Position = position("m", "three of them")
    axis: Direction = direction("of the third, in its body", of="ellipsoid", default=(0, 0, 1))
    first: Direction = direction("of the first, in its body", of="ellipsoid", default=(1, 0, 0))

    def touch(self, scene: Scene, site: Site) -> Touch:
        """Along the normal at the nearest point."""
        axes = [scene.direction(self.place.body, e) for e in triad(self.axis, self.first)]
        away = site.centre.position - self.carrier(scene).position
        y = [away.dot(e) for e in axes]
        sizes = [scene.scalar(half) for half in self.semi_axes]
        t = nearest(y, sizes)
        n = [b / (t + a * a) for a, b in zip(sizes, y, strict=True)]
        steep = sum((x * x for x in n), scene.tree.zero).sqrt()
        distance = t * steep
        small, large = (reduce(lambda a, b: a.binary(m, b), sizes) for m in ("min", "max"))
        depth, code = small * small / large, re.sub(r"\W", "_", self.place.body)
        inside = (distance + depth).required(f"no_nearest_point_on_{code}")
        distance = inside.if_less(scene.tree.zero, -depth, distance)
        normal = sum((e * (x / steep) for e, x in zip(axes, n, strict=True)),
                     scene.tree.zero_vector())  # fmt: skip
        return from_distance(site, distance, normal)

    def check(self, values: Mapping[str, float]) -> None:
        """Three sizes."""
        for size in self.semi_axes:
            positive(size, "semi_axes", values)


def nearest(y: list[Expression], sizes: list[Expression]) -> Expression:
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
