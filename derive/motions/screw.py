"""Screw about and along the z axis: one coordinate turns and advances."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import PlaneRotation, Rotation, SpatialMotion, Vector, unit
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import OneCoordinate


class Screw(OneCoordinate):
    """R = R_z(q), p = (0, 0, pitch q), S = (pitch z, z); pitch in metres per radian."""

    def __init__(self, pitch: Expression) -> None:
        self.pitch = pitch

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Rotation by q about z and advance pitch q along it."""
        zero = q[0] * 0
        advance = Vector(zero, zero, self.pitch * q[0])
        return Rotation([PlaneRotation(q[0].cos(), q[0].sin())]), advance

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Angular part z, linear part pitch z."""
        zero = q[0] * 0
        linear = Vector(zero, zero, self.pitch)
        return [SpatialMotion(linear=linear, angular=unit(zero, 2))]
