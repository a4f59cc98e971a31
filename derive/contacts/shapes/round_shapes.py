"""Shapes that are a point or a segment with a radius."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.rings import FLAT, ring
from eomc.derive.contacts.shapes.shape import Shape, Site, beside
from eomc.derive.fields.field import Direction, Number, direction, number
from eomc.derive.fields.part import positive
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@kind("capsule")
class Capsule(Shape):
    """A capsule along `axis`; its two ends are sites, so that it may lie."""

    is_round = True

    radius: Number = number("m")
    half_length: Number = number("m", "from the centre to the centres of its ends")
    axis: Direction = direction("in its body", of="at", default=(0, 0, 1))

    def count(self) -> int:
        """Two ends."""
        return 2

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Spheres at + and - the axis."""
        e, radius = unit_vector(self.axis, "axis"), scene.scalar(self.radius)
        ends = [beside(self.at, e, sign * self.half_length) for sign in (1, -1)]
        return [Site.ball(scene.point(end.body, end.xyz), radius) for end in ends]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        positive(self.radius, "radius", values)
        positive(self.half_length, "half_length", values)


@kind("cylinder")
class Cylinder(Shape):
    """A cylinder; its two rims are sites, so that it may lie on its mantle."""

    is_oval = True
    is_hollow = True

    radius: Number = number("m")
    half_length: Number = number("m")
    axis: Direction = direction("of the cylinder, in its body", of="at", default=(0, 0, 1))
    flat: Number = number("", "delta near which a rim counts as lying flat", default=FLAT)

    def count(self) -> int:
        """Two rims."""
        return 2

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Rims at + and - the axis."""
        e = unit_vector(self.axis, "axis")
        rims = [beside(self.at, e, sign * self.half_length) for sign in (1, -1)]
        return [ring(scene, rim, self.axis, self.radius, 0, self.flat) for rim in rims]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for word in ("radius", "half_length", "flat"):
            positive(getattr(self, word), word, values)


@kind("point")
class PointShape(Shape):
    """A point of a body."""

    is_round = True

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        at = self.at
        return [Site.ball(scene.point(at.body, at.xyz), scene.tree.zero)]


@kind("sphere")
class Sphere(Shape):
    """A sphere."""

    is_round = True

    radius: Number = number("m")

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        at = self.at
        return [Site.ball(scene.point(at.body, at.xyz), scene.scalar(self.radius))]

    def check(self, values: Mapping[str, float]) -> None:
        """A radius."""
        positive(self.radius, "radius", values)
