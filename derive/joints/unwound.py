"""Involute joints: a string or cable that unwinds from a pulley, up to its free end.

The parent-side frame stands in the centre of the pulley; the string lies in the plane across `axis`
and, with the unwound angle phi = 0, leaves along the first direction t1 normal to the axis, at the
radius along the second, t2. In the child-side frame, at the free end, the string comes along t1 and
the centre of the pulley lies at the radius against t2. The angle is no angle of a compass: the free
length is radius*phi, whole turns included.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy

from eomc.derive.drawing.mark import RAIL
from eomc.derive.joints.arguments import axis, fields, number
from eomc.derive.joints.closure import same_axis
from eomc.derive.joints.joint_kind import JointKind
from eomc.derive.joints.steps import along_z
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import is_number
from eomc.derive.language.value import value_of
from eomc.derive.motions.following import ScalarFunction
from eomc.derive.motions.unwinding import ONE_TURN, UnwindingMotion

if TYPE_CHECKING:
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

Symbols = Sequence[sympy.Expr]

TURNS = (ONE_TURN, ONE_TURN / 2)
"""Middle and typical deviation of the unwound angle [rad]."""


@dataclass(frozen=True)
class Unwinds:
    """Lengths and strain of the unwound string, as functions of the coordinates."""

    free: ScalarFunction
    """l0 = radius*phi [m]"""
    elongation: ScalarFunction
    """w = l - l0 [m]"""
    taut: ScalarFunction
    """l, from the pulley to the free end [m]"""
    strain: ScalarFunction
    """w/l0"""


class Unwound(JointKind):
    """A kind that unwinds; it says how much longer the string is than what is unwound."""

    arguments = fields(axis=axis(default=(0, 0, 1)), radius=number("m", "of the pulley"))
    drawn = (RAIL,)

    @abstractmethod
    def elongation(self, radius: sympy.Expr, q: Symbols) -> sympy.Expr:
        """w(q) [m]."""

    def check(self, joint: Joint) -> None:
        """There is a radius."""
        radius = joint.argument("radius")
        if is_number(radius) and not value_of(radius) > 0:
            raise ModelError(f"radius is {radius}; give a positive number")

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One unwinding."""
        string = self.unwinds(joint, scalars)
        radius = scalars(joint.argument("radius"))
        motion = UnwindingMotion(radius, string.taut, string.elongation)
        return along_z(joint.direction, motion, scalars)

    def unwinds(self, joint: Joint, scalars: Scalars) -> Unwinds:
        """The string of a joint."""
        radius = sympy.sympify(joint.argument("radius"))
        # Under names that no parameter has.
        names = (f"{variable.suffix} unwinding" for variable in self.coordinates)
        q = tuple(map(sympy.Symbol, names))
        free, longer = radius * q[0], sympy.sympify(self.elongation(radius, q))
        values = (free, longer, free + longer, longer / free)
        return Unwinds(*(ScalarFunction(value, q, scalars) for value in values))

    def holds(self, at: Closure) -> Iterator[Hold]:
        """n.r = 0, tilt(R n) = 0, (R t2).r = radius"""
        yield "force_n", at.axis.dot(at.r)
        yield from same_axis(at)
        radius = at.scalars(at.joint.argument("radius"))
        yield "force_2", at.turned.to_parent(at.normals[1]).dot(at.r) - radius
