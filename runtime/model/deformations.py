"""Coordinates that do not move about zero, as the manifest has them: how far they go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from eomc.binding.arrays import Array


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
