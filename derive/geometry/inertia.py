"""Inertia of a rigid body (or of a locked subtree) about the origin of its frame.

Mass m, first moment h = m c and second moment S = integral of r r^T dm: ten numbers that add, and
that move from frame to frame by exact formulas. The rotational inertia is J = tr(S) 1 - S. The
second moment is kept instead of J because its parallel-axis rule and its use in the equations of
motion take fewer operations (Balafoutis and Patel, *Dynamic Analysis of Robot Manipulators*, 1991,
ch. 4 and 5).
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.geometry.rotation import Rotation, Symmetric
from eomc.derive.geometry.spatial import SpatialMomentum, SpatialMotion
from eomc.derive.geometry.vector import Vector
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class Inertia:
    """Mass (kg), first moment (kg m) and second moment (kg m^2) about the frame origin."""

    mass: Expression
    first: Vector
    second: Symmetric

    @staticmethod
    def zero(zero: Expression) -> Inertia:
        """No mass at all."""
        return Inertia(zero, Vector(zero, zero, zero), Symmetric(*(zero,) * 6))

    @staticmethod
    def of_body(mass: Expression, center: Vector, about_center: Symmetric) -> Inertia:
        """From mass, centre of mass and rotational inertia J about the centre of mass.

        S_c = tr(J)/2 1 - J, then the parallel-axis rule S = S_c + m c c^T.
        """
        j = about_center
        half_trace = (j.xx + j.yy + j.zz) / 2
        second = Symmetric(
            half_trace - j.xx, half_trace - j.yy, half_trace - j.zz, -j.xy, -j.xz, -j.yz
        )
        return Inertia(mass, center * mass, second + Symmetric.square(center, mass))

    def __add__(self, other: Inertia) -> Inertia:
        return Inertia(self.mass + other.mass, self.first + other.first, self.second + other.second)

    def __sub__(self, other: Inertia) -> Inertia:
        return Inertia(self.mass - other.mass, self.first - other.first, self.second - other.second)

    @property
    def is_zero(self) -> bool:
        """True if all ten numbers are structural zeros."""
        return self.mass.is_zero and self.first.is_zero and self.second.is_zero

    @property
    def is_constant(self) -> bool:
        """True if all ten are numbers (baked in, not parameters)."""
        return self.mass.is_constant and self.first.is_constant and self.second.is_constant

    @property
    def center(self) -> Vector:
        """Centre of mass h / m."""
        return self.first * (1 / self.mass)

    def rotational(self) -> Symmetric:
        """Rotational inertia J = tr(S) 1 - S about the frame origin."""
        s = self.second
        return Symmetric(s.yy + s.zz, s.xx + s.zz, s.xx + s.yy, -s.xy, -s.xz, -s.yz)

    def rotated(self, rotation: Rotation) -> Inertia:
        """The same body in coordinates turned by `rotation` (child to parent)."""
        return Inertia(self.mass, rotation.to_parent(self.first), rotation.congruence(self.second))

    def shifted(self, r: Vector) -> Inertia:
        """The same body about an origin from which the old origin stands at `r`.

        h' = h + m r,  S' = S + g r^T + r g^T  with  g = h + m r / 2.
        """
        if r.is_zero:
            return self
        half = r * (self.mass / 2)
        return Inertia(
            self.mass,
            self.first + r * self.mass,
            self.second + Symmetric.outer(self.first + half, r),
        )

    def carried(self, rotation: Rotation, r: Vector) -> Inertia:
        """The same body seen from the parent: turned, then shifted by r."""
        return self.rotated(rotation).shifted(r)

    def __matmul__(self, motion: SpatialMotion) -> SpatialMomentum:
        """I v, the momentum of a velocity: p = m v + w x h, L = J w + h x v."""
        v, w = motion.linear, motion.angular
        p = v * self.mass + w.cross(self.first)
        return SpatialMomentum(linear=p, angular=self.rotational() @ w + self.first.cross(v))
