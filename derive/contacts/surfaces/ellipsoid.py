"""An ellipsoid, met from outside: by balls as `contacts.shapes.ellipsoid_distance` says, by ovals
on a common normal."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.ellipsoid_distance import from_ellipsoid
from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.contacts.shapes.shape import Site, triad
from eomc.derive.contacts.surfaces.common_normal import between_ovals
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance
from eomc.derive.fields.field import Direction, Position, direction, position
from eomc.derive.fields.part import positive
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene


@kind("ellipsoid")
class EllipsoidSurface(Surface):
    """An ellipsoid with semi-axes along `first`, across both, and along `axis`."""

    semi_axes: Position = position("m", "three of them")
    axis: Direction = direction("of the third, in its body", of="at", default=(0, 0, 1))
    first: Direction = direction("of the first, in its body", of="at", default=(1, 0, 0))

    def touch(self, scene: Scene, site: Site) -> Touch:
        """Along the normal at the nearest point."""
        axes = [scene.direction(self.at.body, e) for e in triad(self.axis, self.first)]
        away = site.centre.position - self.carrier(scene).position
        sizes = [scene.scalar(half) for half in self.semi_axes]
        return from_distance(site, *from_ellipsoid(away, axes, sizes, self.at.body))

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """On a common normal; of a ring its outline, filled."""
        assert site.oval is not None
        axes = [scene.direction(self.at.body, e) for e in triad(self.axis, self.first)]
        own = Oval(axes, [scene.scalar(half) for half in self.semi_axes], scene.tree.zero)
        away = site.centre.position - self.carrier(scene).position
        gap, normal, arm = between_ovals(away, site.oval, own, self.code)
        return Touch(gap, normal, site.centre.position + arm)

    def check(self, values: Mapping[str, float]) -> None:
        """Three sizes."""
        for size in self.semi_axes:
            positive(size, "semi_axes", values)
