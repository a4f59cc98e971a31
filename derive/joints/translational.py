"""Translational joint: three slides, for point masses and bodies that never turn."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.geometry import SpatialForce
from eomc.derive.joints.closure import same_axes
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind
from eomc.derive.joints.variables import length
from eomc.derive.motions.slide import Slide

if TYPE_CHECKING:
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.closure_losses import Sides
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []

_AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@register_joint_kind
class Translational(JointKind):
    """Three slides: a point that moves freely, or a body that never turns.

    q: x, y, z (m) in the parent's joint frame; u = q'.
    """

    name = "translational"
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
        for k, axis in enumerate(_AXES):
            total += at.sliding(k, at.parent.to_parent(at.scalars.vector(axis)))
        return total
