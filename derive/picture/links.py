"""Shapes that a body without visual shapes gets of its joints, points and inertia."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot, sqrt
from typing import Any

from eomc.derive.bodies.mass_properties import Body
from eomc.derive.picture.numbers import Numbers, apart, numbers, rounded, unit
from eomc.derive.picture.outline import Outline
from eomc.derive.picture.solid import solid

__all__ = ["links"]

Shape = dict[str, Any]

# In radii: of a bob, and of the smallest of solids.
_BOB = 2.4
# Of the reach: what a solid may take at most.
_SOLID = 0.45
# Points are on one line if they leave it by less than this share of its length.
_STRAIGHT = 1e-6


def links(
    body: Body, found: Outline, values: Mapping[str, float], *, slides: bool = False
) -> Iterator[Shape]:
    """A link between each pair of neighbours among the body's own points.

    A body of one point reaches to the far end of the even rod that has its inertia, or to a bob if
    all of its mass is in one place; one that hangs nowhere is the solid that has its inertia. Of a
    slider its box is enough.
    """
    points = found.points[body.name]
    com = numbers(body.com, values)
    if body.name in found.free or not points:
        yield from _floating(body, points, com, found, values)
        return
    if len(points) == 1:
        if not slides or apart(points[0], com) > 4 * found.radius:
            yield from _hanging(body, points[0], com, found, values)
        return
    for a, b in _pairs(points):
        yield _capsule(a, b, found.radius)


def _capsule(a: Numbers, b: Numbers, radius: float) -> Shape:
    return {"kind": "capsule", "a": list(a), "b": list(b), "radius": rounded(radius)}


def _ball(at: Numbers, radius: float) -> Shape:
    return {"kind": "sphere", "placement": {"xyz": list(at)}, "radius": rounded(radius)}


def _floating(
    body: Body,
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
    body: Body, point: Numbers, com: Numbers, found: Outline, values: Mapping[str, float]
) -> Iterator[Shape]:
    """A rod, a bob, or a wheel on its axle."""
    if body.is_massless:
        return
    (mass,) = numbers((body.mass,), values)
    arm = tuple(c - p for c, p in zip(com, point, strict=True))
    length = hypot(*arm)
    along = unit(arm)
    xx, yy, zz, xy, xz, yz = numbers(body.inertia_com, values)
    x, y, z = along
    own = x * x * xx + y * y * yy + z * z * zz + 2 * (x * y * xy + x * z * xz + y * z * yz)
    across = (xx + yy + zz - own) / 2
    half = sqrt(max(3 * across / mass, 0.0)) if mass > 0 else 0.0
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
    first = points[0]
    far = max(points[1:], key=lambda point: apart(first, point))
    along = unit([b - a for a, b in zip(first, far, strict=True)])
    length = apart(first, far)

    def station(point: Numbers) -> float:
        return sum(e * (p - a) for e, p, a in zip(along, point, first, strict=True))

    def aside(point: Numbers) -> float:
        s = station(point)
        return apart(point, tuple(a + s * e for a, e in zip(first, along, strict=True)))

    if all(aside(point) < _STRAIGHT * length for point in points):
        yield from pairwise(sorted(points, key=station))
    elif len(points) == 3:
        yield from ((points[k - 1], points[k]) for k in range(3))
    else:
        middle = _middle(points)
        yield from ((middle, point) for point in points if apart(middle, point) > 0)


def _middle(points: Sequence[Numbers]) -> Numbers:
    return tuple(sum(entries) / len(points) for entries in zip(*points, strict=True))
