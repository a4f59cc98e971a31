"""The PUMA 560 as published, and mechanics of serial chains that shares no code with ours.

Armstrong, Khatib and Burdick, The explicit dynamic model and inertial parameters of the PUMA 560
arm, ICRA 1986, in the numbers of Corke's Robotics Toolbox (standard convention, SI): the first
link's inertia is that about the axis alone, which no body has. The robot stands with z up.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.binding.arrays import Array

#: a, alpha, d, mass, com, inertia (ixx, iyy, izz), inertia of the motor, gear ratio
_TABLE: tuple[tuple[Any, ...], ...] = (
    (0, np.pi / 2, 0, 0, (0, 0, 0), (0, 0.35, 0), 200e-6, -62.6111),
    (0.4318, 0, 0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539), 200e-6, 107.815),
    (
        0.0203,
        -np.pi / 2,
        0.15005,
        4.8,
        (-0.0203, -0.0141, 0.070),
        (0.066, 0.086, 0.0125),
        200e-6,
        -53.7063,
    ),
    (0, np.pi / 2, 0.4318, 0.82, (0, 0.019, 0), (1.8e-3, 1.3e-3, 1.8e-3), 33e-6, 76.0364),
    (0, -np.pi / 2, 0, 0.34, (0, 0, 0), (0.3e-3, 0.4e-3, 0.3e-3), 33e-6, 71.923),
    (0, 0, 0, 0.09, (0, 0, 0.032), (0.15e-3, 0.15e-3, 0.04e-3), 33e-6, 76.686),
)
_WORDS = ("a", "alpha", "d", "mass", "com", "inertia", "rotor_inertia", "gear_ratio")

PUMA_560 = tuple(dict(zip(_WORDS, row, strict=True)) for row in _TABLE)
"""Rows for `eomc.from_dh`."""

#: The posture in which Corke prints its numbers, and what he prints (four decimals).
NOMINAL = np.array([0, np.pi / 4, np.pi, 0, np.pi / 4, 0])
PRINTED_GRAVITY = np.array([0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0])
PRINTED_MASS = np.array(
    [
        [3.6594, -0.4044, 0.1006, -0.0025, 0.0, 0.0],
        [-0.4044, 4.4137, 0.3509, 0.0, 0.0024, 0.0],
        [0.1006, 0.3509, 0.9378, 0.0, 0.0015, 0.0],
        [-0.0025, 0.0, 0.0, 0.1925, 0.0, 0.0],
        [0.0, 0.0024, 0.0015, 0.0, 0.1713, 0.0],
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.1941],
    ]
)


def chain_mechanics(
    rows: Any, q: Array, *, convention: str, gravity: tuple[float, float, float] = (0, 0, -9.81)
) -> tuple[Array, Array]:
    """M = sum m Jv^T Jv + Jw^T I Jw + G^2 Jm, and the forces that hold the chain against gravity.

    Poses are products of 4x4 matrices; the Jacobians of centres of mass are geometric ones.
    """
    mass, hold = np.zeros((len(rows), len(rows))), np.zeros(len(rows))
    pose, axes, origins = np.eye(4), [], []
    for k, (row, angle) in enumerate(zip(rows, q, strict=True)):
        slides = row.get("kind") == "prismatic"
        turn = _screw(
            "z",
            row.get("theta", 0) + (0 if slides else angle),
            row.get("d", 0) + (angle if slides else 0),
        )
        twist = _screw("x", row.get("alpha", 0), row.get("a", 0))
        joint = pose if convention == "standard" else pose @ twist
        axes.append((joint[:3, 2], slides))
        origins.append(joint[:3, 3])
        pose = joint @ turn @ (twist if convention == "standard" else np.eye(4))
        m, centre = row.get("mass", 0), (pose @ [*row.get("com", (0, 0, 0)), 1])[:3]
        linear, angular = np.zeros((3, len(rows))), np.zeros((3, len(rows)))
        for i, ((axis, straight), origin) in enumerate(zip(axes, origins, strict=True)):
            linear[:, i] = axis if straight else np.cross(axis, centre - origin)
            angular[:, i] = 0 if straight else axis
        body = pose[:3, :3] @ np.diag(row.get("inertia", (0, 0, 0))) @ pose[:3, :3].T
        mass += m * linear.T @ linear + angular.T @ body @ angular
        mass[k, k] += row.get("gear_ratio", 1) ** 2 * row.get("rotor_inertia", 0)
        hold -= m * linear.T @ np.array(gravity)
    return mass, hold


def _screw(axis: str, angle: float, length: float) -> Array:
    """Turn about an axis and slide along it, (4, 4)."""
    c, s = np.cos(angle), np.sin(angle)
    matrix = np.eye(4)
    i, j, k = (1, 2, 0) if axis == "x" else (0, 1, 2)
    matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = c, -s, s, c
    matrix[k, 3] = length
    return matrix
