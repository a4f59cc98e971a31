"""A capsule that balls meet: the distance from its segment, which has a kink of curvature where the
mantle ends."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial
from eomc.derive.fields.field import Direction, Number, direction, number
from eomc.derive.fields.part import positive
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.scene.loads import Scene


@kind("capsule")
class CapsuleSurface(Surface):
    """A cylinder with half spheres at its ends."""

    radius: Number = number("m")
    half_length: Number = number("m", "from the centre to the centres of its ends")
    axis: Direction = direction("in its body", of="at", default=(0, 0, 1))

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From the nearest point of the segment."""
        e = scene.direction(self.at.body, unit_vector(self.axis, "axis"))
        away = site.centre.position - self.carrier(scene).position
        half = scene.scalar(self.half_length)
        t = e.dot(away).binary("max", -half).binary("min", half)
        return from_distance(site, *radial(away - e * t, scene.scalar(self.radius), False))

    def check_convex(self, shape: Shape) -> None:
        """Raise `ModelError` for a ring, which may meet a segment in two places."""
        if shape.is_hollow:
            raise ModelError(
                f"no form for the pair {shape.word} and capsule: a ring may meet a segment in two "
                "places; give a cylinder, or a sphere at each end"
            )

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """By the point of the segment that is nearest: where the line is, between the ends."""
        assert site.oval is not None and site.distance is not None
        body, origin, half = self.at.body, self.carrier(scene), scene.scalar(self.half_length)
        unit = unit_vector(self.axis, "axis")
        first, second = (scene.direction(body, d) for d in normal_directions(unit))
        away, e = origin.position - site.centre.position, scene.direction(body, unit)
        arm = site.oval.from_line(away, (first, second), self.code)[2]
        t = e.dot(arm - away).binary("max", -half).binary("min", half)
        place = origin.position + e * t
        distance, n = site.distance(place)
        return Touch(distance - scene.scalar(self.radius), -n, place - n * distance)

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        positive(self.radius, "radius", values)
        positive(self.half_length, "half_length", values)
