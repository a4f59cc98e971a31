"""Shapes that are a point or a segment with a radius."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from eomc.derive.contacts.shapes.rings import FLAT, ring
from eomc.derive.contacts.shapes.shape import Shape, Site, beside
from eomc.derive.fields.field import Direction, Number, Whole, direction, number, of_kind
from eomc.derive.fields.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.placement.placement import Point
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
    points: int = of_kind(Whole("fixed on each rim, on which it stands", most=8), default=0)

    def count(self) -> int:
        """Two rims, and the points on both."""
        return 2 + 2 * self.points

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Rims at + and - the axis."""
        e = unit_vector(self.axis, "axis")
        rims = [beside(self.at, e, sign * self.half_length) for sign in (1, -1)]
        found = [ring(scene, rim, self.axis, self.radius, 0, self.flat) for rim in rims]
        return found + [at for rim in rims for at in self._standing(scene, rim)]

    def _standing(self, scene: Scene, rim: Point) -> Iterator[Site]:
        """Points of a rim."""
        first, second = normal_directions(unit_vector(self.axis, "axis"))
        centre, r = scene.point(rim.body, rim.xyz), scene.scalar(self.radius)
        for k in range(self.points):
            turn = 2 * math.pi * k / self.points
            arm = scene.direction(rim.body, first) * (math.cos(turn) * r)
            arm = arm + scene.direction(rim.body, second) * (math.sin(turn) * r)

            def support(n: Vector, arm: Vector = arm) -> tuple[Expression, Vector]:
                return -n.dot(arm), arm

            yield Site(centre, support)

    def check_smooth(self) -> None:
        """Raise `ModelError` for points."""
        if self.points:
            raise ModelError("points are of cylinders that stand on planes; leave them out")

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
