"""A torus: a circle with a tube about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.ring import FLAT, ring
from eomc.derive.contacts.shapes.shape import Shape, Site, shape
from eomc.derive.elements.fields import AtPoint, Direction, Number, direction, number, point
from eomc.derive.elements.part import positive
from eomc.derive.scene.loads import Scene


@shape("torus")
class Torus(Shape):
    """A tube about a circle."""

    is_oval = True
    is_hollow = True

    torus: AtPoint = point("centre")
    radius: Number = number("m", "of the circle in the middle of the tube")
    tube: Number = number("m", "radius of the tube")
    axis: Direction = direction("of the circle, in its body", of="torus", default=(0, 0, 1))
    flat: Number = number("", "delta near which it counts as lying flat", default=FLAT)

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        return [ring(scene, self.place, self.axis, self.radius, self.tube, self.flat)]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for word in ("radius", "tube", "flat"):
            positive(getattr(self, word), word, values)
