"""Attachment: fixed to a station of a deformable body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eomc.derive.joints.arguments import STATION, fields
from eomc.derive.joints.place import DeformedPlace
from eomc.derive.language.registry import kind

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.language.scalar import Scalar

__all__: list[str] = []


@kind("attachment")
class Fastened(DeformedPlace):
    """Fixed to a station of a deformable parent, named or in metres."""

    arguments = fields(at=STATION)

    def station(self, joint: Joint) -> str | Scalar | None:
        """As declared."""
        return joint.at
