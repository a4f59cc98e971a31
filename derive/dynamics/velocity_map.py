"""Wrenches of a subtree with free joints for a change of its velocity."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.dynamics.partials import SubtreeMomentum
from eomc.derive.geometry import LinkPose, SpatialForce, SpatialMotion, Vector
from eomc.derive.geometry.dyad import Dyad


@dataclass(frozen=True)
class VelocityMap:
    """Wrench, by its moment and force, of the angular part of a velocity change."""

    moment: Dyad
    force: Dyad

    @staticmethod
    def of(flow: SubtreeMomentum) -> VelocityMap:
        """2 B of one body: 2 B w = (2 tr(C) w - 2 C w, 2 w x p), C = integral of v r^T dm."""
        (a, b, d), trace = flow.c.columns, flow.c.trace
        moment = Dyad(
            (
                Vector(trace - a.x, -a.y, -a.z) * 2,
                Vector(-b.x, trace - b.y, -b.z) * 2,
                Vector(-d.x, -d.y, trace - d.z) * 2,
            )
        )
        return VelocityMap(moment, Dyad.cross(flow.p * -2))

    def __matmul__(self, w: Vector) -> SpatialForce:
        """Of a velocity that turns with w more."""
        moment = self.moment @ w
        return SpatialForce(linear=self.force @ w, angular=moment)

    def along(self, s: SpatialMotion) -> Vector:
        """c with c . w = s . (this w)."""
        return self.moment.transposed_times(s.angular) + self.force.transposed_times(s.linear)

    def without(self, by_d: SpatialForce, c: Vector) -> VelocityMap:
        """A joint taken out: b - U c^T / D."""
        moment = self.moment - Dyad.product(by_d.angular, c)
        return VelocityMap(moment, self.force - Dyad.product(by_d.linear, c))

    def carried(self, at: LinkPose) -> VelocityMap:
        """Seen from the parent."""
        moment, force = Dyad.turned(at.rotation, self.moment), Dyad.turned(at.rotation, self.force)
        x, y, z = (at.origin.cross(column) for column in force.columns)
        return VelocityMap(moment + Dyad((x, y, z)), force)

    def __add__(self, other: VelocityMap) -> VelocityMap:
        return VelocityMap(self.moment + other.moment, self.force + other.force)
