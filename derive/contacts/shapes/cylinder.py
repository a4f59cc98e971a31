"""A cylinder: its two rims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.ring import FLAT, ring
from eomc.derive.contacts.shapes.shape import Shape, Site, beside, shape
from eomc.derive.elements.fields import AtPoint, Direction, Number, direction, number, point
from eomc.derive.elements.part import positive
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@shape("cylinder")
class Cylinder(Shape):
    """A cylinder; its two rims are sites, so that it may lie on its mantle."""

    is_oval = True
    is_hollow = True

    cylinder: AtPoint = point("centre")
    radius: Number = number("m")
    half_length: Number = number("m")
    axis: Direction = direction("of the cylinder, in its body", of="cylinder", default=(0, 0, 1))
    flat: Number = number("", "delta near which a rim counts as lying flat", default=FLAT)

    def count(self) -> int:
        """Two rims."""
        return 2

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Rims at + and - the axis."""
        e = unit_vector(self.axis, "axis")
        rims = [beside(self.place, e, sign * self.half_length) for sign in (1, -1)]
        return [ring(scene, rim, self.axis, self.radius, 0, self.flat) for rim in rims]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for word in ("radius", "half_length", "flat"):
            positive(getattr(self, word), word, values)
