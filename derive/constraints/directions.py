"""Constraints on directions fixed in two bodies: parallel, perpendicular."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.constraints.pair import body_frames
from eomc.derive.constraints.rows import Row, register
from eomc.derive.forces.loads import Scene
from eomc.derive.geometry import Vector
from eomc.derive.model.constraint import Constraint
from eomc.derive.model.joint import normal_directions, unit_vector
from eomc.derive.model.scalar import Vector3


def _direction(constraint: Constraint, scene: Scene) -> tuple[Vector, Vector3]:
    """The first direction in the axes of the second body, and the second one."""
    assert constraint.a is not None and constraint.b is not None
    assert constraint.axis_a is not None and constraint.axis_b is not None
    first, second = body_frames(scene, (constraint.a.body, constraint.b.body))
    own = scene.scalars.vector(unit_vector(constraint.axis_a, "axis_a"))
    return second.axes.to_child(first.direction(own)), unit_vector(constraint.axis_b, "axis_b")


@register("parallel")
def parallel(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """The first direction has no component across the second."""
    first, axis = _direction(constraint, scene)
    for label, across in zip(("1", "2"), normal_directions(axis), strict=True):
        yield Row(constraint.name, f"across_{label}", scene.scalars.vector(across).dot(first))


@register("perpendicular")
def perpendicular(constraint: Constraint, scene: Scene) -> Iterator[Row]:
    """Their scalar product vanishes."""
    first, axis = _direction(constraint, scene)
    yield Row(constraint.name, "along", scene.scalars.vector(axis).dot(first))
