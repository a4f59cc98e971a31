"""Inertias of bodies in coordinates of which every value is a body.

The pseudo-inertia P = [[S, h], [h^T, m]] of a body, S = tr(J)/2 1 - J about the origin of its
frame, is positive definite. With its upper Cholesky factor

    P = U U^T,   U = e^alpha [[e^d1, s12, s13, t1], [0, e^d2, s23, t2], [0, 0, e^d3, t3], e_4^T]

the ten numbers (m, h, J) are a smooth function, with a smooth inverse, of any ten
theta = (alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3). Bodies without extent lie at infinity.

Reference: Rucker and Wensing, *Smooth parameterization of rigid-body inertia*, IEEE RA-L 7 (2022).
"""

from __future__ import annotations

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.identification.pseudo_inertia import pseudo_inertia

NUMBERS = ("m", "hx", "hy", "hz", "Jxx", "Jyy", "Jzz", "Jxy", "Jxz", "Jyz")
_SQUARE = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
_PLACES = (None, (0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
"""Of theta in U, the scale alpha first; the first three on the diagonal are logarithms."""


def _factor(theta: Array) -> Array:
    """U / e^alpha"""
    found = np.eye(4)
    for k, place in enumerate(_PLACES[1:], 1):
        found[place] = np.exp(theta[k]) if k < 4 else theta[k]
    return found


def _numbers_of(P: Array) -> Array:
    """(m, h, J) of a pseudo-inertia; linear."""
    S = P[:3, :3]
    J = np.trace(S) * np.eye(3) - S
    return np.array([P[3, 3], *P[:3, 3], *(J[place] for place in _SQUARE)])


def numbers(theta: Array) -> Array:
    """(m, hx, hy, hz, Jxx, Jyy, Jzz, Jxy, Jxz, Jyz) of coordinates.

    >>> numbers(np.zeros(10)).tolist()
    [1.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 0.0, 0.0, 0.0]
    """
    U = np.exp(theta[0]) * _factor(theta)
    return _numbers_of(U @ U.T)


def slopes(theta: Array) -> Array:
    """d numbers / d theta, (10, 10)."""
    U = np.exp(theta[0]) * _factor(theta)
    columns = []
    for k, place in enumerate(_PLACES):
        change = np.zeros((4, 4))
        if place is None:
            change = U
        else:
            change[place] = np.exp(theta[0]) * (np.exp(theta[k]) if k < 4 else 1.0)
        product = change @ U.T
        columns.append(_numbers_of(product + product.T))
    return np.stack(columns, axis=1)


def coordinates(values: Array) -> Array:
    """theta of ten numbers; raises numpy.linalg.LinAlgError where they are those of no body."""
    P = pseudo_inertia(values)
    m, t = P[3, 3], P[:3, 3] / P[3, 3]
    if not m > 0:
        raise np.linalg.LinAlgError("mass is not positive")
    inner = P[:3, :3] / m - np.outer(t, t)
    # The upper factor is the lower one of the matrix with rows and columns in reverse.
    U = np.linalg.cholesky(inner[::-1, ::-1])[::-1, ::-1]
    d = np.log(np.diag(U))
    return np.array([np.log(m) / 2, *d, U[0, 1], U[1, 2], U[0, 2], *t])
