"""Surfaces of shapes as faces: of a kind, one function from its sizes.

A face has four corners, a triangle its last one twice; corners are counterclockwise from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from eomc.binding.arrays import Array

Shape = Mapping[str, Any]
Maker = Callable[[Shape], Array]

__all__ = ["SURFACES", "quaternion_matrix", "surface", "turned_to"]

#: Faces (n, 4, 3) [m] about the placement of a shape, by its kind.
SURFACES: dict[str, Maker] = {}

_ROUND = 16
_ARCS = 4


def _kind(word: str) -> Callable[[Maker], Maker]:
    def remember(make: Maker) -> Maker:
        SURFACES[word] = make
        return make

    return remember


def surface(shape: Shape) -> Array:
    """Faces (n, 4, 3) of a shape in the axes of its body [m].

    >>> box = {"kind": "box", "size": [2, 2, 2], "placement": {"xyz": [0, 0, 5]}}
    >>> surface(box).reshape(-1, 3).min(axis=0).tolist()
    [-1.0, -1.0, 4.0]

    Raises KeyError for a kind that pictures do not know.
    """
    faces: Array = SURFACES[shape["kind"]](shape)
    at = shape.get("placement")
    if at is None:
        return faces
    turn = quaternion_matrix(at.get("quaternion", (1.0, 0.0, 0.0, 0.0)))
    placed: Array = faces @ turn.T + np.array(at["xyz"])
    return placed


def quaternion_matrix(quaternion: Sequence[float]) -> Array:
    """(3, 3) of (w, x, y, z)."""
    w, x, y, z = np.array(quaternion) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turned_to(direction: Array) -> Array:
    """A turn whose third column is along a direction."""
    e = direction / max(float(np.linalg.norm(direction)), 1e-300)
    first = np.cross(np.eye(3)[np.argmin(np.abs(e))], e)
    first /= max(float(np.linalg.norm(first)), 1e-300)
    return np.stack([first, np.cross(e, first), e], axis=1)


def _turned(radii: Sequence[float], heights: Sequence[float]) -> Array:
    """The surface of revolution about z of a profile from bottom to top."""
    angles = 2 * np.pi * np.arange(_ROUND + 1) / _ROUND
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    circle[-1] = circle[0]
    rings = np.empty((len(radii), _ROUND + 1, 3))
    rings[:, :, :2] = np.array(radii)[:, None, None] * circle
    rings[:, :, 2] = np.array(heights)[:, None]
    below, above = rings[:-1], rings[1:]
    faces = np.stack([below[:, :-1], below[:, 1:], above[:, 1:], above[:, :-1]], axis=2)
    return faces.reshape(-1, 4, 3)


def _prism(polygon: Array, length: float) -> Array:
    """Sides, and both ends as fans."""
    low = np.column_stack([polygon, np.full(len(polygon), -length / 2)])
    high = low + np.array([0.0, 0.0, length])
    after = np.roll(low, -1, axis=0), np.roll(high, -1, axis=0)
    sides = np.stack([low, after[0], after[1], high], axis=1)
    caps = [
        np.stack([end[0], end[k], end[k + 1], end[k + 1]])
        for end in (low[::-1], high)
        for k in range(1, len(polygon) - 1)
    ]
    return np.concatenate([sides, np.array(caps)])


@_kind("box")
def _box(shape: Shape) -> Array:
    x, y, z = np.array(shape["size"]) / 2
    return _prism(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]), 2 * z)


@_kind("sphere")
def _sphere(shape: Shape) -> Array:
    angles = np.linspace(-np.pi / 2, np.pi / 2, 2 * _ARCS + 1)
    return _turned(shape["radius"] * np.cos(angles), shape["radius"] * np.sin(angles))


@_kind("ellipsoid")
def _ellipsoid(shape: Shape) -> Array:
    faces: Array = _sphere({"radius": 1.0}) * np.array(shape["radii"])
    return faces


@_kind("cylinder")
def _cylinder(shape: Shape) -> Array:
    r, half = shape["radius"], shape["length"] / 2
    return _turned([0, r, r, 0], [-half, -half, half, half])


@_kind("cone")
def _cone(shape: Shape) -> Array:
    half = shape["length"] / 2
    return _turned([0, shape["radius"], 0], [-half, -half, half])


@_kind("tube")
def _tube(shape: Shape) -> Array:
    r, inner, half = shape["radius"], shape["inner"], shape["length"] / 2
    return _turned([inner, r, r, inner, inner], [-half, -half, half, half, -half])


@_kind("capsule")
def _capsule(shape: Shape) -> Array:
    if "a" in shape:
        a, b = np.array(shape["a"]), np.array(shape["b"])
        length, turn, middle = float(np.linalg.norm(b - a)), turned_to(b - a), (a + b) / 2
    else:
        length, turn, middle = shape["length"], np.eye(3), np.zeros(3)
    r = shape["radius"]
    angles = np.linspace(-np.pi / 2, np.pi / 2, 2 * _ARCS + 2)
    ends = np.where(angles < 0, -length / 2, length / 2)
    profile = _turned(r * np.cos(angles), r * np.sin(angles) + ends)
    faces: Array = profile @ turn.T + middle
    return faces


@_kind("extrusion")
def _extrusion(shape: Shape) -> Array:
    polygon = np.array(shape["polygon"], dtype=np.float64)
    x, y = polygon.T
    if np.dot(x, np.roll(y, -1)) < np.dot(y, np.roll(x, -1)):  # clockwise
        polygon = polygon[::-1]
    return _prism(polygon, shape["length"])


@_kind("line")
def _line(shape: Shape) -> Array:
    points = np.array(shape["points"], dtype=np.float64)
    r = shape["radius"]
    return np.concatenate([_capsule({"a": a, "b": b, "radius": r}) for a, b in pairwise(points)])


@_kind("mesh")
def _mesh(shape: Shape) -> Array:
    vertices, faces = shape["surface"]
    scale = np.array(shape["scale"])
    corners: Array = np.asarray(vertices)[np.asarray(faces)] * scale
    if np.prod(scale) < 0:  # mirrored
        corners = corners[:, ::-1]
    return np.concatenate([corners, corners[:, 2:]], axis=1)
