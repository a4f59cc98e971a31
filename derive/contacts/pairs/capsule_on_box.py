"""A capsule and a box: where the segment enters and leaves what is over a face, and the nearest
point.

The face is the one that the direction of least overlap looks at, as of boxes; the segment over it
ends at one of its ends, or where it crosses an edge. The square of the distance of x + t d from the
box is convex, with the derivative f = 2 d . (x + t d - clamp(x + t d)), a line between the values
of t at which the segment passes a side. Where the nearest point is one of the two others it is
apart: a capsule that lies on a face touches twice.
Reference: Ericson, *Real-Time Collision Detection*, sec. 5.1.
"""

from __future__ import annotations

from collections.abc import Sequence

from eomc.derive.contacts.pairs.capsule_on_capsule import segment
from eomc.derive.contacts.pairs.faces import SAME, BoxFace, separation, total
from eomc.derive.contacts.pairs.form import pair
from eomc.derive.contacts.shapes.round_shapes import Capsule
from eomc.derive.contacts.surfaces.box import BoxSurface, box_frame, outside
from eomc.derive.contacts.surfaces.surface import Touch, touch_of
from eomc.derive.geometry import Vector
from eomc.derive.geometry.choosing import either, largest
from eomc.derive.graph import Expression
from eomc.derive.scene.loads import Scene

_STEEP = 1e-12


@pair("capsule on box", 3)
def touches(scene: Scene, shape: Capsule, surface: BoxSurface) -> Sequence[Touch]:
    """Both ends of what is over the face, and the nearest point."""
    axes, halves = box_frame(scene, surface)
    origin, radius = surface.carrier(scene).position, scene.scalar(shape.radius)
    middle, arm = segment(scene, shape)
    start = Vector(*(e.dot(middle - origin) for e in axes))
    along = Vector(*(e.dot(arm) for e in axes))
    t = nearest(start, along, halves)
    length, place = arm.norm(), middle + arm * t
    needle, box = ([arm * (1 / length)], [length]), (axes, halves)
    overlap = separation(middle, needle, origin, box)
    distance, n = outside(start + along * t, axes, halves)
    # The segment is in the box: out of it the shortest way.
    closest = touch_of(distance, Touch(distance, n, place), overlap)
    closest = _rounded(closest, radius)
    size = length + total(halves)
    far = Touch(closest.gap + 2 * (size + radius), closest.normal, closest.point)
    face, found, least = BoxFace.towards(overlap.normal, box, origin), [], far.gap
    for way in (1, -1):
        begins = face.in_axes(middle - arm * way - face.middle), face.in_axes(arm * (2 * way))
        valid, touch = face.entered(*begins)
        touch = _rounded(touch, radius)
        # What is nearer is of lines, beyond the ends of the segment or of the edge.
        valid = valid.binary("min", touch.gap - closest.gap + size * SAME)
        found.append(touch_of(valid, touch, far))
        least = least.binary("min", found[-1].gap)
    return [*found, touch_of(least - closest.gap - size * SAME, closest, far)]


def _rounded(touch: Touch, radius: Expression) -> Touch:
    """Of what is thick by a radius about that."""
    return Touch(touch.gap - radius, touch.normal, touch.point - touch.normal * radius)


def nearest(x: Vector, d: Vector, halves: Sequence[Expression]) -> Expression:
    """t in [-1, 1] of the point of x + t d that is nearest to a box, in the axes of the box."""
    zero = d.x * 0

    def slope(t: Expression) -> Expression:
        parts = []
        for a, v, h in zip(x, d, halves, strict=True):
            place = a + v * t
            parts.append(v * (place - place.binary("max", -h).binary("min", h)))
        return total(parts)

    ends = zero - 1, zero + 1
    lows, highs = [(ends[0], slope(ends[0]))], [(ends[1], slope(ends[1]))]
    for a, v, h in zip(x, d, halves, strict=True):
        steep = either(v.unary("abs") - _STEEP * h, v, _STEEP * h)
        for side in (h, -h):
            t = ((side - a) / steep).binary("max", ends[0]).binary("min", ends[1])
            f = slope(t)
            lows.append((either(f, ends[0], t), either(f, lows[0][1], f)))
            highs.append((either(-f, ends[1], t), either(-f, highs[0][1], f)))
    low, (f_low,) = largest([t for t, _ in lows], [[f] for _, f in lows])
    high, (f_high,) = largest([-t for t, _ in highs], [[f] for _, f in highs])
    high = -high
    rise = f_high - f_low
    share = either(rise, -f_low / either(rise, rise, zero + 1), zero + 0.5)
    return low + (high - low) * share.binary("max", zero).binary("min", zero + 1)
