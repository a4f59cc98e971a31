"""Forward recursion: poses, twists and accelerations of the links, base to tip.

Every quantity of link i is in the axes of link i. R, p is the pose of the link in its parent, S u
its relative twist (v_r, w_r). The step from parent to link is stated by `LinkPose`, for the
recursions here and for those that are rolled into for-loops; the drift S' u joins S u' where the
subspace is not constant (places on deformed bodies).

Reference: Featherstone, *Rigid Body Dynamics Algorithms*, ch. 3 and 5, in classical accelerations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.geometry import (
    Acceleration,
    AccelerationMatrix,
    LinkPose,
    Rotation,
    SpatialMotion,
    Vector,
)
from eomc.derive.graph import Expression
from eomc.derive.tree.link import WORLD, LinkTree, TreeLink


@dataclass(frozen=True)
class KinematicState:
    """Arrays of the independent coordinates, speeds, accelerations and of the prescribed motion."""

    q: Sequence[Expression]
    u: Sequence[Expression] = ()
    a: Sequence[Expression] = ()
    s: Sequence[Expression] = ()
    s_rate: Sequence[Expression] = ()
    s_acceleration: Sequence[Expression] = ()

    def coordinates(self, link: TreeLink) -> list[Expression]:
        """q of the link's motion."""
        return [c.value(self.s if c.prescribed else self.q) for c in link.coordinates]

    def speeds(self, link: TreeLink) -> list[Expression]:
        """u of the link's motion."""
        return [c.rate(self.s_rate if c.prescribed else self.u) for c in link.speeds]

    def accelerations(self, link: TreeLink) -> list[Expression]:
        """u' of the link's motion."""
        return [c.rate(self.s_acceleration if c.prescribed else self.a) for c in link.speeds]


def poses(tree: LinkTree, state: KinematicState) -> list[LinkPose]:
    """Pose of every link in its parent."""
    result = []
    for link in tree.links:
        q = state.coordinates(link)
        rotation, displacement = link.motion.pose(q)
        result.append(
            LinkPose(
                link.placement @ rotation,
                link.offset + link.placement.to_parent(displacement),
                link.motion.subspace(q),
            )
        )
    return result


def twists(tree: LinkTree, state: KinematicState, pose: Sequence[LinkPose]) -> list[SpatialMotion]:
    """Velocity of every link at its origin, in its own axes."""
    zero = tree.zero_vector()
    result: list[SpatialMotion] = []
    for link, at in zip(tree.links, pose, strict=True):
        parent = SpatialMotion.zero(zero) if link.parent == WORLD else result[link.parent]
        twist = at.twist(parent, at.relative(state.speeds(link), zero))
        twist.angular.named(f"{link.name}.angular_velocity")
        twist.linear.named(f"{link.name}.velocity")
        result.append(twist)
    return result


def accelerations(
    tree: LinkTree, state: KinematicState, pose: Sequence[LinkPose], base: Vector
) -> list[Acceleration]:
    """Acceleration of every link in its own axes; the base accelerates by `base` (-gravity, or
    0)."""
    zero = tree.zero_vector()
    rest = Acceleration(zero, zero, AccelerationMatrix(zero, zero), base)
    result: list[Acceleration] = []
    for link, at in zip(tree.links, pose, strict=True):
        parent = rest if link.parent == WORLD else result[link.parent]
        relative = at.relative(state.speeds(link), zero)
        change = at.relative(state.accelerations(link), zero)
        drift = link.motion.drift(state.coordinates(link), state.speeds(link))
        if drift is not None:
            change = change + drift
        moved = at.acceleration(parent, relative, change)
        moved.w.named(f"{link.name}.angular_velocity")
        moved.alpha.named(f"{link.name}.angular_acceleration")
        moved.a.named(f"{link.name}.acceleration")
        result.append(moved)
    return result


def world_poses(tree: LinkTree, pose: Sequence[LinkPose]) -> list[tuple[Rotation, Vector]]:
    """(R_world_link, origin in the world frame) of every link."""
    result: list[tuple[Rotation, Vector]] = []
    for link, at in zip(tree.links, pose, strict=True):
        if link.parent == WORLD:
            result.append((Rotation([at.rotation.matrix(tree.zero)]), at.origin))
        else:
            outer, origin = result[link.parent]
            axes = (outer @ at.rotation).matrix(tree.zero)
            result.append((Rotation([axes]), origin + outer.to_parent(at.origin)))
    return result
