"""Wrenches of a subtree with free joints for a change of its velocity."""

from __future__ import annotations

from dataclasses import dataclass

from eomc.derive.dynamics.kinematics import Pose
from eomc.derive.dynamics.partials import Flow
from eomc.derive.geometry import Vector
from eomc.derive.geometry.dyad import Dyad
from eomc.derive.geometry.spatial import Spatial


@dataclass(frozen=True)
class VelocityMap:
    """Wrench (moment, force) by the angular part of a velocity change."""

    moment: Dyad
    force: Dyad

    @staticmethod
    def of(flow: Flow) -> VelocityMap:
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

    def times(self, w: Vector) -> Spatial:
        """Of a velocity that turns with w more."""
        return self.moment @ w, self.force @ w

    def along(self, s: Spatial) -> Vector:
        """c with c . w = s . (this w)."""
        return self.moment.transposed_times(s[0]) + self.force.transposed_times(s[1])

    def without(self, by_d: Spatial, c: Vector) -> VelocityMap:
        """A joint taken out: b - U c^T / D."""
        return VelocityMap(
            self.moment - Dyad.product(by_d[0], c), self.force - Dyad.product(by_d[1], c)
        )

    def carried(self, at: Pose) -> VelocityMap:
        """Seen from the parent."""
        moment, force = Dyad.turned(at.rotation, self.moment), Dyad.turned(at.rotation, self.force)
        x, y, z = (at.origin.cross(column) for column in force.columns)
        return VelocityMap(moment + Dyad((x, y, z)), force)

    def __add__(self, other: VelocityMap) -> VelocityMap:
        return VelocityMap(self.moment + other.moment, self.force + other.force)
