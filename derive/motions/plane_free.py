"""Free motion in a plane: that of a vehicle, with speeds along its own axes.

Three coordinates (position x, y in parent axes; angle about z), three speeds (velocity along the
child's x and y, angular velocity about z).
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.geometry import Rotation, SpatialMotion, Vector, unit
from eomc.derive.geometry.rotation import MatrixRotation
from eomc.derive.graph import Expression


class PlaneFree:
    """R = R_z(theta), p = (x, y, 0), S = unit twists in child axes."""

    coordinates = 3
    speeds = 3

    def pose(self, q: Sequence[Expression]) -> tuple[Rotation, Vector]:
        """A turn about z and a place in the plane."""
        return Rotation([_turned(q[2])]), Vector(q[0], q[1], q[0] * 0)

    def subspace(self, q: Sequence[Expression]) -> list[SpatialMotion]:
        """Velocities along the child's x and y, angular velocity about z."""
        zero = q[0] * 0
        still = Vector(zero, zero, zero)
        return [
            SpatialMotion(linear=unit(zero, 0), angular=still),
            SpatialMotion(linear=unit(zero, 1), angular=still),
            SpatialMotion(linear=still, angular=unit(zero, 2)),
        ]

    def drift(self, q: Sequence[Expression], u: Sequence[Expression]) -> SpatialMotion | None:
        """None: S is constant."""
        return None

    def rates(self, q: Sequence[Expression], u: Sequence[Expression]) -> list[Expression]:
        """(x, y)' = R (vx, vy),  theta' = wz"""
        c, s = q[2].cos(), q[2].sin()
        return [c * u[0] - s * u[1], s * u[0] + c * u[1], u[2]]

    def integrate(self, q: Sequence[Expression], du: Sequence[Expression]) -> list[Expression]:
        """q Exp(du) on SE(2): the pose after the constant body twist du over unit time.

        The mean of the directions on the way is that of half the turn, shortened by
        sin(du/2)/(du/2).
        """
        middle, chord = q[2] + du[2] / 2, _chord(du[2])
        c, s = middle.cos() * chord, middle.sin() * chord
        return [q[0] + c * du[0] - s * du[1], q[1] + s * du[0] + c * du[1], q[2] + du[2]]

    def difference(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> list[Expression]:
        """The inverse of integrate, for turns of less than a whole one."""
        turn = q1[2] - q0[2]
        middle, chord = q0[2] + turn / 2, _chord(turn)
        c, s = middle.cos() / chord, middle.sin() / chord
        x, y = q1[0] - q0[0], q1[1] - q0[1]
        return [c * x + s * y, c * y - s * x, turn]

    def neutral(self) -> list[float]:
        """At the origin, not turned."""
        return [0.0, 0.0, 0.0]

    def normalize(self, q: Sequence[Expression]) -> list[Expression]:
        """q"""
        return list(q)


def _turned(angle: Expression) -> MatrixRotation:
    zero = angle * 0
    c, s = angle.cos(), angle.sin()
    return MatrixRotation((Vector(c, -s, zero), Vector(s, c, zero), Vector(zero, zero, zero + 1)))


def _chord(turn: Expression) -> Expression:
    """sin(turn/2) / (turn/2), by its series near zero."""
    half = turn / 2
    square = half * half
    small = 1 - square / 6 + square * square / 120
    safe = square.if_less(1e-4, half * 0 + 1, half)
    return square.if_less(1e-4, small, safe.sin() / safe)
