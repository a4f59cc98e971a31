"""Attachment: fixed to a station of a deformable body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.arguments import AT
from eomc.derive.joints.joint_kind import register_joint_kind
from eomc.derive.joints.place import DeformedPlace

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.language.scalar import Scalar

__all__: list[str] = []


@register_joint_kind
class Fastened(DeformedPlace):
    """Fixed to a station of a deformable parent, named or in metres."""

    name = "attachment"
    arguments = (AT,)

    def station(self, joint: Joint) -> str | Scalar | None:
        """As declared."""
        return joint.at
