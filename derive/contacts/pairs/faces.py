"""Faces of boxes that look at each other: along which direction, and where edges enter them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from eomc.derive.contacts.surfaces.surface import Touch, touch_of
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import either, largest, sign, vector_of
from eomc.derive.graph import Expression

Two = tuple[Expression, Expression]
Sizes = Sequence[Expression]
Frame = tuple[Sequence[Vector], Sizes]
"""Axes, and half sizes along them: three of a box, one of a segment."""

SAME = 1e-6
"""Share of a size within which edges coincide: those of the shape count, those of the surface do
not."""
_FACE_FIRST = 1e-9
"""Share of a size by which a product of edges must separate more than a face."""
_PARALLEL = 1e-6
"""Square of the sine of the angle below which edges have no product."""
_STEEP = 1e-12


def separation(centre: Vector, upper: Frame, origin: Vector, lower: Frame) -> Touch:
    """The largest separation of a box or segment about a centre from a box about an origin, of all
    normals of faces and products of edges. The gap is that of two corners, so that its rate is the
    normal velocity also where both ways out along an axis are equal, or edges are parallel."""
    n, of_shape, of_edges, e, f = _axis(centre - origin, upper, lower)
    lowest, highest = centre, origin
    for side, half in zip(*upper, strict=True):
        lowest = lowest - side * (half * sign(side.dot(n)))
    for side, half in zip(*lower, strict=True):
        highest = highest + side * (half * sign(side.dot(n)))
    gap = n.dot(lowest - highest)
    # The shape's point: its lowest corner, the place on its face over the highest one of the
    # surface, or the point of its edge that is nearest to the other edge.
    across = f.cross(e)
    square = either(of_edges, across.dot(across), of_edges * 0 + 1)
    s = (highest - lowest).cross(e).dot(across) / square
    return Touch(gap, n, vector_of(of_shape, highest + n * gap, lowest + f * s))


def _axis(
    away: Vector, upper: Frame, lower: Frame
) -> tuple[Vector, Expression, Expression, Vector, Vector]:
    """The unit normal along the largest separation from the lower to the upper one. Then above
    zero if it is of a face of the upper one, if it is of edges; and these, of the lower and the
    upper one."""
    (a, halves_a), (b, halves_b) = upper, lower
    dots = [[e.dot(f) for f in a] for e in b]
    faces = []
    for i, e in enumerate(b):
        reach = total(h * dots[i][j].unary("abs") for j, h in enumerate(halves_a))
        faces.append(_apart(e, away, halves_b[i] + reach))
    for j, f in enumerate(a if len(a) == 3 else ()):
        reach = total(h * dots[i][j].unary("abs") for i, h in enumerate(halves_b))
        faces.append(_apart(f, away, halves_a[j] + reach))
    least = faces[0][0]
    for key, _ in faces[1:]:
        least = key.binary("max", least)
    size, edges = total(halves_a) + total(halves_b), []
    for i, e in enumerate(b):
        for j, f in enumerate(a):
            square = 1 - dots[i][j] * dots[i][j]
            skew = square - _PARALLEL
            inverse = 1 / either(skew, square, square * 0 + 1).sqrt()
            k, u = ((i + 1) % 3, (i + 2) % 3), ((j + 1) % 3, (j + 2) % 3)
            shares = [halves_b[p] * dots[q][j].unary("abs") for p, q in (k, k[::-1])]
            if len(a) == 3:
                shares += [halves_a[p] * dots[i][q].unary("abs") for p, q in (u, u[::-1])]
            gap, n = _apart(e.cross(f) * inverse, away, total(shares) * inverse)
            edges.append((either(skew, gap - size * _FACE_FIRST, least - size), n))
    keys, rows = zip(*faces, *edges, strict=True)
    zero, one = size * 0, size * 0 + 1
    none = [zero] * 6
    more = [[zero, zero, *none]] * 3 + [[one, zero, *none]] * (len(faces) - 3)
    more += [[zero, one, *e, *f] for e in b for f in a]
    _, row = largest(keys, [[*n, *rest] for n, rest in zip(rows, more, strict=True)])
    return Vector(*row[:3]), row[3], row[4], Vector(*row[5:8]), Vector(*row[8:11])


def _apart(n: Vector, away: Vector, reach: Expression) -> tuple[Expression, list[Expression]]:
    along = n.dot(away)
    return along.unary("abs") - reach, [*(n * sign(along))]


def total(terms: Iterable[Expression]) -> Expression:
    """Their sum."""
    return reduce(lambda a, b: a + b, terms)


@dataclass(frozen=True, eq=False)
class BoxFace:
    """A face of a box: its middle, directions of its sides and half their lengths, its normal
    outwards, and in these axes the direction along which the other face is seen over it."""

    middle: Vector
    sides: tuple[Vector, Vector]
    halves: Two
    normal: Vector
    view: Vector

    @classmethod
    def towards(cls, n: Vector, box: Frame, centre: Vector) -> BoxFace:
        """The one that looks along n the most."""
        axes, halves = box
        along, rows = [n.dot(e) for e in axes], []
        for k in range(3):
            u, v = (k + 1) % 3, (k + 2) % 3
            normal = axes[k] * sign(along[k])
            rows.append([*normal, *axes[u], *axes[v], halves[k], halves[u], halves[v]])
        _, found = largest([x.unary("abs") for x in along], rows)
        normal, first, second = (Vector(*found[k : k + 3]) for k in (0, 3, 6))
        view = Vector(first.dot(n), second.dot(n), normal.dot(n))
        middle = centre + normal * found[9]
        return cls(middle, (first, second), (found[10], found[11]), normal, view)

    def in_axes(self, v: Vector) -> Vector:
        """A direction in the axes of the face, the third along its normal."""
        return Vector(self.sides[0].dot(v), self.sides[1].dot(v), self.normal.dot(v))

    def plane(self, v: Vector) -> Two:
        """A place or direction in these axes as it is seen in the plane of the face."""
        height = v.z / self.view.z
        return v.x - self.view.x * height, v.y - self.view.y * height

    def entered(self, start: Vector, edge: Vector) -> tuple[Expression, Touch]:
        """The beginning of the part of an edge, in these axes, that is over the face: above zero if
        there is one, and the touch there, of its start or of its crossing with a side."""
        seen, (x, y) = self.plane(start), self.plane(edge)
        limits = [half * (1 + SAME) for half in self.halves]
        valid, crosses, is_x = clipped(seen, (x, y), limits)
        wall = either(is_x, -sign(x) * self.halves[0], -sign(y) * self.halves[1])
        zero, one = wall * 0, wall * 0 + 1
        crossing = self.crossing(edge, start, wall, either(is_x, one, zero))
        over = Touch(start.z, Vector(zero, zero, one), start)
        return valid, self.in_world(touch_of(crosses, crossing, over))

    def crossing(self, edge: Vector, place: Vector, wall: Expression, is_x: Expression) -> Touch:
        """Of an edge through a place and the side of the face at x, or y, = wall; all in these
        axes."""
        along, x = either(is_x, edge.x, edge.y), either(is_x, place.x, place.y)
        square = along * along + edge.z * edge.z
        length, way = square.sqrt(), sign(along)
        gap = (along * place.z - edge.z * (x - wall)) * (way / length)
        across, up = -edge.z * (way / length), along * (way / length)
        s = ((wall - x) * along - place.z * edge.z) / square
        zero = s * 0
        normal = Vector(either(is_x, across, zero), either(is_x, zero, across), up)
        return Touch(gap, normal, place + edge * s)

    def in_world(self, touch: Touch) -> Touch:
        """A touch in these axes in those of the world."""
        x, n = touch.point, touch.normal
        place = self.middle + self.sides[0] * x.x + self.sides[1] * x.y + self.normal * x.z
        turned = self.sides[0] * n.x + self.sides[1] * n.y + self.normal * n.z
        return Touch(touch.gap, turned, place)


def clipped(start: Two, along: Two, limits: Sizes) -> tuple[Expression, Expression, Expression]:
    """The part of a segment within |x| <= limit of both coordinates. Above zero are its share of
    the segment; its start, if that is behind the segment's; and, if the first coordinate enters
    last, the difference of both entries."""
    lows, highs = [], []
    for x, v, limit in zip(start, along, limits, strict=True):
        least = limit * _STEEP
        steep = either(v.unary("abs") - least, v, least)
        ends = (-limit - x) / steep, (limit - x) / steep
        lows.append(ends[0].binary("min", ends[1]))
        highs.append(ends[0].binary("max", ends[1]))
    zero = start[0] * 0
    enters = lows[0].binary("max", lows[1])
    leaves = highs[0].binary("min", highs[1]).binary("min", zero + 1)
    return leaves - enters.binary("max", zero), enters, lows[0] - lows[1]
