"""Damping matrices of a set of modes with mass matrix M and stiffness matrix K.

Rayleigh: C = alpha M + beta K. Modal ratios: with the eigenvectors V of K v = omega^2 M v,
V^T M V = 1, C = M V diag(2 zeta_j omega_j) V^T M; for uncoupled modes C_jj = 2 zeta_j
sqrt(K_jj M_jj). Reference: Clough and Penzien, *Dynamics of Structures*, ch. 12.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, is_number

Matrix = Sequence[Sequence[Scalar]]


def damping_matrix(
    mass: Matrix,
    stiffness: Matrix,
    ratios: Sequence[Scalar],
    rayleigh: tuple[Scalar, Scalar],
    names: Sequence[str],
) -> list[list[Scalar]]:
    """C of both kinds: of modal `ratios` and of `rayleigh` = (alpha, beta)."""
    alpha, beta = rayleigh
    modal = modal_damping(mass, stiffness, ratios, names)
    return [
        [c + alpha * m + beta * k for c, m, k in zip(*rows, strict=True)]
        for rows in zip(modal, mass, stiffness, strict=True)
    ]


def modal_damping(
    mass: Matrix, stiffness: Matrix, ratios: Sequence[Scalar], names: Sequence[str]
) -> list[list[Scalar]]:
    """C of the damping ratios, in the order of the frequencies where the modes are coupled.

    Raises `ModelError` if the modes are coupled by parameters.

    >>> modal_damping([[4.0]], [[9.0]], [0.25], ["y1"])
    [[3.0]]
    """
    count = len(ratios)
    if not any(ratio != 0 for ratio in ratios):
        return [[0] * count for _ in range(count)]
    pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
    coupled = [(i, j) for i, j in pairs if mass[i][j] != 0 or stiffness[i][j] != 0]
    result: list[list[Scalar]] = [[0] * count for _ in range(count)]
    if not coupled:
        for j, ratio in enumerate(ratios):
            result[j][j] = 2 * ratio * _root(mass[j][j] * stiffness[j][j])
        return result
    entries = [entry for matrix in (mass, stiffness) for row in matrix for entry in row]
    if not all(is_number(entry) for entry in (*entries, *ratios)):
        i, j = coupled[0]
        raise ModelError(
            f"damping: modes {names[i]} and {names[j]} are coupled; modal damping ratios then need "
            "numbers for mass and stiffness, or give rayleigh=(alpha, beta)"
        )
    from scipy.linalg import eigh  # slow to load

    m, k = np.array(mass, dtype=float), np.array(stiffness, dtype=float)
    squares, vectors = eigh(k, m)
    rates = 2 * np.array(ratios, dtype=float) * np.sqrt(np.maximum(squares, 0))
    momenta = m @ vectors
    return [[float(entry) for entry in row] for row in (momenta * rates) @ momenta.T]


def _root(value: Scalar) -> Scalar:
    return float(value) ** 0.5 if is_number(value) else sympy.sqrt(value)
