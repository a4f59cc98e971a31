"""The linear tyre: a force in proportion to load and slip, the limit of every law at small slip."""

from __future__ import annotations

from collections.abc import Mapping

from eomc.derive.fields.field import Number, OptionalNumber, number
from eomc.derive.fields.part import not_negative
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene
from eomc.derive.tyres.slip_law import SlipCurve, SlipLaw


@kind("linear")
class LinearSlip(SlipLaw):
    """F_y = -c N alpha, F_x = k N kappa, without bound."""

    cornering: Number = number("1/rad", "c, lateral force by load and slip angle")
    slip_stiffness: OptionalNumber = number("", "k, of longitudinal slip", default=None)

    @property
    def is_longitudinal(self) -> bool:
        """With slip_stiffness."""
        return self.slip_stiffness is not None

    def across(self, scene: Scene, load: Expression) -> SlipCurve:
        """c alpha."""
        return SlipCurve(scene.scalar(self.cornering), None, lambda s: s)

    def along(self, scene: Scene, load: Expression) -> SlipCurve:
        """k kappa."""
        return SlipCurve(scene.scalar(self.slip_stiffness), None, lambda s: s)

    def check(self, values: Mapping[str, float]) -> None:
        """Stiffnesses that oppose the slip."""
        not_negative(self.cornering, "cornering", values)
        if self.slip_stiffness is not None:
            not_negative(self.slip_stiffness, "slip_stiffness", values)
