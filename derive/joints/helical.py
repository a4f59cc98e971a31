"""Screw joint: one coordinate turns about an axis and advances along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.steps import Step, register, screw_along

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("screw")
def helical(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: angle about the axis (rad), advance pitch * q (m); u = q'."""
    return screw_along(scalars.vector(joint.direction), joint.pitch, scalars)
