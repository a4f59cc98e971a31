"""Lines of a cable in pictures: its way over its stations, and the circles on which it turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin

from eomc.derive.cables.end import PulleyCircle
from eomc.derive.cables.path import Path
from eomc.derive.cables.station import CableStation
from eomc.derive.cables.tangent import Tangent
from eomc.derive.geometry import Vector

_ARC, _CIRCLE = 12, 24


def outline_sizes(route: Sequence[CableStation]) -> tuple[int, ...]:
    """Points of the line of the cable, then of each circle."""
    turns = [station.size() is not None for station in route]
    return (len(route) + _ARC * sum(turns[1:-1]), *[_CIRCLE + 1] * sum(turns))


def outlines(path: Path) -> Iterator[list[Vector]]:
    """Those lines, in the world."""
    circles = []
    line: list[Vector] = []
    last = len(path.ends) - 1
    for k, end in enumerate(path.ends):
        arriving = path.spans[k - 1].arriving if k else None
        leaving = path.spans[k].leaving if k < last else None
        side = arriving or leaving
        if side is None or not isinstance(end, PulleyCircle):
            line.append(end.carrier.position)
            continue
        center, a, b = end.plane(side.far)
        sense = path.route[k].direction() * (1 if arriving else -1)
        # From the center to where the cable comes on, or leaves a drum at the beginning.
        first = _touching(side.tangent, a, b) * (sense * end.radius)
        ahead = a.cross(b).cross(first) * path.route[k].direction()
        wrap = path.wraps[k - 1] / _ARC if arriving and leaving else None
        line += [
            center
            + (first if wrap is None else first * (wrap * j).cos() + ahead * (wrap * j).sin())
            for j in range(1 if wrap is None else _ARC + 1)
        ]
        angles = [2 * pi * j / _CIRCLE for j in range(_CIRCLE + 1)]
        circles.append([center + (a * cos(x) + b * sin(x)) * end.radius for x in angles])
    yield line
    yield from circles


def _touching(tangent: Tangent, a: Vector, b: Vector) -> Vector:
    """e2"""
    return b * tangent.cos - a * tangent.sin
