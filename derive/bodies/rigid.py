"""Rigid body."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.geometry import AccelerationMatrix, Inertia, Vector
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class RigidBody:
    """Ten inertial parameters about the link origin and nothing else.

    With the angular acceleration matrix U, Newton's and Euler's equations about the link origin are
    f = m a + U h,  n = integral of r x (U r) dm + h x a.
    """

    inertia: Inertia

    internal_speeds: tuple[int, ...] = ()

    def wrench(self, u: AccelerationMatrix, a: Vector) -> tuple[Vector, Vector]:
        """Force and moment about the link origin that the motion takes."""
        body = self.inertia
        force = a * body.mass + u @ body.first
        moment = u.moment(body.second) + body.first.cross(a)
        return force, moment

    def internal_forces(self, u: AccelerationMatrix, a: Vector) -> list[Expression]:
        """None."""
        return []

    def coupling(self) -> list[tuple[Vector, Vector]]:
        """None."""
        return []

    def internal_mass(self) -> list[list[Expression]]:
        """None."""
        return []
