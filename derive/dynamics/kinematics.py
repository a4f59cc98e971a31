"""Forward recursion: poses, twists and accelerations of the links, base to tip.

Every quantity of link i is in the axes of link i. R, p is the pose of the link in its parent, S u
its relative twist (w_r, v_r). The step from parent to link is stated by `Pose`, for the recursions
here and for those that are rolled into for-loops; the drift S' u joins S u' where the subspace is
not constant (places on deformed bodies).

Reference: Featherstone, *Rigid Body Dynamics Algorithms*, ch. 3 and 5, in classical accelerations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.bodies.body import Acceleration
from eomc.derive.geometry import AccelerationMatrix, Rotation, Vector
from eomc.derive.geometry.spatial import Spatial, plus
from eomc.derive.graph import Expression
from eomc.derive.motions.motion import Column
from eomc.derive.tree.link import WORLD, Link, Tree


@dataclass(frozen=True)
class State:
    """Arrays of the independent coordinates, speeds, accelerations and of the prescribed motion."""

    q: Sequence[Expression]
    u: Sequence[Expression] = ()
    a: Sequence[Expression] = ()
    s: Sequence[Expression] = ()
    s_rate: Sequence[Expression] = ()
    s_acceleration: Sequence[Expression] = ()

    def coordinates(self, link: Link) -> list[Expression]:
        """q of the link's motion."""
        return [c.value(self.s if c.prescribed else self.q) for c in link.coordinates]

    def speeds(self, link: Link) -> list[Expression]:
        """u of the link's motion."""
        return [c.rate(self.s_rate if c.prescribed else self.u) for c in link.speeds]

    def accelerations(self, link: Link) -> list[Expression]:
        """u' of the link's motion."""
        return [c.rate(self.s_acceleration if c.prescribed else self.a) for c in link.speeds]


@dataclass(frozen=True)
class Pose:
    """Pose of a link in its parent link: rotation, origin, and the motion subspace in link axes."""

    rotation: Rotation
    origin: Vector
    columns: Sequence[Column] = ()

    def relative(self, speeds: Sequence[Expression], zero: Vector) -> Spatial:
        """S u = (w_r, v_r)."""
        w, v = zero, zero
        for (angular, linear), speed in zip(self.columns, speeds, strict=True):
            w, v = w + angular * speed, v + linear * speed
        return w, v

    def to_child(self, motion: Spatial) -> Spatial:
        """A motion of the parent at the link's origin, in link axes: R^T w, R^T (v + w x p)."""
        w, v = motion
        return self.rotation.to_child(w), self.rotation.to_child(v + w.cross(self.origin))

    def to_parent(self, wrench: Spatial) -> Spatial:
        """A wrench (moment, force) on the link, about the parent's origin: R n + p x R f, R f."""
        moment, force = wrench
        f = self.rotation.to_parent(force)
        return self.rotation.to_parent(moment) + self.origin.cross(f), f

    def twist(self, parent: Spatial, relative: Spatial) -> Spatial:
        """w = R^T w_p + w_r,  v = R^T (v_p + w_p x p) + v_r."""
        (w_p, v_p), (w_r, v_r) = parent, relative
        w = self.rotation.to_child(w_p) + w_r
        return w, self.rotation.to_child(v_p + w_p.cross(self.origin)) + v_r

    def acceleration(
        self, parent: Acceleration, relative: Spatial, change: Spatial
    ) -> Acceleration:
        """Motion of the link, `relative` to its parent and with the `change` S u' + S' u of that.

        w' = R^T w_p' + (R^T w_p) x w_r + S_w u',
        a = R^T (a_p + U_p p) + (2 R^T w_p + w_r) x v_r + S_v u'
        """
        (w_r, v_r), (w_t, v_t) = relative, change
        turned = self.rotation.to_child(parent.w)
        w = turned + w_r
        alpha = self.rotation.to_child(parent.alpha) + turned.cross(w_r) + w_t
        a = self.rotation.to_child(parent.a + parent.u @ self.origin)
        a = a + (turned * 2 + w_r).cross(v_r) + v_t
        return Acceleration(w, alpha, AccelerationMatrix(w, alpha), a)


def poses(tree: Tree, state: State) -> list[Pose]:
    """Pose of every link in its parent."""
    result = []
    for link in tree.links:
        q = state.coordinates(link)
        rotation, displacement = link.motion.pose(q)
        result.append(
            Pose(
                link.placement @ rotation,
                link.offset + link.placement.to_parent(displacement),
                link.motion.subspace(q),
            )
        )
    return result


def twists(tree: Tree, state: State, pose: Sequence[Pose]) -> list[Spatial]:
    """(w, v) of every link in its own axes."""
    zero = tree.zero_vector()
    result: list[Spatial] = []
    for link, at in zip(tree.links, pose, strict=True):
        parent = (zero, zero) if link.parent == WORLD else result[link.parent]
        w, v = at.twist(parent, at.relative(state.speeds(link), zero))
        result.append((w.named(f"{link.name}.angular_velocity"), v.named(f"{link.name}.velocity")))
    return result


def accelerations(
    tree: Tree, state: State, pose: Sequence[Pose], base: Vector
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
            change = plus(change, drift)
        moved = at.acceleration(parent, relative, change)
        moved.w.named(f"{link.name}.angular_velocity")
        moved.alpha.named(f"{link.name}.angular_acceleration")
        moved.a.named(f"{link.name}.acceleration")
        result.append(moved)
    return result


def world_poses(tree: Tree, pose: Sequence[Pose]) -> list[tuple[Rotation, Vector]]:
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
