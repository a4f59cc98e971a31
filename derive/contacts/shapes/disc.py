"""A thin disc: a circle without thickness."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.ring import FLAT, ring
from eomc.derive.contacts.shapes.shape import Shape, Site, shape
from eomc.derive.elements.fields import AtPoint, Direction, Number, direction, number, point
from eomc.derive.elements.part import positive
from eomc.derive.scene.loads import Scene


@shape("disc")
class Disc(Shape):
    """A thin disc, or the rim of a coin."""

    is_oval = True
    is_hollow = True

    disc: AtPoint = point("centre")
    radius: Number = number("m")
    axis: Direction = direction("across the disc, in its body", of="disc", default=(0, 0, 1))
    flat: Number = number("", "delta near which it counts as lying flat", default=FLAT)

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        return [ring(scene, self.place, self.axis, self.radius, 0, self.flat)]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for word in ("radius", "flat"):
            positive(getattr(self, word), word, values)
