"""Two links as their nearest common ancestor sees them.

A constraint between two bodies depends on the joints of the loop that it closes and on nothing
else, if it is written in the frame of the last link that both hang on. So its Jacobian has entries
for these joints only, and loops stay local.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.dynamics.kinematics import Pose
from eomc.derive.geometry import MatrixRotation, Rotation, Vector
from eomc.derive.scene.loads import Scene
from eomc.derive.tree.link import Tree, common_ancestor


@dataclass(frozen=True)
class Displaced(Scene):
    """A scene in which the second of two bodies is displaced by `step` and turned by `turn`, both
    small, and moves and turns faster by `rate` and `spin`: derivatives by them are the force and
    the moment of a constraint on that body."""

    step: Vector
    turn: Vector
    rate: Vector
    spin: Vector


@dataclass(frozen=True)
class Seen:
    """A frame of a link in the axes of the common ancestor: axes, origin, angular velocity,
    velocity of the origin, both relative to the ancestor."""

    axes: Rotation
    origin: Vector
    w: Vector
    v: Vector

    def direction(self, local: Vector) -> Vector:
        """A direction fixed in the frame."""
        return self.axes.to_parent(local)

    def point(self, local: Vector) -> Vector:
        """Position of a point fixed in the frame."""
        return self.origin + self.axes.to_parent(local)

    def displaced(self, by: Displaced) -> Seen:
        """The frame after a small displacement; to first order its axes turn by turn x axis."""
        zero = by.tree.zero
        x, y, z = (c + by.turn.cross(c) for c in self.axes.columns(zero))
        axes = MatrixRotation(MatrixRotation((x, y, z)).columns)
        return Seen(Rotation([axes]), self.origin + by.step, self.w + by.spin, self.v + by.rate)

    def velocity(self, local: Vector) -> Vector:
        """Velocity of a point fixed in the frame."""
        return self.v + self.w.cross(self.axes.to_parent(local))


def path(tree: Tree, link: int, ancestor: int) -> list[int]:
    """Links from `link` up to, not including, `ancestor`."""
    links = []
    while link != ancestor:
        links.append(link)
        link = tree.links[link].parent
    return links


def seen(scene: Scene, link: int, ancestor: int) -> Seen:
    """The frame of `link` from that of `ancestor`."""
    zero = scene.tree.zero_vector()
    axes, origin = Rotation(), zero
    w, v = zero, zero
    for index in reversed(path(scene.tree, link, ancestor)):
        at: Pose = scene.pose[index]
        speeds = scene.state.speeds(scene.tree.links[index])
        step = axes.to_parent(at.origin)
        v = v + w.cross(step)
        origin = origin + step
        axes = Rotation([(axes @ at.rotation).matrix(scene.tree.zero)])
        w_r, v_r = at.relative(speeds, zero)
        w, v = w + axes.to_parent(w_r), v + axes.to_parent(v_r)
    return Seen(axes, origin, w, v)


def body_frames(scene: Scene, bodies: Sequence[str]) -> list[Seen]:
    """The frames of two bodies, both from their common ancestor."""
    placed = [scene.tree.pose_of[body] for body in bodies]
    ancestor = common_ancestor(scene.tree, placed[0][0], placed[1][0])
    result = []
    for link, rotation, origin in placed:
        frame = seen(scene, link, ancestor)
        axes = Rotation([(frame.axes @ rotation).matrix(scene.tree.zero)])
        offset = frame.axes.to_parent(origin)
        result.append(Seen(axes, frame.origin + offset, frame.w, frame.v + frame.w.cross(offset)))
    if isinstance(scene, Displaced):
        result[1] = result[1].displaced(scene)
    return result
