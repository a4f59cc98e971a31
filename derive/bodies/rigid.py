"""Rigid body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.bodies.body import Forces
from eomc.derive.geometry import Acceleration, Inertia, SpatialForce, SpatialMomentum, SpatialMotion
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class RigidBody:
    """Ten inertial parameters about the link origin and nothing else.

    With the angular acceleration matrix U, Newton's and Euler's equations about the link origin are
    f = m a + U h,  n = integral of r x (U r) dm + h x a.
    """

    inertia: Inertia

    is_rigid: bool = True

    def with_rigid_part(self, rigid: Inertia) -> RigidBody:
        """A body of that inertia."""
        return RigidBody(rigid)

    def forces(
        self,
        motion: Acceleration,
        rates: Sequence[Expression] = (),
        accelerations: Sequence[Expression] = (),
    ) -> Forces:
        """Wrench about the link origin that the motion takes."""
        body = self.inertia
        force = motion.a * body.mass + motion.u @ body.first
        moment = motion.u.moment(body.second) + body.first.cross(motion.a)
        return Forces(SpatialForce(linear=force, angular=moment))

    def momentum(
        self, twist: SpatialMotion, rates: Sequence[Expression] = ()
    ) -> tuple[SpatialMomentum, Sequence[Expression]]:
        """I v"""
        return self.inertia @ twist, ()

    def coupling(self) -> list[SpatialMomentum]:
        """None."""
        return []

    def internal_mass(self) -> list[list[Expression]]:
        """None."""
        return []
