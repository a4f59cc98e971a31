"""A torus that balls meet from outside its tube: sqrt((rho - r)^2 + z^2) - a."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial, surface
from eomc.derive.elements.fields import AtPoint, Direction, Number, direction, number, point
from eomc.derive.elements.part import not_negative, positive
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@surface("torus")
class TorusSurface(Surface):
    """A tube about a circle, or the circle itself if `tube` is 0; no normal on its axis."""

    torus: AtPoint = point("centre")
    radius: Number = number("m", "of the circle in the middle of the tube")
    tube: Number = number("m", "radius of the tube", default=0)
    axis: Direction = direction("in its body", of="torus", default=(0, 0, 1))

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From the nearest point of the circle."""
        e = scene.direction(self.place.body, unit_vector(self.axis, "axis"))
        away = site.centre.position - self.carrier(scene).position
        across = away - e * e.dot(away)
        nearest = across * (scene.scalar(self.radius) / across.norm())
        return from_distance(site, *radial(away - nearest, scene.scalar(self.tube), False))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        positive(self.radius, "radius", values)
        not_negative(self.tube, "tube", values)
