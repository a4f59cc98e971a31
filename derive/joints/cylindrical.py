"""Cylindrical joint: a turn about an axis and an independent slide along it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.drawing.mark import HINGE, RAIL, SLIDE
from eomc.derive.joints.arguments import AXIS
from eomc.derive.joints.closure import on_axis, same_axis
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import angle, length
from eomc.derive.motions.slide import Slide

if TYPE_CHECKING:
    from eomc.derive.geometry import SpatialForce
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class Cylindrical(JointKind):
    """A turn about an axis and an independent slide along it.

    q: angle (rad), displacement (m) along the same axis; u = q'.
    """

    name = "cylindrical"
    arguments = (AXIS,)
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
