"""The acceleration of a frame, and its angular acceleration matrix.

U = [w']x + [w]x [w]x  maps a point fixed in the frame to its acceleration relative to the origin:
a_P = a + U r. Every rotational term of the equations of motion is linear in its entries, so the six
products of angular velocity components are formed once a body (Balafoutis and Patel 1991, ch. 4).
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.geometry.rotation import Symmetric
from eomc.derive.geometry.vector import Vector


class AccelerationMatrix:
    """U of a frame from its angular velocity w and angular acceleration w', in its own axes."""

    __slots__ = ("rows",)

    def __init__(self, w: Vector, alpha: Vector) -> None:
        xx, yy, zz = w.x * w.x, w.y * w.y, w.z * w.z
        xy, xz, yz = w.x * w.y, w.x * w.z, w.y * w.z
        self.rows = (
            Vector(-(yy + zz), xy - alpha.z, xz + alpha.y),
            Vector(xy + alpha.z, -(xx + zz), yz - alpha.x),
            Vector(xz - alpha.y, yz + alpha.x, -(xx + yy)),
        )

    def __matmul__(self, r: Vector) -> Vector:
        """U r: acceleration of point r relative to the origin."""
        x, y, z = self.rows
        return Vector(x.dot(r), y.dot(r), z.dot(r))

    def moment(self, s: Symmetric) -> Vector:
        """Integral of r x (U r) dm for the second moment s: J w' + w x J w in thirteen products."""
        x, y, z = self.rows
        return Vector(
            z.x * s.xy + z.y * s.yy + (z.z - y.y) * s.yz - y.x * s.xz - y.z * s.zz,
            (x.x - z.z) * s.xz + x.y * s.yz + x.z * s.zz - z.x * s.xx - z.y * s.xy,
            y.x * s.xx + (y.y - x.x) * s.xy + y.z * s.xz - x.y * s.yy - x.z * s.yz,
        )


@dataclass(frozen=True)
class Acceleration:
    """Angular velocity w, angular acceleration w', matrix U and acceleration a of the
    origin."""

    w: Vector
    alpha: Vector
    u: AccelerationMatrix
    a: Vector

    @staticmethod
    def zero(zero: Vector) -> Acceleration:
        """At rest."""
        return Acceleration(zero, zero, AccelerationMatrix(zero, zero), zero)
