"""The brush tyre: elastic bristles under a parabolic pressure, which slide beyond their friction.

    f(s) = s - s^2/3 + s^3/27 for s < 3, 1 from there,    s = k slip/mu

Reference: Pacejka, *Tire and Vehicle Dynamics*, 3rd ed. (2012), sec. 3.2.1; Fiala (1954).
"""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.fields.field import Number, OptionalNumber, number
from eomc.derive.fields.part import positive
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene
from eomc.derive.tyres.slip_law import SlipCurve, SlipLaw


@kind("brush")
class Brush(SlipLaw):
    """The brush model with one coefficient of friction in all directions."""

    cornering: Number = number("1/rad", "lateral force by load and small slip angle")
    friction: Number = number("", "coefficient mu")
    slip_stiffness: OptionalNumber = number("", "of small longitudinal slip", default=None)

    @property
    def is_longitudinal(self) -> bool:
        """With slip_stiffness."""
        return self.slip_stiffness is not None

    def across(self, scene: Scene, load: Expression) -> SlipCurve:
        """By cornering."""
        return SlipCurve(scene.scalar(self.cornering), scene.scalar(self.friction), _shape)

    def along(self, scene: Scene, load: Expression) -> SlipCurve:
        """By slip_stiffness."""
        return SlipCurve(scene.scalar(self.slip_stiffness), scene.scalar(self.friction), _shape)

    def check(self, values: Mapping[str, float]) -> None:
        """Positive stiffnesses and friction."""
        for word in ("cornering", "friction", "slip_stiffness"):
            if getattr(self, word) is not None:
                positive(getattr(self, word), word, values)


def _shape(s: Expression) -> Expression:
    """f(s), odd in s: 1 - (1 - |s|/3)^3 of the bristles that stick."""
    sticking = 1 - s.unary("abs").binary("min", s * 0 + 3) / 3
    return (1 - sticking * sticking * sticking) * s.unary("sign")
