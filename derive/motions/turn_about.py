"""Turn about an axis whose components are parameters."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import MatrixRotation, Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import OneCoordinate


class TurnAbout(OneCoordinate):
    """R = c 1 + s [n]x + (1 - c) n n^T (Rodrigues), S = (0, n)."""

    def __init__(self, axis: Vector) -> None:
        self.axis = axis

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Rotation by q about the axis, no translation."""
        c, s = q[0].cos(), q[0].sin()
        n = self.axis
        t, zero = n * (1 - c), q[0] * 0
        rows = (
            Vector(c + t.x * n.x, t.x * n.y - s * n.z, t.x * n.z + s * n.y),
            Vector(t.y * n.x + s * n.z, c + t.y * n.y, t.y * n.z - s * n.x),
            Vector(t.z * n.x - s * n.y, t.z * n.y + s * n.x, c + t.z * n.z),
        )
        return Rotation([MatrixRotation(rows)]), Vector(zero, zero, zero)

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Angular part n."""
        zero = q[0] * 0
        return [SpatialMotion(linear=Vector(zero, zero, zero), angular=self.axis)]
