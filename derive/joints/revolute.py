"""Revolute joint: one turn about an axis."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import HINGE
from eomc.derive.joints.arguments import AXIS
from eomc.derive.joints.closure import same_axis, same_point
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import angle

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class Revolute(JointKind):
    """A turn about an axis.

    q: angle about the axis (rad); u = q'.
    """

    name = "revolute"
    also_called = ("hinge", "pin", "rotary")
    aliases = ("continuous",)
    arguments = (AXIS,)
    coordinates = (angle(),)
    turns_round = True
    drawn = (HINGE,)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One turn."""
        return turn_about(scalars.vector(joint.direction))

    def holds(self, at: Closure) -> Iterator[Hold]:
        """r = 0, tilt(R n) = 0"""
        yield from same_point(at)
        yield from same_axis(at)

    def losses(self, at: Sides) -> SpatialForce:
        """m = Q n"""
        return at.turning(0, at.axis)
