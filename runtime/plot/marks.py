"""Marks of joints and elements along a run, as the manifest tells their outlines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eomc.runtime.plot.run import Run

Array = NDArray[np.float64]
Poses = Mapping[str, Array]


def anchors(drawing: Mapping[str, Any], poses: Poses) -> list[Array]:
    """The points (n, k, 3) at which each mark stands or between which it spans, world frame [m]."""
    return [
        np.stack([_point(place, poses) for place in mark["points"]], axis=1)
        for mark in drawing.get("marks", ())
    ]


def marks(drawing: Mapping[str, Any], poses: Poses, size: float) -> dict[str, Array]:
    """Polylines (n, k, 3) in the world frame [m] by element and name, of marks of that size [m]."""
    outlines = [
        np.array(text.split(), dtype=np.float64).reshape(-1, 3)
        for text in drawing.get("outlines", ())
    ]
    lines: dict[str, Array] = {}
    told = drawing.get("marks", ())
    for mark, points in zip(told, anchors(drawing, poses), strict=True):
        outline = outlines[mark["outline"]]
        ends = [points[:, k : k + 2] for k in range(points.shape[1] - 1)]
        if not mark["spans"]:
            along = mark.get("along", {"body": "world", "at": [0.0, 0.0, 1.0]})
            axis = poses[along["body"]][:, :3, :3] @ np.array(along["at"])
            axis *= size / np.linalg.norm(axis, axis=1, keepdims=True)
            ends = [np.stack([point, point + axis], axis=1) for point in points.swapaxes(0, 1)]
        for pair in ends:
            lines[f"{mark['element']} {mark['name']} {len(lines)}"] = _placed(outline, pair, size)
    return lines


def element_lines(run: Run, drawing: Mapping[str, Any]) -> dict[str, Array]:
    """Polylines (n, k, 3) in the world frame [m] by element and name, of elements that draw
    themselves as they move: what the model's function of that name says."""
    told = drawing.get("lines", ())
    if not told:
        return {}
    sizes = {
        f"{line['element']} {line['name']} line {k}": size
        for line in told
        for k, size in enumerate(line["points"])
    }
    points = np.asarray(run.evaluate("element_lines"))
    points = np.broadcast_to(points, (len(run), *points.shape[-2:]))
    parts = np.split(points, np.cumsum([*sizes.values()])[:-1], axis=1)
    return dict(zip(sizes, parts, strict=True))


def _point(place: Mapping[str, Any], poses: Poses) -> Array:
    pose = poses[place["body"]]
    found: Array = pose[:, :3, :3] @ np.array(place["at"]) + pose[:, :3, 3]
    return found


def _placed(outline: Array, ends: Array, size: float) -> Array:
    """Points (s, a, b): s along the line between the ends (n, 2, 3), a and b across it."""
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1, keepdims=True)
    unit = along / np.where(length > 0, length, 1.0)
    # Across the world axis from which the line stays farthest, so that the mark does not flip.
    helper = np.eye(3)[np.argmin(np.abs(unit).max(axis=0))]
    first = np.cross(unit, helper)
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-9)
    frame = np.stack([along, size * first, size * np.cross(unit, first)], axis=1)
    found: Array = ends[:, :1] + outline @ frame
    return found
