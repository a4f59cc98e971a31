"""Elementary motions about and along an axis."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import (
    MatrixRotation,
    PlaneRotation,
    Rotation,
    SpatialMotion,
    Vector,
    unit,
)
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


class Slide(OneCoordinate):
    """R = 1, p = a q, S = (a, 0) with the unit vector a in the axes of both links."""

    def __init__(self, axis: Vector) -> None:
        self.axis = axis

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Translation by q along the axis."""
        return Rotation(), self.axis * q[0]

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Linear part a."""
        zero = q[0] * 0
        return [SpatialMotion(linear=self.axis, angular=Vector(zero, zero, zero))]


class ScrewMotion(OneCoordinate):
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
