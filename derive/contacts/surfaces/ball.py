"""A sphere that shapes meet, from outside or inside: |d| - R."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial
from eomc.derive.fields.field import Number, choice, number
from eomc.derive.fields.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import vector_of
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene


@kind("sphere")
class SphereSurface(Surface):
    """A sphere; where centres coincide there is no normal, and the result is no number."""

    is_rolled_on = True

    radius: Number = number("m")
    side: str = choice("outside", "inside", default="outside")

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From centre to centre."""
        away = site.centre.position - self.carrier(scene).position
        found = radial(away, scene.scalar(self.radius), self.side == "inside")
        return from_distance(site, *found)

    def check_convex(self, shape: Shape) -> None:
        """Raise `ModelError` for wheels in bowls."""
        if shape.meets and self.side == "inside":
            raise ModelError(f"a {shape.word} meets a sphere from outside alone")

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """By the distance of its centre from the shape, or from the furthest point of the shape."""
        assert site.distance is not None
        centre, radius = self.carrier(scene).position, scene.scalar(self.radius)
        if self.side == "inside":
            assert site.furthest is not None
            distance, towards = site.furthest(centre)
            return Touch(radius - distance, towards, centre - towards * distance)
        distance, normal = site.distance(centre)
        return Touch(distance - radius, -normal, centre - normal * distance)

    def along(self, scene: Scene, normal: Vector) -> tuple[Vector, Vector]:
        """Round its z axis and towards it; round the x axis within 45 degrees of z."""
        x, z = (scene.direction(self.at.body, e) for e in ((1, 0, 0), (0, 0, 1)))
        share = z.dot(normal)
        first = vector_of(share * share - 0.5, x, z).cross(normal)
        first = first * (1 / first.norm())
        return first, normal.cross(first)

    def check(self, values: Mapping[str, float]) -> None:
        """A radius."""
        positive(self.radius, "radius", values)
