"""Prismatic joint: one slide along an axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.slide import Slide
from eomc.derive.joints.steps import Step, register

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("prismatic")
def prismatic(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: displacement along the axis (m); u = q'."""
    return [Slide(scalars.vector(joint.direction))]
