"""Joints that fasten a body, or leave it free."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.joints.arguments import SEQUENCE, fields
from eomc.derive.joints.closure import same_axes, same_point
from eomc.derive.joints.joint_kind import JointKind
from eomc.derive.joints.steps import euler_turns, slides_along_axes
from eomc.derive.joints.variables import QUATERNION, angle, length, spin, velocity
from eomc.derive.language.registry import kind
from eomc.derive.motions.free import Free

if TYPE_CHECKING:
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@kind("fixed")
class FixedJoint(JointKind):
    """No motion: the two frames are one."""

    also_called = ("weld", "rigid")
    is_base = True
    turns_round = True

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """None."""
        return []

    def holds(self, at: Closure) -> Iterator[Hold]:
        """r = 0, turn(R) = 0"""
        yield from same_point(at)
        yield from same_axes(at)


@kind("floating")
class Floating(JointKind):
    """Free motion in space, by a position and a unit quaternion.

    q: x, y, z (m) in the parent frame, unit quaternion (w, x, y, z); u: velocity of the origin
    (m/s) and angular velocity (rad/s), both in child axes.
    """

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


@kind("floating_euler")
class FloatingEuler(JointKind):
    """Free motion in space, by a position and three intrinsic angles.

    q: position x, y, z in the parent frame (m), three angles (rad); u = q'.
    """

    is_base = True
    arguments = fields(sequence=SEQUENCE)
    coordinates = (
        *(length("x"), length("y"), length("z")),
        *(angle("a1"), angle("a2"), angle("a3")),
    )

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Three slides, then three turns."""
        return slides_along_axes(scalars) + euler_turns(joint.sequence, scalars)
