"""Ranges of coordinates: limits of joints, deviations of deformations, random configurations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

# Without limits, angles are drawn from a whole turn and lengths from two metres about zero.
_HALF_TURN = math.pi


_LENGTH = 1.0


def limits(
    joints: Iterable[Mapping[str, Any]], key: str, names: Sequence[str], free: float
) -> Array:
    """One limit for each of `names`, `free` where there is none."""
    axis = "speeds" if key in ("velocity_limit", "effort_limit") else "coordinates"
    known: dict[str, float] = {}
    for joint in joints:
        values = joint.get(key)
        if values is not None:
            pairs = zip(joint[axis], values, strict=True)
            known.update((name, value) for name, value in pairs if value is not None)
    return np.array([known.get(name, free) for name in names], dtype=float)


def quaternions(joints: Iterable[Mapping[str, Any]], names: Sequence[str]) -> list[list[int]]:
    """Places (w, x, y, z) of each unit quaternion among the coordinates `names`."""
    place = {name: i for i, name in enumerate(names)}
    found = []
    for joint in joints:
        pairs = zip(joint["coordinates"], joint["units"], strict=True)
        parts = [place[name] for name, unit in pairs if unit == "1" and name in place]
        if len(parts) == 4:
            found.append(parts)
    return found


def length_coordinates(joints: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Coordinates that are lengths; all others are angles or parts of quaternions."""
    return frozenset(
        name
        for joint in joints
        for name, unit in zip(joint["coordinates"], joint["units"], strict=True)
        if unit == "m"
    )


def random_configuration(
    lower: Array,
    upper: Array,
    lengths: Sequence[bool],
    quaternion_places: Sequence[Sequence[int]],
    rng: np.random.Generator,
    size: tuple[int, ...],
) -> Array:
    """(*size, nq): uniform within the limits, unit quaternions uniform on the sphere."""
    half = np.where(lengths, _LENGTH, _HALF_TURN)
    low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * half, -half))
    high = np.where(np.isfinite(upper), upper, low + 2 * half)
    q: Array = rng.uniform(low, high, size=(*size, len(lower)))
    for places in quaternion_places:
        # Normal in every direction alike; of length zero with probability zero.
        direction = rng.normal(size=(*size, 4))
        q[..., places] = direction / np.linalg.norm(direction, axis=-1, keepdims=True)
    return q


def deviations(metadata: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    """(middle, typical deviation) by name of each coordinate that shapes a body, or whose joint
    or what attracts its body says so.

    A body that rides along a deformable one is somewhere within one and a half times the radius of
    gyration about the latter's origin: a beam with its root there is 1.73 of them long.
    """
    found: dict[str, tuple[float, float]] = {}
    bodies = {body["name"]: body for body in metadata.get("deformables", ())}
    for body in bodies.values():
        pairs = zip(body["neutral"], body["deviations"], strict=True)
        found.update(zip(body["coordinates"], pairs, strict=True))
    for joint in metadata.get("joints", ()):
        if joint.get("moving_base"):
            half = 0.75 * bodies[joint["parent"]]["radius"]
            found.update((name, (half, half)) for name in joint["coordinates"])
        own = zip(joint["coordinates"], joint.get("deviations", ()), strict=False)
        found.update((name, (pair[0], pair[1])) for name, pair in own if pair)
    return found


def within(
    known: Mapping[str, tuple[float, float]], names: Sequence[str], lower: Array, upper: Array
) -> tuple[Array, Array]:
    """Limits where there are any, else those of a typical deviation for the names known."""
    low, high = lower.copy(), upper.copy()
    for place, (middle, size) in _places(known, names):
        if not np.isfinite(low[place]):
            low[place] = min(middle, high[place]) - size
        if not np.isfinite(high[place]):
            high[place] = max(middle, low[place]) + size
    return low, high


def sizes(known: Mapping[str, tuple[float, float]], names: Sequence[str]) -> Array:
    """The typical deviation where it is known, else 1."""
    result = np.ones(len(names))
    for place, (_, size) in _places(known, names):
        result[place] = size
    return result


def _places(
    known: Mapping[str, tuple[float, float]], names: Sequence[str]
) -> Iterable[tuple[int, tuple[float, float]]]:
    return ((place, known[name]) for place, name in enumerate(names) if name in known)
