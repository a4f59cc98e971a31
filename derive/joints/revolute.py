"""Revolute joint: one turn about an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.steps import Step, register, turn_about

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("revolute")
def revolute(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: angle about the axis (rad); u = q'."""
    return turn_about(scalars.vector(joint.direction))
