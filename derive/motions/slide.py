"""Slide along a fixed direction: the motion of a prismatic joint."""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import OneCoordinate


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
