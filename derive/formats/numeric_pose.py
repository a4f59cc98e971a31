"""Placements from the numbers of a file, whose quarter turns are meant exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.derive.language.scalar import Scalar
from eomc.derive.picture.numbers import quaternion
from eomc.derive.placement.placement import Placement
from eomc.derive.placement.rotation import IDENTITY, Matrix3, snapped

__all__ = [
    "exact_zero",
    "numeric_placement",
    "quaternion_matrix",
    "quaternion_of",
    "rpy_matrix",
    "rpy_of",
]

_ROUNDING = 1e-14


def exact_zero(value: Any) -> Scalar:
    """The number as a double, or a structural zero."""
    number = float(value)
    return 0 if number == 0.0 else number


def numeric_placement(xyz: ArrayLike, rotation: ArrayLike, snap: float) -> Placement:
    """Placement at `xyz` (3,) [m] with the axes `rotation` (3, 3); entries of the matrix within
    `snap` of 0 or +-1 are taken so."""
    x, y, z = (exact_zero(entry) for entry in np.asarray(xyz, dtype=float))
    rows = [[exact_zero(entry) for entry in row] for row in np.asarray(rotation, dtype=float)]
    first, second, third = ((a, b, c) for a, b, c in rows)
    turned = _orthonormal(snapped((first, second, third), snap))
    return Placement((x, y, z), rotation=None if turned == IDENTITY else turned)


def rpy_matrix(roll: float, pitch: float, yaw: float) -> NDArray[np.float64]:
    """R = Rz(yaw) Ry(pitch) Rx(roll), (3, 3)."""
    (sr, cr), (sp, cp), (sy, cy) = ((np.sin(a), np.cos(a)) for a in (roll, pitch, yaw))
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rpy_of(rotation: ArrayLike) -> tuple[float, float, float]:
    """(roll, pitch, yaw) of R = Rz(yaw) Ry(pitch) Rx(roll). The roll is of what the yaw leaves, so
    that R is met to rounding also where both turn about the same axis."""
    (a, b, c), (d, e, f), (g, _, _) = np.asarray(rotation, dtype=float)
    yaw = float(np.arctan2(d, a)) if np.hypot(a, d) > _ROUNDING else 0.0
    s, k = np.sin(yaw), np.cos(yaw)
    roll = float(np.arctan2(s * c - k * f, k * e - s * b))
    return roll, float(np.arctan2(-g, np.hypot(a, d))), yaw


def quaternion_of(rotation: ArrayLike) -> list[float]:
    """(w, x, y, z) of a rotation (3, 3)."""
    return quaternion(np.asarray(rotation, dtype=float).tolist())


def quaternion_matrix(quaternion: ArrayLike) -> NDArray[np.float64]:
    """Rotation (3, 3) of a quaternion (w, x, y, z) that is not zero."""
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )


def _orthonormal(matrix: Matrix3) -> Matrix3:
    """The nearest rotation, by a step of Newton's method for the polar factor: what snapping leaves
    is none to `SNAP` where only some of its small entries are taken as 0."""
    rows = np.array(matrix, dtype=float)
    square = rows @ rows.T
    if np.abs(square - np.eye(3)).max() < _ROUNDING:
        return matrix
    nearest = (3 * np.eye(3) - square) @ rows / 2
    first, second, third = ((exact_zero(a), exact_zero(b), exact_zero(c)) for a, b, c in nearest)
    return snapped((first, second, third))
