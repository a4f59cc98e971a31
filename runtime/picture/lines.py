"""Lines of pictures along a run: rods, springs, dampers, arrows, cables, bent beams."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

Record = Mapping[str, Any]
Place = Callable[[Any], Array]
"""From ``[body, xyz]`` to positions (n, 3) in the world."""
Maker = Callable[[Record, Array, Array], Array]

__all__ = ["LINES", "THIN", "line_points"]

#: Points (n, k, 3) of a line from its first to its second ends (n, 3), by its kind.
LINES: dict[str, Maker] = {}

#: Kinds that are outlines: their radius is not that of the line.
THIN: set[str] = set()

_TURN = 12


def _kind(word: str, thin: bool = True) -> Callable[[Maker], Maker]:
    def remember(make: Maker) -> Maker:
        LINES[word] = make
        if thin:
            THIN.add(word)
        return make

    return remember


def line_points(record: Record, place: Place, turn: Place, rows: Mapping[str, Array]) -> Array:
    """The line (n, k, 3) in the world [m].

    `place` puts a point of a body in the world and `turn` a direction; `rows` are values of the
    functions that give points.
    """
    points = record.get("points")
    if points is not None:
        found: Array = rows[points["function"]]
        first = points["first"]
        return found[:, first : first + points["count"]]
    make = LINES[record["kind"]]
    if "ends" in record:
        a, b = (place(end) for end in record["ends"])
    else:
        a = place(record["at"])
        b = a + record["length"] * turn(record["direction"])
    return make(record, a, b)


@_kind("rod", thin=False)
def _rod(record: Record, a: Array, b: Array) -> Array:
    return np.stack([a, b], axis=1)


@_kind("spring")
def _spring(record: Record, a: Array, b: Array) -> Array:
    turns = int(record.get("turns", 8))
    s = np.linspace(0.12, 0.88, turns * _TURN + 1)
    angle = 2 * np.pi * turns * np.linspace(0, 1, len(s))
    r = record["radius"]
    coil = np.stack([s, r * np.cos(angle), r * np.sin(angle)], axis=1)
    straight = np.zeros((1, 3)), np.array([[0.12, 0, 0]])
    back = np.array([[0.88, 0, 0]]), np.array([[1.0, 0, 0]])
    return _across(np.concatenate([*straight, coil, *back]), a, b)


@_kind("damper")
def _damper(record: Record, a: Array, b: Array) -> Array:
    """A cup and a piston."""
    r = record["radius"]
    cup = [(0.75, r), (0.35, r), (0.35, -r), (0.75, -r), (0.35, -r), (0.35, 0)]
    piston = [(0.55, 0), (0.55, 0.8 * r), (0.55, -0.8 * r), (0.55, 0)]
    shaft = [(0, 0), (0.35, 0), *((s, y) for s, y in cup)]
    outline = [*shaft, (np.nan, np.nan), *piston, (1, 0)]
    return _across(np.array([(s, y, 0.0) for s, y in outline]), a, b)


@_kind("arrow")
def _arrow(record: Record, a: Array, b: Array) -> Array:
    r = 2.5 * record["radius"]
    barbs = [
        (1, 0, 0),
        (0.75, r, 0),
        (1, 0, 0),
        (0.75, -r, 0),
        (1, 0, 0),
        (0.75, 0, r),
        (1, 0, 0),
        (0.75, 0, -r),
    ]
    return _across(np.array([(0, 0, 0), *barbs]), a, b)


@_kind("moment")
def _moment(record: Record, a: Array, b: Array) -> Array:
    """An arrow with two heads."""
    r = 2.5 * record["radius"]
    barbs = [
        (1, 0, 0),
        (0.75, r, 0),
        (1, 0, 0),
        (0.75, -r, 0),
        (1, 0, 0),
        (0.8, 0, 0),
        (0.55, r, 0),
        (0.8, 0, 0),
        (0.55, -r, 0),
    ]
    return _across(np.array([(0, 0, 0), *barbs]), a, b)


@_kind("turn")
def _turn(record: Record, a: Array, b: Array) -> Array:
    """Three quarters of a ring about the axis, and its head."""
    angle = np.linspace(0, 1.5 * np.pi, 19)
    r = record["radius"]
    ring = np.stack([0 * angle, r * np.cos(angle), r * np.sin(angle)], axis=1)
    tip = ring[-1]
    barbs = np.array([[0, -0.35 * r, 0.25 * r], [0, 0, 0], [0, -0.35 * r, -0.25 * r]])
    head = tip + barbs
    return _across(np.concatenate([ring, head]), a, b)


def _across(outline: Array, a: Array, b: Array) -> Array:
    """Points (s, x, y): s along the line between the ends, x and y [m] across it."""
    along = b - a
    length = np.linalg.norm(along, axis=1, keepdims=True)
    unit = along / np.where(length > 0, length, 1.0)
    # Across the world axis from which the line stays farthest, so that nothing flips.
    aside = np.eye(3)[np.argmin(np.abs(unit).max(axis=0))]
    first = np.cross(unit, aside)
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-9)
    frame = np.stack([along, first, np.cross(unit, first)], axis=1)
    found: Array = a[:, None] + outline @ frame
    return found
