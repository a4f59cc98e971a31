"""An ellipsoid of semi-axes a_i: h = sqrt(sum (a_i u_i)^2), arm_i = -a_i^2 u_i / h.

No angles are used, so that it has no pole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.ellipsoid_distance import from_ellipsoid
from eomc.derive.contacts.shapes.shape import Shape, Site, shape, triad
from eomc.derive.elements.fields import (
    AtPoint,
    Direction,
    Position,
    direction,
    point,
    position,
)
from eomc.derive.elements.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.scene.loads import Scene


@shape("ellipsoid")
class Ellipsoid(Shape):
    """An ellipsoid with semi-axes along `first`, across both, and along `axis`."""

    ellipsoid: AtPoint = point("centre")
    semi_axes: Position = position("m", "three of them")
    axis: Direction = direction("of the third, in its body", of="ellipsoid", default=(0, 0, 1))
    first: Direction = direction("of the first, in its body", of="ellipsoid", default=(1, 0, 0))

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        at = self.place
        axes = [scene.direction(at.body, e) for e in triad(self.axis, self.first)]
        squares = [(a := scene.scalar(half)) * a for half in self.semi_axes]

        def support(n: Vector) -> tuple[Expression, Vector]:
            u, zero = [e.dot(n) for e in axes], scene.tree.zero
            h = sum((d * c * c for d, c in zip(squares, u, strict=True)), zero).sqrt()
            arm = scene.tree.zero_vector()
            for d, c, e in zip(squares, u, axes, strict=True):
                arm = arm - e * (d * c / h)
            return h, arm

        centre = scene.point(at.body, at.xyz)
        sizes = [scene.scalar(half) for half in self.semi_axes]

        def distance(place: Vector) -> tuple[Expression, Vector]:
            return from_ellipsoid(place - centre.position, axes, sizes, at.body)

        return [Site(centre, support, distance=distance)]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for half in self.semi_axes:
            positive(half, "semi_axes", values)
