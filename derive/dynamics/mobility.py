"""Accelerations that a chain answers a wrench with, seen at one of its links.

Reference: Wensing, Featherstone and Orin, *A reduced-order recursive algorithm for the computation
of the operational-space inertia matrix*, ICRA 2012.
"""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.dynamics.articulated_inertia import ArticulatedInertia
from eomc.derive.geometry import LinkPose, Rotation, SpatialForce, SpatialMotion, Symmetric, Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.geometry.rotation import MatrixRotation, PlaneRotation
from eomc.derive.graph import Expression


@dataclass(frozen=True)
class Mobility:
    """P, stored as an inertia is: linear by force, linear by moment, angular by moment."""

    stored: ArticulatedInertia

    @staticmethod
    def none(zero: Vector) -> Mobility:
        """That of the world."""
        return Mobility(ArticulatedInertia.zero(zero))

    def __matmul__(self, force: SpatialForce) -> SpatialMotion:
        """P f: the acceleration that a force is answered with."""
        dual = self.stored @ SpatialMotion(linear=force.angular, angular=force.linear)
        return SpatialMotion(linear=dual.angular, angular=dual.linear)

    def to_child(self, at: LinkPose) -> Mobility:
        """At the origin of a link that is held, and in its axes."""
        shifted = self.stored.carried(Rotation([]), -at.origin)
        return Mobility(shifted.carried(_inverse(at.rotation), at.origin * 0))

    def behind(self, s: SpatialMotion, y: SpatialMotion, own: Expression) -> Mobility:
        """Past a joint that is free, with y = P U / D and ``own = 1 / D + U . y / D``.

        P - S y^T - y S^T + S S^T own = P - S t^T - y S^T with t = y - S own
        """
        t, p = y - s * own, self.stored
        return Mobility(
            ArticulatedInertia(
                p.j - _symmetric_pair(s.linear, t.linear, y.linear),
                p.h - Dyad.product(s.linear, t.angular) - Dyad.product(y.linear, s.angular),
                p.m - _symmetric_pair(s.angular, t.angular, y.angular),
            )
        )


def _inverse(rotation: Rotation) -> Rotation:
    """R^T as a product of factors."""
    factors: list[MatrixRotation | PlaneRotation] = []
    for factor in reversed(rotation.factors):
        if isinstance(factor, PlaneRotation):
            factors.append(PlaneRotation(factor.c, -factor.s, factor.axis))
        else:
            factors.append(MatrixRotation(factor.columns))
    return Rotation(factors)


def _symmetric_pair(s: Vector, t: Vector, y: Vector) -> Symmetric:
    """s t^T + y s^T, known to be symmetric."""
    return Symmetric(
        s.x * t.x + y.x * s.x,
        s.y * t.y + y.y * s.y,
        s.z * t.z + y.z * s.z,
        s.x * t.y + y.x * s.y,
        s.x * t.z + y.x * s.z,
        s.y * t.z + y.y * s.z,
    )
