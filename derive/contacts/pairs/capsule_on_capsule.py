"""Capsules: ends against segments, and segments that cross.

Of segments x + s d and y + t e, d and e of half their lengths, crossing lines are nearest where
both s and t are roots of

    (s d - t e + x - y) . d = 0,    (s d - t e + x - y) . e = 0,

at the distance |m . (x - y)|, m = d x e/|d x e|, which has a normal where the lines meet, too. An
end that is on the other segment is pressed out across both, or across one where they are parallel.

Sites are the ends of the shape, the ends of the surface where the shape passes beside them, and the
crossing, where it is between all ends. Segments that lie side by side touch at two of their ends.
Reference: Ericson, *Real-Time Collision Detection*, sec. 5.1.9.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.contacts.pairs.form import pair
from eomc.derive.contacts.shapes.round_shapes import Capsule
from eomc.derive.contacts.surfaces.capsule import CapsuleSurface
from eomc.derive.contacts.surfaces.surface import Touch, touch_of
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import absolute, either, sign, vector_of
from eomc.derive.placement.directions import normal_directions, unit_vector
from eomc.derive.scene.loads import Scene

_PARALLEL = 1e-8
"""Square of the sine of the angle below which lines do not cross."""


@pair("capsule on capsule", 5, is_needed=False)
def touches(scene: Scene, shape: Capsule, surface: CapsuleSurface) -> Sequence[Touch]:
    """Ends of the shape, ends of the surface, the crossing."""
    upper, lower = segment(scene, shape), segment(scene, surface)
    (x, d), (y, e) = upper, lower
    radii = scene.scalar(shape.radius), scene.scalar(surface.radius)
    both = radii[0] + radii[1]
    zero = both * 0
    cross, square = d.cross(e), d.dot(d) * e.dot(e)
    skew = cross.dot(cross) - _PARALLEL * square
    area, away = either(skew, cross.dot(cross), square), y - x
    beside = normal_directions(unit_vector(surface.axis, "axis"))[0]
    m = vector_of(skew, cross * (1 / area.sqrt()), scene.direction(surface.at.body, beside))

    def between(p: Vector, q: Vector) -> Touch:
        away = p - q
        square = away.dot(away)
        size = either(square, square, zero + 1).sqrt()  # no root of zero is taken
        n = vector_of(square, away * (1 / size), m)
        return Touch(either(square, size, m.dot(away)) - both, n, p - n * radii[0])

    found = []
    for way in (1, -1):
        end = x + d * way
        t = ((end - y).dot(e) / e.dot(e)).binary("max", zero - 1).binary("min", zero + 1)
        found.append(between(end, y + e * t))
    apart = found[0].gap + 2 * (both + d.norm() + e.norm())
    far = Touch(apart, found[0].normal, found[0].point)
    for way in (1, -1):
        end = y + e * way
        s = (end - x).dot(d) / d.dot(d)
        found.append(touch_of(1 - s * s, between(x + d * s, end), far))
    s, t = away.cross(e).dot(cross) / area, away.cross(d).dot(cross) / area
    inside = (1 - s * s).binary("min", 1 - t * t).binary("min", skew / square)
    along = -m.dot(away)
    n = m * sign(along)
    crossing = Touch(absolute(along) - both, n, x + d * s - n * radii[0])
    return [*found, touch_of(inside, crossing, far)]


def segment(scene: Scene, capsule: Capsule | CapsuleSurface) -> tuple[Vector, Vector]:
    """Its middle, and from there to one of its ends."""
    at = capsule.at
    axis = scene.direction(at.body, unit_vector(capsule.axis, "axis"))
    return scene.point(at.body, at.xyz).position, axis * scene.scalar(capsule.half_length)
