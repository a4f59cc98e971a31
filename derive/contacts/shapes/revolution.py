"""Wheels: what a profile r(x) covers as it turns about an axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from eomc.derive.contacts.profiles.profile import (
    Curve,
    OfProfile,
    ProfileField,
    check_profile,
    heights,
)
from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.contacts.shapes.turned import Turned
from eomc.derive.fields.field import Direction, OptionalNumber, direction, number, of_kind
from eomc.derive.fields.part import positive
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import unit_vector
from eomc.derive.scene.loads import Scene


@kind("revolution")
class Revolution(Shape):
    """The mantle of radius `profile` at x along `axis` from `at`; its ends are rims."""

    meets: ClassVar[tuple[str, ...]] = ("sphere", "cylinder", "extruded")

    profile: OfProfile = of_kind(ProfileField("radius at x, an expression or rows [x, r]", "m"))
    axis: Direction = direction("of x, in its body", of="at", default=(0, 0, 1))
    lower: OptionalNumber = number("m", "least x, that of the table if left out", default=None)
    upper: OptionalNumber = number("m", "largest x", default=None)

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        e = scene.direction(self.at.body, unit_vector(self.axis, "axis"))
        centre = scene.point(self.at.body, self.at.xyz)
        turned = Turned(centre.position, e, Curve.of(scene, self))
        return [Site(centre, turned.support, distance=turned.from_place, turned=turned)]

    def check(self, values: Mapping[str, float]) -> None:
        """A range, and a radius in it."""
        check_profile(self, values)
        positive(min(heights(self, values)), "profile: the least radius", values)
