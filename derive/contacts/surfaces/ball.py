"""A sphere that balls meet, from outside or inside: |d| - R."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial, surface
from eomc.derive.elements.fields import AtPoint, Number, choice, number, point
from eomc.derive.elements.part import positive
from eomc.derive.scene.loads import Scene


@surface("sphere")
class SphereSurface(Surface):
    """A sphere; where centres coincide there is no normal, and the result is no number."""

    sphere: AtPoint = point("centre")
    radius: Number = number("m")
    side: str = choice("outside", "inside", default="outside")

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From centre to centre."""
        away = site.centre.position - self.carrier(scene).position
        found = radial(away, scene.scalar(self.radius), self.side == "inside")
        return from_distance(site, *found)

    def check(self, values: Mapping[str, float]) -> None:
        """A radius."""
        positive(self.radius, "radius", values)
