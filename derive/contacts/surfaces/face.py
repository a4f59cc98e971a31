"""A rectangular face of a box.

With the place (x, y, z) of a ball's centre in the axes of the face, z along its normal, and what
x and y stick out over the edges, o = x - clamp(x, -a, a), the distance is sqrt(o.o + max(z, 0)^2)
beside the face, and z over it and below it. Ovals meet edges by what is seen along them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.contacts.shapes.shape import Site, triad
from eomc.derive.contacts.surfaces.surface import Surface, Touch, from_distance, touch_of
from eomc.derive.fields.field import Direction, Position, direction, position
from eomc.derive.fields.part import positive
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import vector_of
from eomc.derive.graph import Expression
from eomc.derive.language.errors import ModelError
from eomc.derive.language.registry import kind
from eomc.derive.scene.loads import Scene


@kind("face")
class Face(Surface):
    """One face of a box, with its edges: which face is met is declared, not searched.

    A ball whose centre is below the face and leaves it sideways loses touch at once, and so does a
    rim without a tube at an edge.
    """

    half_sizes: Position = position("m", "half its sides along `first` and across it; a third is 0")
    normal: Direction = direction("to the free side, in its body", of="at", default=(0, 0, 1))
    first: Direction = direction("of the first side, in its body", of="at", default=(1, 0, 0))

    def __post_init__(self) -> None:
        given: Sequence[object] = self.half_sizes
        if len(given) == 2:
            object.__setattr__(self, "half_sizes", (*given, 0))
        super().__post_init__()

    def touch(self, scene: Scene, site: Site) -> Touch:
        """From the nearest point of the rectangle."""
        zero, body = scene.tree.zero, self.at.body
        axes = [scene.direction(body, e) for e in triad(self.normal, self.first)]
        away = site.centre.position - self.carrier(scene).position
        out, square = scene.tree.zero_vector(), zero
        for e, half in zip(axes[:2], self.half_sizes[:2], strict=True):
            x, a = e.dot(away), scene.scalar(half)
            over = x - x.binary("max", -a).binary("min", a)
            out, square = out + e * over, square + over * over
        n, z = axes[2], axes[2].dot(away)
        up = z.binary("max", zero)
        # Over the face nothing sticks out, and no root of zero is taken.
        one = zero + 1
        size = zero.if_less(square, square + up * up, one).sqrt()
        beside = (out + n * up) * (1 / size)
        distance = zero.if_less(square, size, z)
        normal = Vector(*(zero.if_less(square, b, c) for b, c in zip(beside, n, strict=True)))
        return from_distance(site, distance, normal)

    def touch_convex(self, scene: Scene, site: Site) -> Touch:
        """As on a plane where its lowest point is over the rectangle, else at an edge or corner."""
        assert site.oval is not None
        body, origin, zero = self.at.body, self.carrier(scene).position, scene.tree.zero
        axes = [scene.direction(body, e) for e in triad(self.normal, self.first)]
        n, halves = axes[2], [scene.scalar(half) for half in self.half_sizes[:2]]
        height, arm = site.support(n)
        lowest = site.centre.position + arm
        plane = Touch(n.dot(site.centre.position - origin) - height, n, lowest)
        beyond, edges = [], []
        for k in (0, 1):
            x = axes[k].dot(lowest - origin)
            beyond.append(x.unary("abs") - halves[k])
            end = origin + axes[k] * x.if_less(zero, -halves[k], halves[k])
            # An edge that is not asked is looked at from outside, where nothing fails.
            aside = site.centre.position + axes[k] * (2 * site.oval.support(axes[k])[0])
            end = vector_of(beyond[k], end, aside)
            edges.append(self._at_edge(site, end, axes[1 - k], (axes[k], n), halves[1 - k]))
        nearer = zero.if_less(beyond[0], edges[0].gap - edges[1].gap, zero + 1)
        found = touch_of(beyond[0], edges[0], plane)
        return touch_of(beyond[1].binary("min", nearer), edges[1], found)

    def _at_edge(
        self, site: Site, end: Vector, e: Vector, across: tuple[Vector, Vector], half: Expression
    ) -> Touch:
        """Of the segment along e about `end`: at its line, or at the corner before it."""
        assert site.oval is not None and site.distance is not None
        centre = site.centre.position
        gap, normal, arm = site.oval.from_line(end - centre, across, self.code)
        along = Touch(gap, -normal, centre + arm)
        s = e.dot(along.point - end)
        corner = end + e * s.binary("max", -half).binary("min", half)
        distance, towards = site.distance(corner)
        last = Touch(distance, -towards, corner - towards * distance)
        return touch_of(s.unary("abs") - half, last, along)

    def tangents(self, scene: Scene) -> tuple[Vector, Vector]:
        """Along its sides."""
        first, second, _ = triad(self.normal, self.first)
        body = self.at.body
        return scene.direction(body, first), scene.direction(body, second)

    def check(self, values: Mapping[str, float]) -> None:
        """Two sides."""
        for half in self.half_sizes[:2]:
            positive(half, "half_sizes", values)
        if self.half_sizes[2] != 0:
            raise ModelError("half_sizes: a face has two sides; give 0 as the third")
