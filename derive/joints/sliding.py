"""Joints that slide: along an axis, along and about it, and in all directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import HINGE, RAIL, SLIDE, THREAD
from eomc.derive.geometry import SpatialForce
from eomc.derive.joints.arguments import PITCH, axis, fields
from eomc.derive.joints.closure import on_axis, same_axes, same_axis
from eomc.derive.joints.joint_kind import JointKind
from eomc.derive.joints.steps import along_z, turn_about
from eomc.derive.joints.variables import angle, length
from eomc.derive.language.registry import kind
from eomc.derive.motions.about_axis import ScrewMotion, Slide

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@kind("prismatic")
class Prismatic(JointKind):
    """A slide along an axis.

    q: displacement along the axis (m); u = q'.
    """

    also_called = ("slider", "slide", "linear")
    arguments = fields(axis=axis())
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


@kind("cylindrical")
class Cylindrical(JointKind):
    """A turn about an axis and an independent slide along it.

    q: angle (rad), displacement (m) along the same axis; u = q'.
    """

    arguments = fields(axis=axis())
    coordinates = (angle("angle"), length("slide"))
    turns_round = True
    drawn = (RAIL, HINGE, SLIDE)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """The turn, then the slide."""
        axis = scalars.vector(joint.direction)
        return [*turn_about(axis), Slide(axis)]

    def holds(self, at: Closure) -> Iterator[Hold]:
        """t1.r = t2.r = 0, tilt(R n) = 0"""
        yield from on_axis(at)
        yield from same_axis(at)

    def losses(self, at: Sides) -> SpatialForce:
        """f = Q_2 n, m = Q_1 n"""
        return at.sliding(1, at.axis) + at.turning(0, at.axis)


@kind("screw")
class ScrewJoint(JointKind):
    """A turn about an axis that advances along it.

    q: angle about the axis (rad), advance pitch * q (m); u = q'.
    """

    also_called = ("helical",)
    arguments = fields(axis=axis(), pitch=PITCH)
    coordinates = (angle(),)
    turns_round = True
    drawn = (RAIL, THREAD)

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One screw."""
        return along_z(joint.direction, ScrewMotion(scalars(joint.pitch)), scalars)

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


_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@kind("translational")
class Translational(JointKind):
    """Three slides: a point that moves freely, or a body that never turns.

    q: x, y, z (m) in the parent's joint frame; u = q'.
    """

    coordinates = (length("x"), length("y"), length("z"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        """One slide after the other."""
        return [Slide(scalars.vector(axis)) for axis in _AXES]

    def holds(self, at: Closure) -> Iterator[Hold]:
        """turn(R) = 0"""
        yield from same_axes(at)

    def losses(self, at: Sides) -> SpatialForce:
        """f = Q in the parent's axes"""
        total = SpatialForce.zero(at.none)
        for k, unit in enumerate(_AXES):
            total += at.sliding(k, at.parent.to_parent(at.scalars.vector(unit)))
        return total
