"""Cylindrical joint: a turn about an axis and an independent slide along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.slide import Slide
from eomc.derive.joints.steps import Step, register, turn_about

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("cylindrical")
def cylindrical(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: angle (rad), displacement (m) along the same axis; u = q'."""
    axis = scalars.vector(joint.direction)
    return [*turn_about(axis), Slide(axis)]
