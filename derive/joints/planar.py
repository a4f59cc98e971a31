"""Planar joint: two slides in a plane and a turn about its normal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.slide import Slide
from eomc.derive.joints.steps import Step, register, turn_about
from eomc.derive.model.joint import normal_directions

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("planar")
def planar(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: x, y along the two in-plane directions of the joint frame (m), angle about the normal
    (rad).

    u = q': the linear rates are along the fixed directions, not those of the moving body.
    """
    first, second = normal_directions(joint.direction)
    slides: list[Step] = [Slide(scalars.vector(first)), Slide(scalars.vector(second))]
    return slides + turn_about(scalars.vector(joint.direction))
