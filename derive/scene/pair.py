"""Two links as their nearest common ancestor sees them.

A constraint between two bodies depends on the joints of the loop that it closes and on nothing
else, if it is written in the frame of the last link that both hang on. So its Jacobian has entries
for these joints only, and loops stay local.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from eomc.derive.geometry import LinkPose, MatrixRotation, Rotation, Vector
from eomc.derive.language.scalar import Vector3
from eomc.derive.scene.loads import BodyPoint, Scene
from eomc.derive.tree.link import LinkTree, common_ancestor


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
class SeenFrame:
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

    def displaced(self, by: Displaced) -> SeenFrame:
        """The frame after a small displacement; to first order its axes turn by turn x axis."""
        zero = by.tree.zero
        x, y, z = (c + by.turn.cross(c) for c in self.axes.columns(zero))
        axes = MatrixRotation(MatrixRotation((x, y, z)).columns)
        return SeenFrame(
            Rotation([axes]), self.origin + by.step, self.w + by.spin, self.v + by.rate
        )

    def velocity(self, local: Vector) -> Vector:
        """Velocity of a point fixed in the frame."""
        return self.v + self.w.cross(self.axes.to_parent(local))

    def velocity_at(self, place: Vector) -> Vector:
        """Velocity of the point fixed in the frame that is at a place now."""
        return self.v + self.w.cross(place - self.origin)


@dataclass(frozen=True)
class PairScene(Scene):
    """A scene in which points and directions of two bodies are told from their common ancestor."""

    pair: tuple[str, str]
    frames: tuple[SeenFrame, SeenFrame]

    def point(self, body: str, xyz: Sequence[object]) -> BodyPoint:
        """A point given in the frame of one of the two."""
        link, turned, origin = self.tree.pose_of[body]
        frame = self.frames[self.pair.index(body)]
        local, zero = Vector(*(self.scalar(entry) for entry in xyz)), self.tree.zero
        back = MatrixRotation(turned.matrix(zero).columns)
        axes = Rotation([(frame.axes @ Rotation([back])).matrix(zero)])
        place = origin + turned.to_parent(local)
        return BodyPoint(link, place, axes, frame.point(local), frame.velocity(local))

    def direction(self, body: str, xyz: Vector3) -> Vector:
        """A direction given in the axes of one of the two."""
        return self.frames[self.pair.index(body)].direction(self.scalars.vector(xyz))


def path(tree: LinkTree, link: int, ancestor: int) -> list[int]:
    """Links from `link` up to, not including, `ancestor`."""
    links = []
    while link != ancestor:
        links.append(link)
        link = tree.links[link].parent
    return links


def seen(scene: Scene, link: int, ancestor: int) -> SeenFrame:
    """The frame of `link` from that of `ancestor`."""
    zero = scene.tree.zero_vector()
    axes, origin = Rotation(), zero
    w, v = zero, zero
    for index in reversed(path(scene.tree, link, ancestor)):
        at: LinkPose = scene.pose[index]
        speeds = scene.state.speeds(scene.tree.links[index])
        step = axes.to_parent(at.origin)
        v = v + w.cross(step)
        origin = origin + step
        axes = Rotation([(axes @ at.rotation).matrix(scene.tree.zero)])
        relative = at.relative(speeds, zero)
        w = w + axes.to_parent(relative.angular)
        v = v + axes.to_parent(relative.linear)
    return SeenFrame(axes, origin, w, v)


def body_frames(scene: Scene, bodies: Sequence[str]) -> list[SeenFrame]:
    """The frames of two bodies, both from their common ancestor."""
    placed = [scene.tree.pose_of[body] for body in bodies]
    ancestor = common_ancestor(scene.tree, placed[0][0], placed[1][0])
    result = []
    for link, rotation, origin in placed:
        frame = seen(scene, link, ancestor)
        axes = Rotation([(frame.axes @ rotation).matrix(scene.tree.zero)])
        offset = frame.axes.to_parent(origin)
        result.append(
            SeenFrame(axes, frame.origin + offset, frame.w, frame.v + frame.w.cross(offset))
        )
    if isinstance(scene, Displaced):
        result[1] = result[1].displaced(scene)
    return result


def between(scene: Scene, bodies: tuple[str, str]) -> PairScene:
    """The scene as the common ancestor of two bodies sees it."""
    first, second = body_frames(scene, bodies)
    given: dict[str, Any] = {f.name: getattr(scene, f.name) for f in fields(Scene)}
    return PairScene(**given, pair=bodies, frames=(first, second))
