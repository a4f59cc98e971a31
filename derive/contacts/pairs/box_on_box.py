"""Boxes: the vertices of the common patch of two faces, up to eight.

Of the 15 axes along which boxes can be apart, normals of faces and products of edges, that with the
largest separation tells the face of each box that looks at the other. Seen along it the patch is
what a rectangle and a parallelogram have in common. Each vertex of it begins one of its edges,
which is a part of one of the eight edges of both faces. It is one of

    a corner over the other face,        gap = n . (p - o), n the normal of the face,
    a crossing of two edges along a, b,  gap = m . (p - o), m = a x b/|a x b|,

with exact distances of features, along their own normals. If faces do not meet, as of boxes beside
each other, one site tells the largest separation, which is at most the distance; so it does where
the way out along the normal of a vertex is longer.
Reference: Ericson, *Real-Time Collision Detection*, sec. 4.4; Liang and Barsky, *A new concept and
method for line clipping*, ACM Trans. Graph. 3 (1984).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eomc.derive.contacts.pairs.faces import SAME, BoxFace, Two, clipped, separation, total
from eomc.derive.contacts.pairs.form import pair
from eomc.derive.contacts.shapes.box import Box
from eomc.derive.contacts.surfaces.box import BoxSurface, box_frame
from eomc.derive.contacts.surfaces.surface import Touch, touch_of
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import sign, vector_of
from eomc.derive.graph import Expression
from eomc.derive.scene.loads import Scene


@pair("box on box", 8)
def touches(scene: Scene, shape: Box, surface: BoxSurface) -> Sequence[Touch]:
    """Edges of the shape's face in their order, then those of the surface's."""
    upper, lower = box_frame(scene, shape), box_frame(scene, surface)
    centre, origin = scene.point(shape.at.body, shape.at.xyz).position, surface.carrier(scene)
    apart = separation(centre, upper, origin.position, lower)
    gap, n = apart.gap, apart.normal
    face = BoxFace.towards(n, lower, origin.position)
    patch = Patch.of(face, BoxFace.towards(-n, upper, centre))
    found = [patch.of_shape(k) for k in range(4)] + [patch.of_surface(k) for k in range(4)]
    some = found[0][0]
    for valid, _ in found[1:]:
        some = some.binary("max", valid)
    far = 2 * (total(upper[1]) + total(lower[1]))
    # What is deeper is measured along a direction out of which there is a longer way.
    found = [(v, touch_of(gap - far * SAME - t.gap, apart, t)) for v, t in found]
    rest = Touch(gap + far, n, apart.point)
    first = touch_of(some, rest, apart)
    return [touch_of(v, t, rest if k else first) for k, (v, t) in enumerate(found)]


_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""In their order round the normal of the face."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A parallelogram over a face: its middle, half sides and normal in the axes of the face, and
    half sides as they are seen in its plane."""

    face: BoxFace
    middle: Vector
    arms: tuple[Vector, Vector]
    normal: Vector
    seen: tuple[Two, Two]

    @classmethod
    def of(cls, face: BoxFace, other: BoxFace) -> Patch:
        """Of two faces that look at each other."""
        first, second = (
            face.in_axes(e * half) for e, half in zip(other.sides, other.halves, strict=True)
        )
        # In the order of the face's edges round its normal.
        second = second * sign(_cross(face.plane(first), face.plane(second)))
        seen = face.plane(first), face.plane(second)
        middle = face.in_axes(other.middle - face.middle)
        return cls(face, middle, (first, second), face.in_axes(other.normal), seen)

    def of_shape(self, k: int) -> tuple[Expression, Touch]:
        """The beginning of the k-th edge of the parallelogram over the face: above zero if there
        is one, and the touch."""
        (one, other), way = _CORNERS[k], (2, 2, -2, -2)[k]
        start = self.middle + self.arms[0] * one + self.arms[1] * other
        return self.face.entered(start, self.arms[k % 2] * way)

    def of_surface(self, k: int) -> tuple[Expression, Touch]:
        """The beginning of the k-th edge of the face under the parallelogram."""
        (p, q), (a, b), halves = self.arms, self.seen, self.face.halves
        (one, other), way, is_x = _CORNERS[k], (2, 2, -2, -2)[k], k % 2 == 0
        x, y = halves[0] * one, halves[1] * other
        area, zero = _cross(a, b), x * 0
        along = (halves[0] * way, zero) if is_x else (zero, halves[1] * way)
        middle = self.face.plane(self.middle)
        off = x - middle[0], y - middle[1]
        start = _cross(off, b) / area, _cross(a, off) / area
        rates = _cross(along, b) / area, _cross(a, along) / area
        limit = zero + (1 - SAME)
        valid, crosses, is_first = clipped(start, rates, [limit, limit])
        sides = self.middle - p * sign(rates[0]), self.middle - q * sign(rates[1])
        place, edge = vector_of(is_first, *sides), vector_of(is_first, q, p)
        crossing = self.face.crossing(edge, place, y if is_x else x, zero if is_x else zero + 1)
        corner = Vector(x, y, zero)
        gap = self.normal.dot(corner - self.middle)
        under = Touch(gap, -self.normal, corner - self.normal * gap)
        return valid, self.face.in_world(touch_of(crosses, crossing, under))


def _cross(a: Two, b: Two) -> Expression:
    return a[0] * b[1] - a[1] * b[0]
