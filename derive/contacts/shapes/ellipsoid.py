"""An ellipsoid of semi-axes a_i: h = sqrt(sum (a_i u_i)^2), arm_i = -a_i^2 u_i / h.

No angles are used, so that it has no pole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.ellipsoid_distance import from_ellipsoid, furthest_of_ellipsoid
from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.contacts.shapes.shape import Shape, Site, triad
from eomc.derive.fields.field import Direction, Position, direction, position
from eomc.derive.fields.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene


@kind("ellipsoid")
class Ellipsoid(Shape):
    """An ellipsoid with semi-axes along `first`, across both, and along `axis`."""

    is_oval = True

    semi_axes: Position = position("m", "three of them")
    axis: Direction = direction("of the third, in its body", of="at", default=(0, 0, 1))
    first: Direction = direction("of the first, in its body", of="at", default=(1, 0, 0))

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        at = self.at
        axes = [scene.direction(at.body, e) for e in triad(self.axis, self.first)]
        sizes = [scene.scalar(half) for half in self.semi_axes]
        oval, centre = Oval(axes, sizes, scene.tree.zero), scene.point(at.body, at.xyz)

        def support(n: Vector) -> tuple[Expression, Vector]:
            h, furthest = oval.support(n)
            return h, -furthest

        def distance(place: Vector) -> tuple[Expression, Vector]:
            return from_ellipsoid(place - centre.position, axes, sizes, at.body)

        def furthest(place: Vector) -> tuple[Expression, Vector]:
            return furthest_of_ellipsoid(place - centre.position, axes, sizes, at.body)

        return [Site(centre, support, distance=distance, furthest=furthest, oval=oval)]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for half in self.semi_axes:
            positive(half, "semi_axes", values)
