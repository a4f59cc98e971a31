"""Limits of the coordinates and speeds as the manifest has them, and random configurations."""

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
