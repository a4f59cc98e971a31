"""Shapes that a body without visual shapes gets of its joints, points and inertia."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import Any

from eomc.derive.bodies.mass_properties import MassProperties
from eomc.derive.picture.numbers import Numbers, apart, numbers, rounded, unit
from eomc.derive.picture.outline import Outline
from eomc.derive.picture.solid import solid

__all__ = ["links"]

Shape = dict[str, Any]

# In radii: of a bob, and of the smallest of solids.
_BOB = 2.4
# Of the reach: what a solid may take at most.
_SOLID = 0.45
# Of the moment of inertia across it, what that about a slender body's own line is at most.
_SLENDER = 0.2
# Points are on one line if they leave it by less than this share of its length.
_STRAIGHT = 1e-6


def links(
    body: MassProperties,
    found: Outline,
    values: Mapping[str, float],
    *,
    slides: bool = False,
    carries: bool = False,
) -> Iterator[Shape]:
    """A link between each pair of neighbours among the body's own points.

    A body of one point reaches to the far end of the even rod that has its inertia, or to a bob if
    all of its mass is in one place, or to its centre of mass if it `carries` another there; one
    that hangs nowhere is the solid that has its inertia. Of a slider its box is enough.
    """
    points = found.points[body.name]
    com = numbers(body.com, values)
    if body.name in found.free or not points:
        yield from _floating(body, points, com, found, values)
        return
    if len(points) == 1 and carries and not slides:
        if apart(points[0], com) > found.radius:
            yield _capsule(points[0], com, found.radius)
        return
    if len(points) == 1:
        if not slides or apart(points[0], com) > 4 * found.radius:
            yield from _hanging(body, points[0], com, found, values)
        return
    for a, b in _pairs([*points, *_ends(body, points, com, found.radius, values)]):
        yield _capsule(a, b, found.radius)


def _ends(
    body: MassProperties,
    points: Sequence[Numbers],
    com: Numbers,
    radius: float,
    values: Mapping[str, float],
) -> Iterator[Numbers]:
    """Ends of the even rod that has the inertia of a slender body, if they lie beyond its points.

    m h^2 / 3 is its moment of inertia about the middle, h half of its length.
    """
    line = _LongestLine(points)
    half, share = _half(body, line.along, values)
    if body.is_massless or share > _SLENDER or not line.holds([*points, com]):
        return
    stations = [line.station(point) - line.station(com) for point in points]
    for end in (-half, half):
        if not min(stations) - radius < end < max(stations) + radius:
            yield tuple(c + end * e for c, e in zip(com, line.along, strict=True))


def _half(body: MassProperties, along: Numbers, values: Mapping[str, float]) -> tuple[float, float]:
    """Half the length of the even rod along a direction that has the body's moment of inertia
    across it, and the share of the moment about that direction in it."""
    (mass,) = numbers((body.mass,), values)
    xx, yy, zz, xy, xz, yz = numbers(body.inertia_com, values)
    x, y, z = along
    own = x * x * xx + y * y * yy + z * z * zz + 2 * (x * y * xy + x * z * xz + y * z * yz)
    across = (xx + yy + zz - own) / 2
    if not (mass > 0 and across > 0):
        return 0.0, 1.0
    return sqrt(3 * across / mass), own / across


class _LongestLine:
    """Line from the first of some points to that which is farthest from it."""

    def __init__(self, points: Sequence[Numbers]) -> None:
        self.first = points[0]
        far = max(points[1:], key=lambda point: apart(self.first, point))
        self.along = unit([b - a for a, b in zip(self.first, far, strict=True)])
        self.length = apart(self.first, far)

    def station(self, point: Numbers) -> float:
        """Distance of a point from the first, along the line."""
        return sum(e * (p - a) for e, p, a in zip(self.along, point, self.first, strict=True))

    def holds(self, points: Sequence[Numbers]) -> bool:
        """True if all of the points are on the line."""
        return all(self._aside(point) < _STRAIGHT * self.length for point in points)

    def _aside(self, point: Numbers) -> float:
        s = self.station(point)
        return apart(point, tuple(a + s * e for a, e in zip(self.first, self.along, strict=True)))


def _capsule(a: Numbers, b: Numbers, radius: float) -> Shape:
    return {"kind": "capsule", "a": list(a), "b": list(b), "radius": rounded(radius)}


def _ball(at: Numbers, radius: float) -> Shape:
    return {"kind": "sphere", "placement": {"xyz": list(at)}, "radius": rounded(radius)}


def _floating(
    body: MassProperties,
    points: Sequence[Numbers],
    com: Numbers,
    found: Outline,
    values: Mapping[str, float],
) -> Iterator[Shape]:
    """The solid, and arms from its middle to all points."""
    if not body.is_massless:
        whole = solid(body, values, _SOLID * found.reach)
        yield whole or _ball(com, _BOB * found.radius)
    elif len(points) > 1:
        com = _middle(points)
    for point in points if len(points) > 1 or not body.is_massless else ():
        if apart(com, point) > found.radius:
            yield _capsule(com, point, found.radius)


def _hanging(
    body: MassProperties, point: Numbers, com: Numbers, found: Outline, values: Mapping[str, float]
) -> Iterator[Shape]:
    """A rod, a bob, or a wheel on its axle."""
    if body.is_massless:
        return
    arm = tuple(c - p for c, p in zip(com, point, strict=True))
    length = hypot(*arm)
    along = unit(arm)
    half = _half(body, along, values)[0]
    if length <= 2 * found.radius:
        whole = solid(body, values, _SOLID * found.reach)
        yield whole or _ball(com, _BOB * found.radius)
        if length > found.radius:
            yield _capsule(point, com, found.radius)
        return
    if half < 0.15 * length:
        yield _capsule(point, com, 0.6 * found.radius)
        yield _ball(com, _BOB * found.radius)
        return
    end = tuple(c + min(half, length) * e for c, e in zip(com, along, strict=True))
    yield _capsule(point, end, found.radius)


def _pairs(points: Sequence[Numbers]) -> Iterator[tuple[Numbers, Numbers]]:
    """Along the line of points that are on one, round a triangle, from the middle of others."""
    line = _LongestLine(points)
    if line.holds(points):
        yield from pairwise(sorted(points, key=line.station))
    elif len(points) == 3:
        yield from ((points[k - 1], points[k]) for k in range(3))
    else:
        middle = _middle(points)
        yield from ((middle, point) for point in points if apart(middle, point) > 0)


def _middle(points: Sequence[Numbers]) -> Numbers:
    return tuple(sum(entries) / len(points) for entries in zip(*points, strict=True))
