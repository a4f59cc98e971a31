"""Involute joints, by the coordinate that tells the stretch of the cable."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.unwound import TURNS, Unwound
from eomc.derive.joints.variables import JointVariable, angle, length
from eomc.derive.language.registry import kind

if TYPE_CHECKING:
    import sympy

    from eomc.derive.joints.unwound import Symbols

__all__: list[str] = []


@kind("involute_elongation")
class InvoluteElongation(Unwound):
    """The free end of a cable that unwinds from a pulley and stretches, by its elongation.

    q: the unwound angle phi (rad), the elongation w of what is unwound (m); u = q'.
    """

    coordinates = (angle("angle"), length("elongation"))
    deviations = (TURNS, (0.0, 0.1))

    def elongation(self, radius: sympy.Expr, q: Symbols) -> sympy.Expr:
        """w"""
        return q[1]


@kind("involute_length")
class InvoluteLength(Unwound):
    """The free end of a cable that unwinds from a pulley and stretches, by its length.

    q: the unwound angle phi (rad), the taut length l (m); u = q'.
    """

    coordinates = (angle("angle"), length("length"))
    deviations = (TURNS, (0.0, 1.0))

    def elongation(self, radius: sympy.Expr, q: Symbols) -> sympy.Expr:
        """l - r phi"""
        return q[1] - radius * q[0]


@kind("involute_strain")
class InvoluteStrain(Unwound):
    """The free end of a cable that unwinds from a pulley and stretches, by its strain.

    q: the unwound angle phi (rad), the strain eps of what is unwound (m/m); u = q'.
    """

    coordinates = (angle("angle"), JointVariable("strain", "m/m"))
    deviations = (TURNS, (0.0, 0.1))

    def elongation(self, radius: sympy.Expr, q: Symbols) -> sympy.Expr:
        """r phi eps"""
        return radius * q[0] * q[1]
