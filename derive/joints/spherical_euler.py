"""Spherical joint by Euler angles, in any intrinsic sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import BALL
from eomc.derive.joints.arguments import SEQUENCE
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import euler_turns
from eomc.derive.joints.variables import angle

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class SphericalEuler(JointKind):
    """Any turn about a point, by three intrinsic angles.

    q: the angles (rad); u = q'. Singular where the second angle aligns the first and third axes.
    """

    name = "spherical_euler"
    arguments = (SEQUENCE,)
    coordinates = (angle("a1"), angle("a2"), angle("a3"))
    drawn = (BALL,)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Three turns."""
        return euler_turns(joint.sequence, scalars)
