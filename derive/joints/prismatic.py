"""Prismatic joint: one slide along an axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import RAIL, SLIDE
from eomc.derive.joints.arguments import AXIS
from eomc.derive.joints.closure import on_axis, same_axes
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.variables import length
from eomc.derive.motions.slide import Slide

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class Prismatic(JointKind):
    """A slide along an axis.

    q: displacement along the axis (m); u = q'.
    """

    name = "prismatic"
    also_called = ("slider", "slide", "linear")
    arguments = (AXIS,)
    coordinates = (length(),)
    turns_round = True
    drawn = (RAIL, SLIDE)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One slide."""
        return [Slide(scalars.vector(joint.direction))]

    def holds(self, at: Closure) -> Iterator[Hold]:
        """t1.r = t2.r = 0, turn(R) = 0"""
        yield from on_axis(at)
        yield from same_axes(at)

    def losses(self, at: Sides) -> SpatialForce:
        """f = Q n"""
        return at.sliding(0, at.axis)
