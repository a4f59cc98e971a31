"""Rows of a joint that closes a loop: what its kind holds, between its two frames."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.elements.rows import Row
from eomc.derive.geometry import MatrixRotation, Rotation, Vector
from eomc.derive.joints.closure import Closure
from eomc.derive.joints.joint import Joint
from eomc.derive.placement.placement import Placement
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import body_frames


def cut_joint(joint: Joint, scene: Scene) -> Iterator[Row]:
    """Rows that hold the two sides of a cut joint together."""
    at = Closure(joint, scene.scalars, *_relative(joint, scene))
    for label, residual in joint.declaration.holds(at):
        yield Row(joint.name, label, residual)


def _relative(joint: Joint, scene: Scene) -> tuple[Vector, MatrixRotation]:
    """Child-side frame in the parent-side one: origin and axes."""
    a, b = body_frames(scene, (joint.parent, joint.child))

    def placed(place: Placement) -> tuple[Rotation, Vector]:
        rotation = Rotation([scene.scalars.rotation(place.matrix)])
        return rotation, scene.scalars.vector(place.xyz)

    inner, at = placed(joint.placement)
    outer, end = placed(joint.child_placement)
    frame_a, frame_b = a.axes @ inner, b.axes @ outer
    r = frame_a.to_child(b.point(end) - a.point(at))
    zero = scene.tree.zero
    columns = [frame_a.to_child(column) for column in frame_b.matrix(zero).columns]
    x, y, z = columns
    return r, MatrixRotation(MatrixRotation((x, y, z)).columns)
