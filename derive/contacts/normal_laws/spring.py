"""A spring of any power of the depth, linear with exponent 1."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.normal_laws.hunt_crossley import check_damping, pressing
from eomc.derive.contacts.normal_laws.law import Normal, NormalLaw, normal_law
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.elements.fields import Number, OptionalNumber, number
from eomc.derive.elements.part import positive
from eomc.derive.scene.loads import Scene


@normal_law("spring")
class Spring(NormalLaw):
    """N = k d^n, damped as of Hunt and Crossley."""

    dissipates = True

    spring: Number = number("N/m^n", "stiffness k")
    exponent: Number = number("", "n", default=1)
    dissipation: Number = number("s/m", "chi", default=0)
    restitution: OptionalNumber = number("", "at `speed`, instead of chi", default=None)
    speed: OptionalNumber = number("m/s", "of the impact that has this restitution", default=None)

    def force(self, scene: Scene, at: Depth) -> Normal:
        """With k and n as given."""
        return pressing(scene, self, scene.scalar(self.spring), scene.scalar(self.exponent), at)

    def check(self, values: Mapping[str, float]) -> None:
        """Stiffness and exponent."""
        positive(self.spring, "stiffness", values)
        positive(self.exponent, "exponent", values)
        check_damping(self, values)
