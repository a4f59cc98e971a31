"""Inertial numbers of real bodies: those whose pseudo-inertia is positive definite.

    P = integral of (r, 1) (r, 1)^T dm = [S  h; h^T  m],   S = tr(J)/2 1 - J

Positive mass, positive moments about the centre of mass and their triangle inequality are one
condition, linear in the numbers. Reference: Wensing, Kim and Slotine, *Linear matrix inequalities
for physically consistent inertial parameter identification*, IEEE Robotics and Automation Letters
3(1), 2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array

TEN = 10


def _basis() -> Array:
    """(10, 4, 4): P of a unit of each of (m, hx, hy, hz, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz)."""
    P = np.zeros((TEN, 4, 4))
    P[0, 3, 3] = 1
    for k in range(3):
        P[1 + k, k, 3] = P[1 + k, 3, k] = 1
        P[4 + k, :3, :3] = np.eye(3) / 2
        P[4 + k, k, k] -= 1
    for k, (i, j) in enumerate(((0, 1), (0, 2), (1, 2))):
        P[7 + k, i, j] = P[7 + k, j, i] = -1
    return P


BASIS = _basis()


def pseudo_inertia(ten: ArrayLike) -> Array:
    """P (..., 4, 4) of inertial numbers (..., 10) about the origin of a body's frame.

    >>> pseudo_inertia([2, 0, 0, 0, 1, 1, 1, 0, 0, 0]).diagonal().tolist()
    [0.5, 0.5, 0.5, 2.0]
    """
    told: Array = np.tensordot(np.asarray(ten, dtype=np.float64), BASIS, 1)
    return told


def is_real(ten: ArrayLike) -> bool:
    """True if all of these (..., 10) are inertial numbers of a body of matter."""
    return bool((np.linalg.eigvalsh(pseudo_inertia(ten))[..., 0] > 0).all())
