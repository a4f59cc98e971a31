"""Turn about the z axis: the motion of a revolute joint."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import PlaneRotation, Rotation, Vector, unit
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import Column, OneCoordinate


class Turn(OneCoordinate):
    """R = R_z(q), S = (z, 0)."""

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Rotation by q about z, no translation."""
        zero = q[0] * 0
        return Rotation([PlaneRotation(q[0].cos(), q[0].sin())]), Vector(zero, zero, zero)

    def subspace(self, q: Sequence[Expression]) -> list[Column]:
        """((0, 0, 1), 0)"""
        zero = q[0] * 0
        return [(unit(zero, 2), Vector(zero, zero, zero))]
