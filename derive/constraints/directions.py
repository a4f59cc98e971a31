"""Constraints on directions fixed in two bodies: parallel, perpendicular."""

from __future__ import annotations

from collections.abc import Iterator

from eomc.derive.elements.constraint import Constraint
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import AtPoint, Direction, direction, point
from eomc.derive.geometry import Vector
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Vector3
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import body_frames


def _directions(
    scene: Scene, sides: tuple[Point, Point], axes: tuple[Vector3, Vector3]
) -> tuple[Vector, Vector3]:
    """The first direction in the axes of the second body, and the second one."""
    first, second = body_frames(scene, [side.body for side in sides])
    own = scene.scalars.vector(unit_vector(axes[0], "axis_a"))
    return second.axes.to_child(first.direction(own)), unit_vector(axes[1], "axis_b")


@kind("parallel")
class Parallel(Constraint):
    """Directions of two bodies stay parallel."""

    a: AtPoint = point("names a body")
    b: AtPoint = point("names the other")
    axis_a: Direction = direction("of a's body", of="a")
    axis_b: Direction = direction("of b's body", of="b")

    def rows(self, scene: Scene) -> Iterator[Row]:
        """The first direction has no component across the second."""
        first, axis = _directions(scene, (self.a, self.b), (self.axis_a, self.axis_b))
        for label, across in zip(("1", "2"), normal_directions(axis), strict=True):
            yield Row(self.name, f"across_{label}", scene.scalars.vector(across).dot(first))


@kind("perpendicular")
class Perpendicular(Constraint):
    """Directions of two bodies stay perpendicular."""

    a: AtPoint = point("names a body")
    b: AtPoint = point("names the other")
    axis_a: Direction = direction("of a's body", of="a")
    axis_b: Direction = direction("of b's body", of="b")

    def rows(self, scene: Scene) -> Iterator[Row]:
        """Their scalar product vanishes."""
        first, axis = _directions(scene, (self.a, self.b), (self.axis_a, self.axis_b))
        yield Row(self.name, "along", scene.scalars.vector(axis).dot(first))
