"""A cylinder without ends, met from outside or inside: rho - R."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial, surface
from eomc.derive.elements.fields import AtPoint, Direction, Number, choice, direction, number, point
from eomc.derive.elements.part import positive
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@surface("cylinder")
class CylinderSurface(Surface):
    """A cylinder about an axis, as long as it takes; on the axis there is no normal."""

    cylinder: AtPoint = point("of the axis")
    radius: Number = number("m")
    axis: Direction = direction("in its body", of="cylinder", default=(0, 0, 1))
    side: str = choice("outside", "inside", default="outside")

    def touch(self, scene: Scene, site: Site) -> Touch:
        """Across the axis."""
        e = scene.direction(self.place.body, unit_vector(self.axis, "axis"))
        away = site.centre.position - self.carrier(scene).position
        across = away - e * e.dot(away)
        found = radial(across, scene.scalar(self.radius), self.side == "inside")
        return from_distance(site, *found)

    def check(self, values: Mapping[str, float]) -> None:
        """A radius."""
        positive(self.radius, "radius", values)
