"""Damping matrices of a set of modes with mass matrix M and stiffness matrix K.

Rayleigh: C = alpha M + beta K. Modal ratios: with the eigenvectors V of K v = omega^2 M v,
V^T M V = 1, C = M V diag(2 zeta_j omega_j) V^T M, of each set of modes that M or K couple; of a
mode that nothing couples C_jj = 2 zeta_j sqrt(K_jj M_jj). Reference:
Clough and Penzien, *Dynamics of Structures*, ch. 12.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy

from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, is_number

Matrix = Sequence[Sequence[Scalar]]
_ROUNDING = 1e-12


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
    """C of the damping ratios, in the order of the frequencies where modes are coupled.

    Raises `ModelError` if modes are coupled by parameters.

    >>> modal_damping([[4.0]], [[9.0]], [0.25], ["y1"])
    [[3.0]]
    """
    count = len(ratios)
    result: list[list[Scalar]] = [[0] * count for _ in range(count)]
    if not any(ratio != 0 for ratio in ratios):
        return result
    for group in _coupled(mass, stiffness):
        if len(group) == 1:
            (j,) = group
            result[j][j] = 2 * ratios[j] * _root(mass[j][j] * stiffness[j][j])
        elif any(ratios[j] != 0 for j in group):
            m, k = ([[matrix[i][j] for j in group] for i in group] for matrix in (mass, stiffness))
            own, named = [ratios[j] for j in group], [names[j] for j in group]
            for i, row in zip(group, _of_coupled(m, k, own, named), strict=True):
                for j, entry in zip(group, row, strict=True):
                    result[i][j] = entry
    return result


def _coupled(mass: Matrix, stiffness: Matrix) -> list[list[int]]:
    """Sets of modes that M or K couple; what is rounding beside the diagonal couples nothing."""
    groups: list[list[int]] = []
    for j in range(len(mass)):
        with_j = [
            g for g in groups if any(_are_coupled(m, i, j) for m in (mass, stiffness) for i in g)
        ]
        groups = [g for g in groups if g not in with_j]
        groups.append(sorted([j, *(i for g in with_j for i in g)]))
    return groups


def _are_coupled(matrix: Matrix, i: int, j: int) -> bool:
    entries = (matrix[i][j], matrix[i][i], matrix[j][j])
    if not all(is_number(entry) for entry in entries):
        return bool(matrix[i][j] != 0)
    entry, first, second = map(float, entries)
    return bool(abs(entry) > _ROUNDING * abs(first * second) ** 0.5)


def _of_coupled(
    mass: Matrix, stiffness: Matrix, ratios: Sequence[Scalar], names: Sequence[str]
) -> list[list[float]]:
    """M V diag(2 zeta omega) V^T M, the ratios by rising frequency."""
    entries = [entry for matrix in (mass, stiffness) for row in matrix for entry in row]
    if not all(is_number(entry) for entry in (*entries, *ratios)):
        raise ModelError(
            f"damping: modes {names[0]} and {names[1]} are coupled; modal damping ratios then need "
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
