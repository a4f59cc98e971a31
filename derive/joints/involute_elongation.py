"""Involute joint of a cable that stretches, with its elongation as a coordinate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.joint_kind import register_joint_kind
from eomc.derive.joints.unwound import TURNS, Unwound
from eomc.derive.joints.variables import angle, length

if TYPE_CHECKING:
    import sympy

    from eomc.derive.joints.unwound import Symbols

__all__: list[str] = []


@register_joint_kind
class InvoluteElongation(Unwound):
    """The free end of a cable that unwinds from a pulley and stretches, by its elongation.

    q: the unwound angle phi (rad), the elongation w of what is unwound (m); u = q'.
    """

    name = "involute_elongation"
    coordinates = (angle("angle"), length("elongation"))
    deviations = (TURNS, (0.0, 0.1))

    def elongation(self, radius: sympy.Expr, q: Symbols) -> sympy.Expr:
        """w"""
        return q[1]
