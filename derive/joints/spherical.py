"""Spherical joint by a unit quaternion with body rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.ball import Ball
from eomc.derive.joints.steps import Step, register

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("spherical")
def spherical(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: unit quaternion (w, x, y, z); u: angular velocity in child axes (rad/s)."""
    return [Ball()]
