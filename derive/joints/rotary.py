"""Joints that turn: about one axis, about two crossing ones, and about a point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import BALL, HINGE, SECOND_HINGE
from eomc.derive.geometry import Vector
from eomc.derive.joints.arguments import SEQUENCE, axis, fields
from eomc.derive.joints.closure import same_axis, same_point
from eomc.derive.joints.joint_kind import JointKind
from eomc.derive.joints.steps import euler_turns, turn_about
from eomc.derive.joints.variables import QUATERNION, angle, spin
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import is_zero
from eomc.derive.motions.ball import BallMotion
from eomc.derive.placement.rotation import cross

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.graph import Expression
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@kind("revolute", "continuous")
class Revolute(JointKind):
    """A turn about an axis.

    q: angle about the axis (rad); u = q'.
    """

    also_called = ("hinge", "pin", "rotary")
    arguments = fields(axis=axis())
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


@kind("universal")
class Universal(JointKind):
    """Two turns about crossing axes.

    q: angle about the axis fixed in the parent, angle about the axis fixed in the child (rad);
    u = q'.
    """

    also_called = ("hooke", "cardan")
    arguments = fields(axis=axis(default=(1, 0, 0)), axis_2=axis(default=(0, 1, 0)))
    coordinates = (angle("1"), angle("2"))
    drawn = (HINGE, SECOND_HINGE)

    def check(self, joint: Joint) -> None:
        """The axes differ."""
        if all(is_zero(entry) for entry in cross(joint.direction, joint.second_direction)):
            raise ModelError("axis and axis_2 are parallel; give two directions")

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One turn after the other."""
        return [
            *turn_about(scalars.vector(joint.direction)),
            *turn_about(scalars.vector(joint.second_direction)),
        ]

    def holds(self, at: Closure) -> Iterator[Hold]:
        """r = 0, n.R n2 = n.n2"""
        yield from same_point(at)
        first, second = at.axis, at.scalars.vector(at.joint.second_direction)
        yield "torque", first.dot(at.turned.to_parent(second)) - first.dot(second)

    def losses(self, at: Sides) -> SpatialForce:
        """m.n = Q_1, m.n2' = Q_2, m in their plane, with n2' the second axis as the child has it.

        w = n u_1 + n2' u_2, solved for the rates, and the moment for its components.
        """
        n, n2 = at.axis, at.child.to_parent(at.scalars.vector(at.joint.second_direction))
        c = n.dot(n2)
        determinant = 1 - c * c

        def dual(x: Expression, y: Expression) -> tuple[Expression, Expression]:
            return (x - c * y) / determinant, (y - c * x) / determinant

        rates = dual(n.dot(at.w), n2.dot(at.w))
        first, second = dual(at.loss(0, rates[0]), at.loss(1, rates[1]))
        return at.moment(n * first + n2 * second)


@kind("spherical")
class Spherical(JointKind):
    """Any turn about a point, by a unit quaternion.

    q: unit quaternion (w, x, y, z); u: angular velocity in child axes (rad/s).
    """

    also_called = ("ball", "ball_joint", "globe")
    coordinates = QUATERNION
    quasi_velocities = (spin("wx"), spin("wy"), spin("wz"))
    turns_round = True
    drawn = (BALL,)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One free turn."""
        return [BallMotion()]

    def holds(self, at: Closure) -> Iterator[Hold]:
        """r = 0"""
        yield from same_point(at)

    def losses(self, at: Sides) -> SpatialForce:
        """m = Q, in the axes of the child side."""
        rates = at.child.to_child(at.w)
        moment = Vector(*(at.loss(k, rate) for k, rate in enumerate(rates)))
        return at.moment(at.child.to_parent(moment))


@kind("spherical_euler")
class SphericalEuler(JointKind):
    """Any turn about a point, by three intrinsic angles.

    q: the angles (rad); u = q'. Singular where the second angle aligns the first and third axes.
    """

    arguments = fields(sequence=SEQUENCE)
    coordinates = (angle("a1"), angle("a2"), angle("a3"))
    drawn = (BALL,)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """Three turns."""
        return euler_turns(joint.sequence, scalars)
