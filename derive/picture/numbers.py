"""Directions and turns of pictures in numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import hypot, sqrt
from typing import Any

from eomc.derive.language.value import value_of
from eomc.derive.placement.placement import Placement

Numbers = tuple[float, ...]


def numbers(vector: Sequence[Any], values: Mapping[str, float]) -> Numbers:
    """Entries as doubles.

    >>> numbers((1, "2"), {})
    (1.0, 2.0)
    """
    entries = [float(entry) if isinstance(entry, str) else entry for entry in vector]
    return tuple([value_of(entry, values) for entry in entries])


def rounded(value: float) -> float:
    """A size to six digits, so that pictures are the same wherever they are made."""
    return float(f"{value:.6g}")


def apart(a: Numbers, b: Numbers) -> float:
    """Distance of two points."""
    return hypot(*(x - y for x, y in zip(a, b, strict=True)))


def unit(vector: Sequence[float]) -> Numbers:
    """The direction of a vector; z if it vanishes."""
    length = hypot(*vector)
    return tuple(x / length for x in vector) if length > 0 else (0.0, 0.0, 1.0)


def turned_to(direction: Sequence[float]) -> list[float]:
    """Quaternion (w, x, y, z) of the shortest turn of the z axis to a direction.

    >>> turned_to((0, 0, 2))
    [1.0, 0.0, 0.0, 0.0]
    >>> turned_to((0, 0, -1))
    [0.0, 1.0, 0.0, 0.0]
    """
    x, y, z = unit(direction)
    if z < -1 + 1e-12:
        return [0.0, 1.0, 0.0, 0.0]
    w = sqrt((1 + z) / 2)
    return [w, 0.0 - y / (2 * w), x / (2 * w), 0.0]


def quaternion(rows: Sequence[Sequence[float]]) -> list[float]:
    """(w, x, y, z), w not negative, of a rotation matrix (Shepperd 1978).

    >>> quaternion(((0, -1, 0), (1, 0, 0), (0, 0, 1)))
    [0.7071067811865475, 0.0, 0.0, 0.7071067811865475]
    """
    (a, b, c), (d, e, f), (g, h, i) = rows
    squares = (1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i)
    largest = max(range(4), key=lambda k: squares[k])
    rest = (
        (squares[0], h - f, c - g, d - b),
        (h - f, squares[1], d + b, c + g),
        (c - g, d + b, squares[2], h + f),
        (d - b, c + g, h + f, squares[3]),
    )[largest]
    scale = 2 * sqrt(squares[largest])
    sign = -1.0 if rest[0] < 0 else 1.0
    return [0.0 + sign * entry / scale for entry in rest]


def placed(at: Placement, values: Mapping[str, float]) -> dict[str, list[float]]:
    """A placement as position [m] and quaternion."""
    rows = [numbers(row, values) for row in at.matrix]
    return {"xyz": list(numbers(at.xyz, values)), "quaternion": quaternion(rows)}
