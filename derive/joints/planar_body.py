"""Planar joint with body rates: a vehicle's motion in a plane, speeds along its own axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.arguments import AXIS
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import along_z
from eomc.derive.joints.variables import angle, length, spin, velocity
from eomc.derive.motions.plane_free import PlaneFree

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class PlanarBody(JointKind):
    """Free motion in a plane, with speeds along the body's own axes.

    q: x, y along the two in-plane directions of the joint frame (m), angle about the normal
    (rad); u: velocity along the turned directions (m/s), angular velocity (rad/s).
    """

    name = "planar_body"
    arguments = (AXIS,)
    coordinates = (length("x"), length("y"), angle("theta"))
    quasi_velocities = (velocity("vx"), velocity("vy"), spin("wz"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One free motion in the plane."""
        return along_z(joint.direction, PlaneFree(), scalars)
