"""Free rotation about a point: the motion of a spherical joint.

Four coordinates (quaternion w, x, y, z, read at unit length), three speeds (angular velocity in
child axes).
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Rotation, SpatialMotion, Vector, unit
from eomc.derive.graph import Expression
from eomc.derive.motions import quaternion


class BallMotion:
    """R = R(quaternion), S = (0, 1)."""

    coordinates = 4
    speeds = 3

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Rotation of the quaternion, no translation."""
        zero = q[0] * 0
        return Rotation([quaternion.rotation(quaternion.normalized(q))]), Vector(zero, zero, zero)

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Angular velocity along each child axis."""
        zero = q[0] * 0
        still = Vector(zero, zero, zero)
        return [SpatialMotion(linear=still, angular=unit(zero, axis)) for axis in range(3)]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """None: S is constant."""
        return None

    def rates(self, q: Sequence[Expression], u: Sequence[Expression]) -> list[Expression]:
        """q' = q (0, u) / 2"""
        return quaternion.rates(q, Vector(*u))

    def integrate(self, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
        """q/|q| exp(du)"""
        return quaternion.product(quaternion.normalized(q), quaternion.exponential(Vector(*du)))

    def difference(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> list[Expression]:
        """log(q0^-1 q1), of angle at most pi"""
        q0, q1 = quaternion.normalized(q0), quaternion.normalized(q1)
        return list(quaternion.logarithm(quaternion.product(quaternion.conjugate(q0), q1)))

    def neutral(self) -> list[float]:
        """No rotation."""
        return [1.0, 0.0, 0.0, 0.0]

    def normalize(self, q: Sequence[Expression]) -> list[Expression]:
        """q / |q|"""
        return quaternion.normalized(q)
