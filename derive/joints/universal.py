"""Universal joint: two turns about crossing axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.steps import Step, register, turn_about

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("universal")
def universal(joint: Joint, scalars: Scalars) -> list[Step]:
    """q: angle about the axis fixed in the parent, angle about the axis fixed in the child
    (rad)."""
    return [
        *turn_about(scalars.vector(joint.direction)),
        *turn_about(scalars.vector(joint.axis2 or (0, 1, 0))),
    ]
