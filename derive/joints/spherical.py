"""Spherical joint by a unit quaternion with body rates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import BALL
from eomc.derive.geometry import Vector
from eomc.derive.joints.closure import same_point
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.variables import QUATERNION, spin
from eomc.derive.motions.ball import Ball

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class Spherical(JointKind):
    """Any turn about a point, by a unit quaternion.

    q: unit quaternion (w, x, y, z); u: angular velocity in child axes (rad/s).
    """

    name = "spherical"
    also_called = ("ball", "ball_joint", "globe")
    coordinates = QUATERNION
    quasi_velocities = (spin("wx"), spin("wy"), spin("wz"))
    turns_round = True
    drawn = (BALL,)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One free turn."""
        return [Ball()]

    def holds(self, at: Closure) -> Iterator[Hold]:
        """r = 0"""
        yield from same_point(at)

    def losses(self, at: Sides) -> SpatialForce:
        """m = Q, in the axes of the child side."""
        rates = at.child.to_child(at.w)
        moment = Vector(*(at.loss(k, rate) for k, rate in enumerate(rates)))
        return at.moment(at.child.to_parent(moment))
