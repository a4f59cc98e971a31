"""The spring of round elastic bodies (Hertz)."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.normal_laws.hunt_crossley import check_damping, pressing
from eomc.derive.contacts.normal_laws.law import Normal, NormalLaw, normal_law
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.elements.fields import Number, OptionalNumber, number
from eomc.derive.elements.part import positive
from eomc.derive.scene.loads import Scene


@normal_law("hertz")
class Hertz(NormalLaw):
    """N = 4/3 E sqrt(R) d^(3/2), damped as of Hunt and Crossley.

    1/E = sum (1 - nu^2)/E_i, 1/R = sum 1/R_i over both bodies. Reference: Johnson, *Contact
    Mechanics*, chapter 4.2.
    """

    dissipates = True

    hertz: Number = number("Pa", "effective modulus E")
    radius: Number = number("m", "effective radius R")
    dissipation: Number = number("s/m", "chi", default=0)
    restitution: OptionalNumber = number("", "at `speed`, instead of chi", default=None)
    speed: OptionalNumber = number("m/s", "of the impact that has this restitution", default=None)

    def force(self, scene: Scene, at: Depth) -> Normal:
        """With k = 4/3 E sqrt(R) and n = 3/2."""
        k = scene.scalar(self.hertz) * scene.scalar(self.radius).sqrt() * 4 / 3
        return pressing(scene, self, k, scene.tree.zero + 1.5, at)

    def check(self, values: Mapping[str, float]) -> None:
        """Modulus and radius."""
        positive(self.hertz, "effective modulus", values)
        positive(self.radius, "radius", values)
        check_damping(self, values)
