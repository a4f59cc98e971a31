"""How a picture shows a joint or an element: marks, which are polylines in a frame of their own."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

__all__ = [
    "ARROW", "BALL", "COIL", "HINGE", "LINE", "PLANE", "RAIL", "SECOND_HINGE", "SLIDE", "THREAD",
    "TURN", "Mark",
]  # fmt: skip

Outline = tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Mark:
    """A polyline of points (s, a, b), across in sizes of the mark, which follows the picture's.

    One that `spans` is drawn between two points, with s from 0 at the first to 1 at the second: of
    a joint, the origins of its two frames. Any other one stands at one point, with s in sizes, too:
    of a joint, at the child's joint frame, along the direction that the argument `along` of the
    declaration gives; of an element, along the direction that is among its fields.
    """

    outline: Outline
    along: str = ""
    spans: bool = False


def _ring(s: float, radius: float, sides: int, share: float = 1.0) -> Outline:
    turns = [2 * pi * share * k / sides for k in range(sides + 1)]
    return tuple((s, round(radius * cos(x), 3), round(radius * sin(x), 3)) for x in turns)


def _prism(half: float, radius: float, sides: int) -> Outline:
    """Both ends, then every edge between them."""
    edges = [(s, a, b) for _, a, b in _ring(0, radius, sides) for s in (half, -half, half)]
    return (*_ring(-half, radius, sides), *edges)


def _helix(start: float, end: float, radius: float, turns: int) -> Outline:
    points = _ring(0, radius, 12 * turns, turns)
    step = (end - start) / (12 * turns)
    return tuple((round(start + k * step, 4), a, b) for k, (_, a, b) in enumerate(points))


def _head(s: float, a: float = 0, b: float = 0) -> Outline:
    """The barbs of an arrow along s, from its tip and back to it."""
    ends = ((a + 0.5, b), (a - 0.5, b), (a, b + 0.5), (a, b - 0.5))
    return tuple(point for c, d in ends for point in ((s, a, b), (s - 1.5, c, d), (s, a, b)))


_CIRCLE = _ring(0, 1, 16)

HINGE = Mark(_prism(1, 0.7, 12), "axis")
SECOND_HINGE = Mark(_prism(1, 0.7, 12), "axis2")
SLIDE = Mark(_prism(1.5, 1, 4), "axis")
THREAD = Mark(_helix(-1.5, 1.5, 0.7, 4), "axis")
PLANE = Mark(_prism(0, 2, 4), "axis")
BALL = Mark(tuple((p[k], p[k - 2], p[k - 1]) for k in range(3) for p in _CIRCLE))
LINE = Mark(((0, 0, 0), (1, 0, 0)), spans=True)
RAIL = LINE
COIL = Mark(((0, 0, 0), *_helix(0.15, 0.85, 0.8, 6), (1, 0, 0)), spans=True)
ARROW = Mark(((0, 0, 0), *_head(6)))
TURN = Mark((*_ring(0, 2, 12, 0.75), (-3, 0, 0), *_head(3)))
