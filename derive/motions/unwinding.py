"""Unwinding of a taut string from a circle: the motion of an involute joint.

The frame at the string's free end has its x axis along the string, away from the point where it
leaves the circle of radius r, and its z axis along that of the circle. With the unwound angle phi
and the taut length l of the string,

    R = R_z(phi),   p = R (l, r, 0),   v = (l' - r phi', l phi', 0) in the axes of the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from eomc.derive.geometry import PlaneRotation, Rotation, SpatialMotion, Vector, unit
from eomc.derive.graph import Expression
from eomc.derive.motions.following import ScalarFunction
from eomc.derive.motions.motion import Straight

__all__ = ["ONE_TURN", "UnwindingMotion"]

#: The neutral angle: with nothing unwound strains have no meaning.
ONE_TURN = 2 * math.pi


class UnwindingMotion(Straight):
    """q: phi, and what else the elongation w = l - r phi of the string depends on;
    S = ((w_1, l, 0), z), ((w_k, 0, 0), 0) with the slopes w_k."""

    def __init__(
        self, radius: Expression, taut: ScalarFunction, elongation: ScalarFunction
    ) -> None:
        self.radius, self.taut, self.elongation = radius, taut, elongation
        self.coordinates = self.speeds = len(taut.symbols)

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """R_z(phi), R (l, r, 0)"""
        rotation = Rotation([PlaneRotation(q[0].cos(), q[0].sin())])
        return rotation, rotation.to_parent(Vector(self.taut(q), self.radius, q[0] * 0))

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Of phi, then of the others."""
        zero = q[0] * 0
        still = Vector(zero, zero, zero)
        first, *others = self.elongation.gradient(q)
        turning = Vector(first, self.taut(q), zero)
        sliding = (Vector(slope, zero, zero) for slope in others)
        return [
            SpatialMotion(linear=turning, angular=unit(zero, 2)),
            *(SpatialMotion(linear=linear, angular=still) for linear in sliding),
        ]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion:
        """Linear part (u^T (d2w/dq2) u, l' phi', 0)."""
        zero = q[0] * 0
        bend, rate = self.elongation.curvature(q, u), self.taut.rate(q, u)
        linear = Vector(bend, rate * u[0], zero)
        return SpatialMotion(linear=linear, angular=Vector(zero, zero, zero))

    def neutral(self) -> list[float]:
        """One turn unwound, zeros."""
        return [ONE_TURN, *super().neutral()[1:]]
