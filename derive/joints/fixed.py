"""Fixed joint: no motion at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.steps import Step, register

if TYPE_CHECKING:
    from eomc.derive.model.joint import Joint
    from eomc.derive.tree.scalars import Scalars


@register("fixed")
def fixed(joint: Joint, scalars: Scalars) -> list[Step]:
    """No coordinate."""
    return []
