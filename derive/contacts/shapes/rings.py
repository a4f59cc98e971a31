"""Shapes around a circle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.oval import Oval
from eomc.derive.contacts.shapes.shape import Shape, Site
from eomc.derive.fields.field import Direction, Number, direction, number
from eomc.derive.fields.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.language.scalar import Scalar, Vector3
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.placement.placement import Point
from eomc.derive.scene.loads import Scene

FLAT = 1e-7


"""delta where none is given."""


def ring(
    scene: Scene, at: Point, axis: Vector3, radius: Scalar, tube: Scalar, flat: Scalar
) -> Site:
    """The site of a circle of that radius about a point."""
    unit = unit_vector(axis, "axis")
    e = scene.direction(at.body, unit)
    r, a, delta = scene.scalar(radius), scene.scalar(tube), scene.scalar(flat)

    def support(n: Vector) -> tuple[Expression, Vector]:
        w = n - e * e.dot(n)
        size = (w.dot(w) + delta * delta).sqrt()
        return a + r * size, n * -a - w * (r / size)

    centre = scene.point(at.body, at.xyz)

    def apart(place: Vector, sign: int) -> tuple[Expression, Vector]:
        away = place - centre.position
        across = away - e * e.dot(away)
        far = (across.dot(across) + (r * delta) * (r * delta)).sqrt()
        off = away - across * (sign * r / far)
        size = off.norm()
        return size, off * (1 / size)

    def distance(place: Vector) -> tuple[Expression, Vector]:
        size, towards = apart(place, 1)
        return size - a, towards

    def furthest(place: Vector) -> tuple[Expression, Vector]:
        size, towards = apart(place, -1)
        return size + a, towards

    axes = [*(scene.direction(at.body, d) for d in normal_directions(unit)), e]
    wide = r * (1 + delta * delta).sqrt()
    oval = Oval(axes, (wide, wide, r * delta), a, hollow=True)
    return Site(centre, support, distance=distance, furthest=furthest, oval=oval)


@kind("disc")
class Disc(Shape):
    """A thin disc, or the rim of a coin."""

    is_oval = True
    is_hollow = True

    radius: Number = number("m")
    axis: Direction = direction("across the disc, in its body", of="at", default=(0, 0, 1))
    flat: Number = number("", "delta near which it counts as lying flat", default=FLAT)

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        return [ring(scene, self.at, self.axis, self.radius, 0, self.flat)]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for word in ("radius", "flat"):
            positive(getattr(self, word), word, values)


@kind("torus")
class Torus(Shape):
    """A tube about a circle."""

    is_oval = True
    is_hollow = True

    radius: Number = number("m", "of the circle in the middle of the tube")
    tube: Number = number("m", "radius of the tube")
    axis: Direction = direction("of the circle, in its body", of="at", default=(0, 0, 1))
    flat: Number = number("", "delta near which it counts as lying flat", default=FLAT)

    def sites(self, scene: Scene) -> Sequence[Site]:
        """Itself."""
        return [ring(scene, self.at, self.axis, self.radius, self.tube, self.flat)]

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for word in ("radius", "tube", "flat"):
            positive(getattr(self, word), word, values)
