"""A solid box that balls meet: from the nearest point of it, or out through the nearest face.

With the place x of a ball's centre in the axes of the box and what it sticks out, o = x -
clamp(x, -a, a), the distance is |o| outside, and max(|x_i| - a_i) inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.shape import Site, triad
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance
from eomc.derive.fields.field import Direction, Position, direction, position
from eomc.derive.fields.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import absolute, either, largest, sign, vector_of
from eomc.derive.graph import Expression
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene


@kind("box")
class BoxSurface(Surface):
    """A box with sides along `first`, across both, and along `axis`."""

    half_sizes: Position = position("m", "half the sides")
    axis: Direction = direction("of the third side, in its body", of="at", default=(0, 0, 1))
    first: Direction = direction("of the first side, in its body", of="at", default=(1, 0, 0))

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From the nearest point."""
        axes, halves = box_frame(scene, self)
        away = site.centre.position - self.carrier(scene).position
        return from_distance(site, *outside(Vector(*(e.dot(away) for e in axes)), axes, halves))

    def check(self, values: Mapping[str, float]) -> None:
        """Sizes."""
        for half in self.half_sizes:
            positive(half, "half_sizes", values)


def box_frame(scene: Scene, box: object) -> tuple[list[Vector], list[Expression]]:
    """Axes in the world of a box, and half its sides."""
    at, axis, first = (getattr(box, word) for word in ("at", "axis", "first"))
    axes = [scene.direction(at.body, e) for e in triad(axis, first)]
    return axes, [scene.scalar(half) for half in getattr(box, "half_sizes")]  # noqa: B009


def outside(
    x: Vector, axes: Sequence[Vector], halves: Sequence[Expression]
) -> tuple[Expression, Vector]:
    """Distance of a place x in the axes of a box from it, negative inside, and the normal."""
    over = [a - a.binary("max", -h).binary("min", h) for a, h in zip(x, halves, strict=True)]
    square = over[0] * over[0] + over[1] * over[1] + over[2] * over[2]
    one = square * 0 + 1
    size = either(square, square, one).sqrt()  # no root of zero is taken
    away = axes[0] * over[0] + axes[1] * over[1] + axes[2] * over[2]
    faces = [absolute(a) - h for a, h in zip(x, halves, strict=True)]
    normals = [[*(e * sign(a))] for e, a in zip(axes, x, strict=True)]
    inside, normal = largest(faces, normals)
    return either(square, size, inside), vector_of(square, away * (1 / size), Vector(*normal))
