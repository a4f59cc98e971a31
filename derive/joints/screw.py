"""Screw joint: one coordinate turns about an axis and advances along it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import RAIL, THREAD
from eomc.derive.joints.arguments import AXIS, PITCH
from eomc.derive.joints.closure import on_axis, same_axis
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import along_z
from eomc.derive.joints.variables import angle
from eomc.derive.motions.screw import Screw

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class ScrewJoint(JointKind):
    """A turn about an axis that advances along it.

    q: angle about the axis (rad), advance pitch * q (m); u = q'.
    """

    name = "screw"
    also_called = ("helical",)
    arguments = (AXIS, PITCH)
    coordinates = (angle(),)
    turns_round = True
    drawn = (RAIL, THREAD)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One screw."""
        return along_z(joint.direction, Screw(scalars(joint.pitch)), scalars)

    def holds(self, at: Closure) -> Iterator[Hold]:
        """t1.r = t2.r = 0, tilt(R n) = 0, n.r = pitch angle(R about n)"""
        yield from on_axis(at)
        yield from same_axis(at)
        first, second = at.normals
        turned_first = at.turned.to_parent(first)
        angle = second.dot(turned_first).binary("atan2", first.dot(turned_first))
        pitch = at.scalars(at.joint.pitch)
        yield "force_n", at.axis.dot(at.r) - pitch * angle

    def losses(self, at: Sides) -> SpatialForce:
        """m = Q n"""
        return at.turning(0, at.axis)
