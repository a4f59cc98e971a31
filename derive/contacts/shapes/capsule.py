"""A capsule, a cylinder with half spheres at its ends: two spheres."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.shape import Shape, Site, beside, shape
from eomc.derive.elements.fields import AtPoint, Direction, Number, direction, number, point
from eomc.derive.elements.part import positive
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@shape("capsule")
class Capsule(Shape):
    """A capsule along `axis`; its two ends are sites, so that it may lie."""

    is_round = True

    capsule: AtPoint = point("centre")
    radius: Number = number("m")
    half_length: Number = number("m", "from the centre to the centres of its ends")
    axis: Direction = direction("in its body", of="capsule", default=(0, 0, 1))

    def count(self) -> int:
        """Two ends."""
        return 2

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Spheres at + and - the axis."""
        e, radius = unit_vector(self.axis, "axis"), scene.scalar(self.radius)
        ends = [beside(self.place, e, sign * self.half_length) for sign in (1, -1)]
        return [Site.ball(scene.point(end.body, end.xyz), radius) for end in ends]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        positive(self.radius, "radius", values)
        positive(self.half_length, "half_length", values)
