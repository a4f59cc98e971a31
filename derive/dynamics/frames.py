"""Kinematics of a frame fixed in a link: pose, velocity, acceleration, Jacobian.

Velocities, accelerations and columns of the Jacobian are those of the frame's origin, in world
axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.geometry import Acceleration, LinkPose, Rotation, SpatialMotion, Vector
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkTree

WorldPose = tuple[Rotation, Vector]


@dataclass(frozen=True)
class FixedFrame:
    """A frame at a constant pose in a link (or in the base)."""

    link: int
    rotation: Rotation
    origin: Vector

    def pose(self, tree: LinkTree, world: Sequence[WorldPose]) -> list[list[Expression]]:
        """Homogeneous 4x4 matrix of the frame in the world, as rows."""
        axes, origin = (Rotation(), tree.zero_vector()) if self.link == WORLD else world[self.link]
        r = origin + axes.to_parent(self.origin)
        matrix = (axes @ self.rotation).matrix(tree.zero)
        one, zero = tree.zero + 1, tree.zero
        rows = [[*row, entry] for row, entry in zip(matrix.rows, r, strict=True)]
        return [*rows, [zero, zero, zero, one]]

    def velocity(
        self, tree: LinkTree, world: Sequence[WorldPose], twist: Sequence[SpatialMotion]
    ) -> SpatialMotion:
        """v = R (v_link + w x r), R w."""
        if self.link == WORLD:
            return SpatialMotion.zero(tree.zero_vector())
        axes = world[self.link][0]
        w = twist[self.link].angular
        v = axes.to_parent(twist[self.link].linear + w.cross(self.origin))
        return SpatialMotion(linear=v, angular=axes.to_parent(w))

    def acceleration(
        self, tree: LinkTree, world: Sequence[WorldPose], motion: Sequence[Acceleration]
    ) -> SpatialMotion:
        """a = R (a_link + U r), the classical acceleration of the point, and R w'."""
        if self.link == WORLD:
            return SpatialMotion.zero(tree.zero_vector())
        axes, at = world[self.link][0], motion[self.link]
        a = axes.to_parent(at.a + at.u @ self.origin)
        return SpatialMotion(linear=a, angular=axes.to_parent(at.alpha))

    def jacobian(
        self, tree: LinkTree, pose: Sequence[LinkPose], world: Sequence[WorldPose]
    ) -> list[SpatialMotion]:
        """Columns of each unit speed."""
        columns = [SpatialMotion.zero(tree.zero_vector()) for _ in range(tree.nu)]
        if self.link == WORLD:
            return columns
        axes, origin = world[self.link]
        tip = origin + axes.to_parent(self.origin)
        index = self.link
        while index != WORLD:
            axes, origin = world[index]
            link = tree.links[index]
            for speed, s in zip(link.speeds, pose[index].columns, strict=True):
                if speed.prescribed:
                    continue
                w = axes.to_parent(s.angular)
                v = axes.to_parent(s.linear) + w.cross(tip - origin)
                if speed.factor is not None:
                    w, v = w * speed.factor, v * speed.factor
                known = columns[speed.index]
                columns[speed.index] = SpatialMotion(
                    linear=known.linear + v, angular=known.angular + w
                )
            index = link.parent
        return columns
