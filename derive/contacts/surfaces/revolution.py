"""A surface of revolution that balls meet, from outside or inside: funnels, bowls, wheels."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.profiles.profile import (
    Curve,
    OfProfile,
    ProfileField,
    check_profile,
    heights,
)
from eomc.derive.contacts.shapes.shape import Site
from eomc.derive.contacts.shapes.turned import Turned
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance
from eomc.derive.fields.field import Direction, OptionalNumber, choice, direction, number, of_kind
from eomc.derive.fields.part import not_negative
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@kind("revolution")
class RevolutionSurface(Surface):
    """The mantle of radius `profile` at x along `axis` from `at`."""

    profile: OfProfile = of_kind(ProfileField("radius at x, an expression or rows [x, r]", "m"))
    axis: Direction = direction("of x, in its body", of="at", default=(0, 0, 1))
    lower: OptionalNumber = number("m", "least x, that of the table if left out", default=None)
    upper: OptionalNumber = number("m", "largest x", default=None)
    side: str = choice("outside", "inside", default="outside")

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From the nearest point."""
        e = scene.direction(self.at.body, unit_vector(self.axis, "axis"))
        turned = Turned(self.carrier(scene).position, e, Curve.of(scene, self))
        distance, normal = turned.from_place(site.centre.position)
        if self.side == "inside":
            return from_distance(site, -distance, -normal)
        return from_distance(site, distance, normal)

    def check(self, values: Mapping[str, float]) -> None:
        """A range, and a radius in it."""
        check_profile(self, values)
        not_negative(min(heights(self, values)), "profile: the least radius", values)
