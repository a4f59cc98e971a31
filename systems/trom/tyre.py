"""A force element: a tyre on a level road at z = 0.

A kind of its own in one file, as the documentation's page on adding a force describes.

    load     N = k (z0 - z) - d z'                  z the height of the contact point
    slip     alpha = atan(v_left / v_forward)       of the contact point, along the road
    lateral  F = -c N alpha                         across the wheel's heading

Constant cornering stiffness a load; the wheel is not expected to leave the road.
"""

from __future__ import annotations

from eomc.derive.fields.scope import FORCE
from eomc.derive.forces import (
    AllLoads,
    AtPoint,
    Direction,
    ForceElement,
    Number,
    Scene,
    direction,
    number,
    point,
)
from eomc.derive.geometry import Vector
from eomc.derive.language.registry import kind

__all__ = ["Tyre"]


@kind("tyre")
class Tyre(ForceElement):
    """A tyre whose contact point is `at`; `direction` is the heading of the wheel in body axes."""

    at: AtPoint = point("contact point")
    stiffness: Number = number("N/m", "vertical")
    damping: Number = number("N s/m", "vertical", default=0)
    free_height: Number = number("m", "of the contact point without load", default=0)
    cornering: Number = number("1/rad", "lateral force a unit of load and slip angle", default=0)
    direction: Direction = direction("heading", of="at", scope=FORCE, default=(1, 0, 0))

    def loads(self, scene: Scene, loads: AllLoads) -> None:
        """N along the road's normal, F across the heading."""
        zero = scene.tree.zero
        up = Vector(zero, zero, zero + 1)
        at = scene.point(self.at.body, self.at.xyz)
        stiffness = scene.scalar(self.stiffness)
        compressed = scene.scalar(self.free_height) - at.position.z
        elastic = stiffness * compressed
        damper = -(scene.scalar(self.damping) * at.velocity.z)
        potential = loads.conservative.potential
        loads.conservative.potential = potential + stiffness * compressed * compressed / 2
        loads.conservative.add_force(at, up * elastic)
        loads.other.add_force(at, up * damper)
        cornering = scene.scalar(self.cornering)
        if cornering.is_zero:
            return
        _, axes, _ = scene.tree.pose_of[self.at.body]
        local = Vector(*(scene.scalar(entry) for entry in self.direction))
        heading = at.axes.to_parent(axes.to_parent(local))
        size = 1 / (heading.x * heading.x + heading.y * heading.y).sqrt()
        forward = Vector(heading.x * size, heading.y * size, zero)
        left = up.cross(forward)
        slip = (left.dot(at.velocity) / forward.dot(at.velocity)).unary("atan")
        loads.other.add_force(at, left * -(cornering * (elastic + damper) * slip))
