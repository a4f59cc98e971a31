"""Constraints on points: coincident, at a distance, on a line, a plane or a surface.

All are written in the axes of the second body.
"""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.constraints.pair import body_frames
from eomc.derive.constraints.rows import Row, register
from eomc.derive.forces.loads import Scene
from eomc.derive.geometry import Vector
from eomc.derive.model.constraint import Constraint
from eomc.derive.model.joint import normal_directions, unit_vector

LABELS = ("x", "y", "z")


def offset(constraint: Constraint, scene: Scene) -> Vector:
    """From point b to point a, in the axes of the body of b."""
    assert constraint.a is not None and constraint.b is not None
    first, second = body_frames(scene, (constraint.a.body, constraint.b.body))
    a = first.point(scene.scalars.vector(constraint.a.xyz))
    b = second.point(scene.scalars.vector(constraint.b.xyz))
    return second.axes.to_child(a - b)


@register("coincident")
def coincident(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """a = b"""
    for label, entry in zip(LABELS, offset(constraint, scene), strict=True):
        yield Row(constraint.name, label, entry)


@register("distance")
def distance(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """(|a - b|^2 - l^2) / (2 l): its rate is that of the distance at the distance l itself."""
    length = scene.scalar(constraint.length)
    d = offset(constraint, scene)
    yield Row(constraint.name, "distance", (d.dot(d) - length * length) / (2 * length))


@register("point_on_line")
def point_on_line(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """Both components of a - b across the line vanish."""
    assert constraint.axis_b is not None
    d = offset(constraint, scene)
    across = normal_directions(unit_vector(constraint.axis_b, "axis_b"))
    for label, direction in zip(("1", "2"), across, strict=True):
        yield Row(constraint.name, f"across_{label}", scene.scalars.vector(direction).dot(d))


@register("point_on_plane")
def point_on_plane(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """n.(a - b) = offset"""
    assert constraint.axis_b is not None
    normal = scene.scalars.vector(unit_vector(constraint.axis_b, "axis_b"))
    height = normal.dot(offset(constraint, scene))
    yield Row(constraint.name, "height", height - scene.scalar(constraint.offset or 0))


@register("point_on_surface")
def point_on_surface(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """f(x, y, z) = 0 with the coordinates of a - b in the axes of the body of b."""
    names = dict(zip(LABELS, offset(constraint, scene), strict=True))
    yield Row(constraint.name, "surface", scene.scalar(constraint.expression, names))
