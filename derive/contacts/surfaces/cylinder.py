"""A cylinder without ends, met from outside or inside: rho - R; or a solid one with ends, which
balls meet from outside.

Ovals meet it by what is seen along its axis: a ring may hang on it.
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, radial
from eomc.derive.fields.field import Direction, Number, OptionalNumber, choice, direction, number
from eomc.derive.fields.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import absolute, either, sign, vector_of
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.scene.loads import Scene


@kind("cylinder")
class CylinderSurface(Surface):
    """A cylinder about an axis, without ends or with them; on the axis there is no normal."""

    is_rolled_on = True

    radius: Number = number("m")
    axis: Direction = direction("in its body", of="at", default=(0, 0, 1))
    side: str = choice("outside", "inside", default="outside")
    half_length: OptionalNumber = number("m", "from the centre to its ends", default=None)

    def touch(self, scene: Scene, site: Site) -> Touch:
        """Across the axis."""
        e = scene.direction(self.at.body, unit_vector(self.axis, "axis"))
        away = site.centre.position - self.carrier(scene).position
        across = away - e * e.dot(away)
        beyond, n = radial(across, scene.scalar(self.radius), self.side == "inside")
        if self.half_length is None:
            return from_distance(site, beyond, n)
        z = e.dot(away)
        up, over = e * sign(z), absolute(z) - scene.scalar(self.half_length)
        # Beside the mantle, over an end, or past the edge between them.
        square = beyond * beyond + over * over
        size = either(square, square, square * 0 + 1).sqrt()
        edge, past = (n * beyond + up * over) * (1 / size), beyond.binary("min", over)
        distance = either(past, size, beyond.binary("max", over))
        normal = vector_of(past, edge, vector_of(over - beyond, up, n))
        return from_distance(site, distance, normal)

    def check_convex(self, shape: Shape) -> None:
        """Raise `ModelError` for ends, which balls alone meet, and for wheels in pipes."""
        if shape.meets and self.side == "inside":
            raise ModelError(f"a {shape.word} meets a cylinder from outside alone")
        if self.half_length is not None:
            raise ModelError(
                f"no form for the pair {shape.word} and a cylinder with half_length; leave it out, "
                "or give balls or capsules"
            )

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """By what is seen along the axis."""
        body, radius = self.at.body, scene.scalar(self.radius)
        first, second = normal_directions(unit_vector(self.axis, "axis"))
        across = scene.direction(body, first), scene.direction(body, second)
        away = self.carrier(scene).position - site.centre.position
        if site.turned is not None:
            distance, n, arm = site.turned.from_line(away, across)
            return Touch(distance - radius, -n, site.centre.position + arm)
        assert site.oval is not None
        if self.side == "inside":
            distance, n, arm = site.oval.furthest_from_line(away, across, self.code)
            return Touch(radius - distance, n, site.centre.position + arm)
        distance, n, arm = site.oval.from_line(away, across, self.code)
        return Touch(distance - radius, -n, site.centre.position + arm)

    def along(self, scene: Scene, normal: Vector) -> tuple[Vector, Vector]:
        """Along the axis, and round it."""
        e = scene.direction(self.at.body, unit_vector(self.axis, "axis"))
        return e, normal.cross(e)

    def check(self, values: Mapping[str, float]) -> None:
        """A radius."""
        positive(self.radius, "radius", values)
        if self.half_length is not None:
            positive(self.half_length, "half_length", values)
            if self.side == "inside":
                raise ModelError('half_length: of side = "outside" alone')
