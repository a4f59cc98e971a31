"""Internal coordinates of a deformable body, which do not move its own frame.

What hangs on the body feels them through the `Shift` and the `TurnBy` of its attachment.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.motions.following import Following
from eomc.derive.motions.motion import OneCoordinate


class _InPlace:
    """R = 1, p = 0, S = 0."""

    speeds: int

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """The identity."""
        zero = q[0] * 0
        return Rotation(), Vector(zero, zero, zero)

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Zeros."""
        zero = q[0] * 0
        still = Vector(zero, zero, zero)
        return [SpatialMotion.zero(still)] * self.speeds

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """None: S is constant."""
        return None


class InternalCoordinate(_InPlace, OneCoordinate):
    """Owns one coordinate xi, or the station of an attachment that travels."""

    speeds = 1

    def __init__(self, neutral: float = 0.0) -> None:
        self._neutral = float(neutral)

    def neutral(self) -> list[float]:
        """xi of the reference configuration."""
        return [self._neutral]


class Deformation(_InPlace, Following):
    """Lends the internal coordinates to the link of their body."""
