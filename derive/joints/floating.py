"""Floating joint: position and unit quaternion, with body rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.free import Free
from eomc.derive.joints.steps import Step, register

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("floating")
def floating(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: x, y, z (m) in the parent frame, unit quaternion (w, x, y, z); u: velocity of the origin
    (m/s) and angular velocity (rad/s), both in child axes."""
    return [Free()]
