"""Track: riding along a deformable body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy

from eomc.derive.joints.place import DeformedPlace
from eomc.derive.joints.variables import length
from eomc.derive.language.registry import kind

if TYPE_CHECKING:
    from eomc.derive.joints.joint import Joint
    from eomc.derive.language.scalar import Scalar

__all__: list[str] = []


@kind("track")
class Track(DeformedPlace):
    """Riding along a deformable parent.

    q: the station (m); u = q'.
    """

    coordinates = (length(),)

    def station(self, joint: Joint) -> str | Scalar | None:
        """The coordinate, or where it is locked."""
        return sympy.Symbol(joint.coordinates[0]) if joint.locked is None else joint.locked[0]
