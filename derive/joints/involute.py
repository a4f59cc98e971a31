"""Involute joint: the free end of a string that does not stretch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import sympy

from eomc.derive.joints.unwound import TURNS, Unwound
from eomc.derive.joints.variables import angle
from eomc.derive.language.registry import kind

if TYPE_CHECKING:
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.unwound import Symbols

__all__: list[str] = []


@kind("involute")
class Involute(Unwound):
    """The free end of a string that unwinds from a pulley.

    q: the unwound angle phi (rad); u = q'.
    """

    coordinates = (angle(),)
    deviations = (TURNS,)

    def elongation(self, radius: sympy.Expr, q: Symbols) -> sympy.Expr:
        """None."""
        return sympy.S.Zero

    def holds(self, at: Closure) -> Iterator[Hold]:
        """Also (R t1).r = radius*phi, whatever whole turns phi has: with x the difference of both
        sides over the radius, 2 tan(x/2) = 0."""
        yield from super().holds(at)
        radius = at.scalars(at.joint.argument("radius"))
        first, second = at.normals
        turned = at.turned.to_parent(first)
        c, s = first.dot(turned), second.dot(turned)
        unwound = turned.dot(at.r) / radius
        ahead, level = unwound.sin() * c - unwound.cos() * s, unwound.cos() * c + unwound.sin() * s
        yield "force_1", radius * 2 * ahead / (1 + level)
