"""Floating joint: position and unit quaternion, with body rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.variables import QUATERNION, length, spin, velocity
from eomc.derive.motions.free import Free

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class Floating(JointKind):
    """Free motion in space, by a position and a unit quaternion.

    q: x, y, z (m) in the parent frame, unit quaternion (w, x, y, z); u: velocity of the origin
    (m/s) and angular velocity (rad/s), both in child axes.
    """

    name = "floating"
    also_called = ("free", "6dof", "freejoint")
    is_base = True
    coordinates = (length("x"), length("y"), length("z"), *QUATERNION)
    quasi_velocities = (
        *(velocity("vx"), velocity("vy"), velocity("vz")),
        *(spin("wx"), spin("wy"), spin("wz")),
    )

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One free motion."""
        return [Free()]
