"""Fixed joint: no motion at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from eomc.derive.joints.closure import same_axes, same_point
from eomc.derive.joints.joint_kind import JointKind, register_joint_kind

if TYPE_CHECKING:
    from eomc.derive.joints.closure import Closure, Hold
    from eomc.derive.joints.joint import Joint
    from eomc.derive.joints.steps import Step
    from eomc.derive.tree.scalars import Scalars

__all__: list[str] = []


@register_joint_kind
class FixedJoint(JointKind):
    """No motion: the two frames are one."""

    name = "fixed"
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
