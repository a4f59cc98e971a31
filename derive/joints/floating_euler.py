"""Floating joint by Euler angles, in any intrinsic sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.arguments import SEQUENCE
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import euler_turns, slides_along_axes
from eomc.derive.joints.variables import angle, length

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class FloatingEuler(JointKind):
    """Free motion in space, by a position and three intrinsic angles.

    q: position x, y, z in the parent frame (m), three angles (rad); u = q'.
    """

    name = "floating_euler"
    is_base = True
    arguments = (SEQUENCE,)
    coordinates = (
        *(length("x"), length("y"), length("z")),
        *(angle("a1"), angle("a2"), angle("a3")),
    )

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Three slides, then three turns."""
        return slides_along_axes(scalars) + euler_turns(joint.sequence, scalars)
