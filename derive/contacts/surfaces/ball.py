"""A sphere that shapes meet, from outside or inside: |d| - R."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial, surface
from eomc.derive.elements.fields import AtPoint, Number, choice, number, point
from eomc.derive.elements.part import positive
from eomc.derive.language.errors import ModelError
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

    def check_convex(self) -> None:
        """From outside."""
        if self.side == "inside":
            raise ModelError('side = "inside" is of points, spheres, capsules and boxes')

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """From outside, by the distance of its centre from the shape."""
        assert site.distance is not None
        centre = self.carrier(scene).position
        distance, normal = site.distance(centre)
        return Touch(distance - scene.scalar(self.radius), -normal, centre - normal * distance)

    def check(self, values: Mapping[str, float]) -> None:
        """A radius."""
        positive(self.radius, "radius", values)
