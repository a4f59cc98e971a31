"""A sphere: h = r."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.shape import Shape, Site, shape
from eomc.derive.elements.fields import AtPoint, Number, number, point
from eomc.derive.elements.part import positive
from eomc.derive.scene.loads import Scene


@shape("sphere")
class Sphere(Shape):
    """A sphere."""

    is_round = True

    sphere: AtPoint = point("centre")
    radius: Number = number("m")

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        at = self.place
        return [Site.ball(scene.point(at.body, at.xyz), scene.scalar(self.radius))]

    def check(self, values: Mapping[str, float]) -> None:
        """A radius."""
        positive(self.radius, "radius", values)
