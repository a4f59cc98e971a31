"""A spring and a damper side by side, that press or leave each other:

    N = (k d_+^n H + c d' H)_+

A body of mass m that hits it with n = 1 and zeta = c/(2 sqrt(k m)) leaves where N = 0, before d is
zero, with the restitution exp(-2 zeta arccos(zeta)/sqrt(1 - zeta^2)) for zeta < 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.contacts.normal_laws.law import Normal, NormalLaw, normal_law
from eomc.derive.contacts.normal_laws.penetration import Depth
from eomc.derive.elements.fields import Number, number
from eomc.derive.elements.part import not_negative, positive
from eomc.derive.scene.loads import Scene


@normal_law("kelvin_voigt")
class KelvinVoigt(NormalLaw):
    """Spring and damper side by side; the force steps up by c v at touch-down."""

    dissipates = True

    kelvin_voigt: Number = number("N/m^n", "stiffness k")
    damping: Number = number("N s/m", "c", default=0)
    exponent: Number = number("", "n", default=1)

    def force(self, scene: Scene, at: Depth) -> Normal:
        """(k d_+^n + c d')_+ H."""
        k, n = scene.scalar(self.kelvin_voigt), scene.scalar(self.exponent)
        spring, damper = k * at.power(n), scene.scalar(self.damping) * at.rate
        holds = spring + damper
        force = (holds * at.slope).binary("max", at.rate * 0)
        return Normal(force, spring * at.slope, k * at.power(n + 1) / (n + 1), holds)

    def check(self, values: Mapping[str, float]) -> None:
        """Stiffness, exponent, damping that brakes."""
        positive(self.kelvin_voigt, "stiffness", values)
        positive(self.exponent, "exponent", values)
        not_negative(self.damping, "damping", values)
