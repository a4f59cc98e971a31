"""Free motion in space: the motion of a floating joint.

Seven coordinates (position x, y, z in parent axes; quaternion w, x, y, z, read at unit length), six
speeds (velocity of the origin, then angular velocity, both in child axes).
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Rotation, SpatialMotion, Vector, unit
from eomc.derive.graph import Expression
from eomc.derive.motions import quaternion


class Free:
    """R = R(quaternion), p = (x, y, z), S = unit twists in child axes."""

    coordinates = 7
    speeds = 6

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """Rotation of the quaternion and position."""
        return Rotation([quaternion.rotation(quaternion.normalized(q[3:]))]), Vector(*q[:3])

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Unit velocities, then unit angular velocities, along the child axes."""
        zero = q[0] * 0
        still = Vector(zero, zero, zero)
        axes = [unit(zero, axis) for axis in range(3)]
        return [
            *(SpatialMotion(linear=axis, angular=still) for axis in axes),
            *(SpatialMotion(linear=still, angular=axis) for axis in axes),
        ]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """None: S is constant."""
        return None

    def rates(self, q: Sequence[Expression], u: Sequence[Expression]) -> list[Expression]:
        """p' = R v,  quaternion' = quaternion (0, omega) / 2"""
        velocity = quaternion.rotation(quaternion.normalized(q[3:])).to_parent(Vector(*u[:3]))
        return [*velocity, *quaternion.rates(q[3:], Vector(*u[3:]))]

    def integrate(self, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
        """q Exp(du) on SE(3): the pose after the constant body twist du over unit time."""
        v, phi = Vector(*du[:3]), Vector(*du[3:])
        start = quaternion.normalized(q[3:])
        step = quaternion.rotation(start).to_parent(quaternion.translation_of_twist(phi, v))
        turned = quaternion.product(start, quaternion.exponential(phi))
        return [*(Vector(*q[:3]) + step), *turned]

    def difference(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> list[Expression]:
        """Log(q0^-1 q1) on SE(3), of angle at most pi"""
        start, end = quaternion.normalized(q0[3:]), quaternion.normalized(q1[3:])
        phi = quaternion.logarithm(quaternion.product(quaternion.conjugate(start), end))
        apart = quaternion.rotation(start).to_child(Vector(*q1[:3]) - Vector(*q0[:3]))
        return [*quaternion.twist_of_translation(phi, apart), *phi]

    def neutral(self) -> list[float]:
        """At the origin, not turned."""
        return [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]

    def normalize(self, q: Sequence[Expression]) -> list[Expression]:
        """The quaternion at unit length."""
        return [*q[:3], *quaternion.normalized(q[3:])]
