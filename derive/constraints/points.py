"""Constraints on points: coincident, at a distance, on a path, a line, a plane or a surface.

All are written in the axes of the second body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from eomc.derive.drawing.mark import NOTHING, PLATE, SLOT
from eomc.derive.elements.constraint import Constraint, check_length
from eomc.derive.elements.element import Mechanism
from eomc.derive.elements.rows import Row
from eomc.derive.fields.field import (
    AtPoint,
    Direction,
    Number,
    Position,
    direction,
    number,
    point,
    position,
)
from eomc.derive.fields.scope import SURFACE, TIMED
from eomc.derive.geometry import Vector
from eomc.derive.language.naming import WORLD
from eomc.derive.language.registry import kind
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene
from eomc.derive.scene.pair import body_frames

LABELS = ("x", "y", "z")


def offset(scene: Scene, a: Point, b: Point) -> Vector:
    """From point b to point a, in the axes of the body of b."""
    first, second = body_frames(scene, (a.body, b.body))
    at, foot = first.point(scene.scalars.vector(a.xyz)), second.point(scene.scalars.vector(b.xyz))
    return second.axes.to_child(at - foot)


@kind("coincident")
class Coincident(Constraint):
    """Two points are one."""

    a: AtPoint = point("of one body")
    b: AtPoint = point("of another")

    def rows(self, scene: Scene) -> Iterator[Row]:
        """a = b"""
        for label, entry in zip(LABELS, offset(scene, self.a, self.b), strict=True):
            yield Row(self.name, label, entry)


@kind("point_location")
class PointLocation(Constraint):
    """A point moves as a function of time, in the world or in another body."""

    a: AtPoint = point("that moves")
    position: Position = position("m", "from b, in the axes of its body", of="b", scope=TIMED)
    b: AtPoint = point("from which the position is measured", default=WORLD)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """a - b = r(t)"""
        r = map(scene.scalar, self.position)
        for label, entry, place in zip(LABELS, offset(scene, self.a, self.b), r, strict=True):
            yield Row(self.name, label, entry - place)


@kind("distance")
class Distance(Constraint):
    """Two points stay `length` apart: a rod without mass."""

    a: AtPoint = point("of one body")
    b: AtPoint = point("of another")
    length: Number = number("m", scope=TIMED)

    def check_in(self, model: Mechanism, values: Mapping[str, float]) -> None:
        """The length is positive."""
        check_length(self.length, values, "; two points together are 'coincident'")

    def rows(self, scene: Scene) -> Iterator[Row]:
        """(d.d - l^2) / (2 l), d = a - b: at the distance l its rate is that of the distance."""
        length = scene.scalar(self.length)
        d = offset(scene, self.a, self.b)
        yield Row(self.name, "distance", (d.dot(d) - length * length) / (2 * length))


@kind("point_on_line")
class PointOnLine(Constraint):
    """A point stays on a line of another body."""

    drawn = SLOT

    a: AtPoint = point("that slides")
    b: AtPoint = point("of the line")
    axis_b: Direction = direction("of the line, in b's body", of="b")

    def rows(self, scene: Scene) -> Iterator[Row]:
        """Both components of a - b across the line vanish."""
        d = offset(scene, self.a, self.b)
        across = normal_directions(unit_vector(self.axis_b, "axis_b"))
        for label, normal in zip(("1", "2"), across, strict=True):
            yield Row(self.name, f"across_{label}", scene.scalars.vector(normal).dot(d))


@kind("point_on_plane")
class PointOnPlane(Constraint):
    """A point stays on a plane of another body, or `offset` from it along the normal."""

    drawn = PLATE

    a: AtPoint = point("that slides")
    b: AtPoint = point("of the plane")
    axis_b: Direction = direction("normal, in b's body", of="b")
    offset: Number = number("m", scope=TIMED, default=0)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """n.(a - b) = offset"""
        normal = scene.scalars.vector(unit_vector(self.axis_b, "axis_b"))
        height = normal.dot(offset(scene, self.a, self.b))
        yield Row(self.name, "height", height - scene.scalar(self.offset))


@kind("point_on_surface")
class PointOnSurface(Constraint):
    """A point stays on a surface f(x, y, z) = 0 of another body, measured from b in its axes."""

    drawn = NOTHING

    a: AtPoint = point("that slides")
    b: AtPoint = point("from which x, y, z are measured")
    expression: Number = number(meaning="f(x, y, z)", scope=SURFACE)

    def rows(self, scene: Scene) -> Iterator[Row]:
        """f(x, y, z) = 0 with the coordinates of a - b in the axes of the body of b."""
        names = dict(zip(LABELS, offset(scene, self.a, self.b), strict=True))
        yield Row(self.name, "surface", scene.scalar(self.expression, names))
