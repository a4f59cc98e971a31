"""Kinematics of a frame fixed in a link: pose, velocity, acceleration, Jacobian.

Six-vectors stack the linear part over the angular one, both in world axes, the linear one of the
frame's origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.bodies.body import Acceleration
from eomc.derive.dynamics.kinematics import Pose
from eomc.derive.geometry import Rotation, Vector
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, Tree

WorldPose = tuple[Rotation, Vector]
Pair = tuple[Vector, Vector]


@dataclass(frozen=True)
class FixedFrame:
    """A frame at a constant pose in a link (or in the base)."""

    link: int
    rotation: Rotation
    origin: Vector

    def pose(self, tree: Tree, world: Sequence[WorldPose]) -> list[list[Expression]]:
        """Homogeneous 4x4 matrix of the frame in the world, as rows."""
        axes, origin = (Rotation(), tree.zero_vector()) if self.link == WORLD else world[self.link]
        r = origin + axes.to_parent(self.origin)
        matrix = (axes @ self.rotation).matrix(tree.zero)
        one, zero = tree.zero + 1, tree.zero
        rows = [[*row, entry] for row, entry in zip(matrix.rows, r, strict=True)]
        return [*rows, [zero, zero, zero, one]]

    def velocity(self, tree: Tree, world: Sequence[WorldPose], twist: Sequence[Pair]) -> Pair:
        """(v of the origin, w): v = R (v_link + w x r)."""
        if self.link == WORLD:
            return tree.zero_vector(), tree.zero_vector()
        axes = world[self.link][0]
        w, v = twist[self.link]
        return axes.to_parent(v + w.cross(self.origin)), axes.to_parent(w)

    def acceleration(
        self, tree: Tree, world: Sequence[WorldPose], motion: Sequence[Acceleration]
    ) -> Pair:
        """(a of the origin, w'): a = R (a_link + U r), the classical acceleration of the point."""
        if self.link == WORLD:
            return tree.zero_vector(), tree.zero_vector()
        axes, at = world[self.link][0], motion[self.link]
        return axes.to_parent(at.a + at.u @ self.origin), axes.to_parent(at.alpha)

    def jacobian(self, tree: Tree, pose: Sequence[Pose], world: Sequence[WorldPose]) -> list[Pair]:
        """Columns (v, w) of each unit speed."""
        columns = [(tree.zero_vector(), tree.zero_vector()) for _ in range(tree.nu)]
        if self.link == WORLD:
            return columns
        axes, origin = world[self.link]
        tip = origin + axes.to_parent(self.origin)
        index = self.link
        while index != WORLD:
            axes, origin = world[index]
            link = tree.links[index]
            for speed, (angular, linear) in zip(link.speeds, pose[index].columns, strict=True):
                if speed.prescribed:
                    continue
                w = axes.to_parent(angular)
                v = axes.to_parent(linear) + w.cross(tip - origin)
                if speed.factor is not None:
                    w, v = w * speed.factor, v * speed.factor
                known = columns[speed.index]
                columns[speed.index] = (known[0] + v, known[1] + w)
            index = link.parent
        return columns
