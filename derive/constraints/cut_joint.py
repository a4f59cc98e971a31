"""Cut joints: what a joint holds, written as constraints between its two frames.

In the parent-side joint frame, r is the origin of the child-side frame and R its axes. With the
unit axis n of the joint and t1, t2 normal to it,

    fixed        r = 0, turn(R) = 0
    revolute     r = 0, tilt(R n) = 0
    prismatic    t1.r = t2.r = 0, turn(R) = 0
    cylindrical  t1.r = t2.r = 0, tilt(R n) = 0
    screw        as cylindrical, and n.r = pitch angle(R about n)
    planar       n.r = 0, tilt(R n) = 0
    universal    r = 0, n.R n2 = n.n2
    spherical    r = 0

    turn(R) = 4 axial(R) / (1 + tr R) = 2 tan(theta/2) e,
    tilt(m) = 2 (t1.m, t2.m) / (1 + n.m),

with axial(R) half the vector of the skew part, e and theta axis and angle of R. Both are angles to
first order, and grow without bound towards half a turn: the skew part alone, or t1.m and t2.m
alone, vanish there too, and Newton's steps would close the joint the wrong way round. Reference:
Nikravesh, *Computer-Aided Analysis of Mechanical Systems*, ch. 7; where they are closed these rows
have the Jacobians of Trom (1990), table 2.6, with the rotation lock of its table 2.4 corrected.
"""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.constraints.pair import body_frames
from eomc.derive.constraints.rows import Row
from eomc.derive.forces.loads import Scene
from eomc.derive.geometry import MatrixRotation, Rotation, Vector
from eomc.derive.graph import Expression
from eomc.derive.model.joint import Joint, normal_directions
from eomc.derive.model.placement import Placement


def cut_joint(joint: Joint, scene: Scene) -> Iterator[Row]:
    """Rows that hold the two sides of a cut joint together."""
    r, turned = _relative(joint, scene)
    if joint.kind in ("fixed", "revolute", "universal", "spherical"):
        for label, entry in zip(("x", "y", "z"), r, strict=True):
            yield Row(joint.name, f"force_{label}", entry)
    if joint.kind in ("prismatic", "cylindrical", "screw"):
        for label, t in zip(("1", "2"), _normals(joint, scene), strict=True):
            yield Row(joint.name, f"force_{label}", t.dot(r))
    if joint.kind == "planar":
        yield Row(joint.name, "force_n", _axis(joint, scene).dot(r))
    if joint.kind in ("fixed", "prismatic"):
        for label, entry in zip(("x", "y", "z"), _turn(turned), strict=True):
            yield Row(joint.name, f"torque_{label}", entry)
    if joint.kind in ("revolute", "cylindrical", "screw", "planar"):
        n = _axis(joint, scene)
        m = turned.to_parent(n)
        scale = 2 / (1 + n.dot(m))
        for label, t in zip(("1", "2"), _normals(joint, scene), strict=True):
            yield Row(joint.name, f"torque_{label}", t.dot(m) * scale)
    if joint.kind == "universal":
        first = _axis(joint, scene)
        second = scene.scalars.vector(joint.axis2 or (0, 1, 0))
        yield Row(joint.name, "torque", first.dot(turned.to_parent(second)) - first.dot(second))
    if joint.kind == "screw":
        first, second = _normals(joint, scene)
        turned_first = turned.to_parent(first)
        angle = second.dot(turned_first).binary("atan2", first.dot(turned_first))
        pitch = scene.scalar(joint.pitch)
        yield Row(joint.name, "force_n", _axis(joint, scene).dot(r) - pitch * angle)


def _axis(joint: Joint, scene: Scene) -> Vector:
    return scene.scalars.vector(joint.direction)


def _normals(joint: Joint, scene: Scene) -> tuple[Vector, Vector]:
    first, second = normal_directions(joint.direction)
    return scene.scalars.vector(first), scene.scalars.vector(second)


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


def _turn(rotation: MatrixRotation) -> list[Expression]:
    x, y, z = rotation.rows
    scale = 2 / (1 + x.x + y.y + z.z)
    return [(z.y - y.z) * scale, (x.z - z.x) * scale, (y.x - x.y) * scale]
