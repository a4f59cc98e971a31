"""Turn about the z axis: the motion of a revolute joint."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import PlaneRotation, Rotation, SpatialMotion, Vector, unit
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import OneCoordinate


class Turn(OneCoordinate):
    """R = R_z(q), S = (0, z)."""

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Rotation by q about z, no translation."""
        zero = q[0] * 0
        return Rotation([PlaneRotation(q[0].cos(), q[0].sin())]), Vector(zero, zero, zero)

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Angular part (0, 0, 1)."""
        zero = q[0] * 0
        return [SpatialMotion(linear=Vector(zero, zero, zero), angular=unit(zero, 2))]
