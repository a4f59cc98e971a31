"""A torus that balls meet from outside its tube: sqrt((rho - r)^2 + z^2) - a."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial
from eomc.derive.fields.field import Direction, Number, direction, number
from eomc.derive.fields.part import not_negative, positive
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@kind("torus")
class TorusSurface(Surface):
    """A tube about a circle, or the circle itself if `tube` is 0; no normal on its axis."""

    radius: Number = number("m", "of the circle in the middle of the tube")
    tube: Number = number("m", "radius of the tube", default=0)
    axis: Direction = direction("in its body", of="at", default=(0, 0, 1))

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From the nearest point of the circle."""
        e = scene.direction(self.at.body, unit_vector(self.axis, "axis"))
        away = site.centre.position - self.carrier(scene).position
        across = away - e * e.dot(away)
        nearest = across * (scene.scalar(self.radius) / across.norm())
        return from_distance(site, *radial(away - nearest, scene.scalar(self.tube), False))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        positive(self.radius, "radius", values)
        not_negative(self.tube, "tube", values)
