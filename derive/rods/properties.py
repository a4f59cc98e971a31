"""Stiffness and damping of the strain functions of a rod, from its properties along its length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from eomc.derive.language.scalar import Scalar, is_number, scalar
from eomc.derive.rods.strain_basis import StrainBasis
from eomc.derive.shapes.numeric_function import gauss_points

__all__ = ["PLACE", "at_place", "quadratic_form", "stiffness_matrix"]

PLACE = sympy.Symbol("x")
"""The distance from the root [m], in what varies along a rod."""

_PANELS = 4


def at_place(value: Scalar, x: Scalar) -> Scalar:
    """The value at x of a quantity that may vary along the rod."""
    if not isinstance(value, sympy.Basic) or PLACE not in value.free_symbols:
        return value
    found = value.xreplace({PLACE: sympy.sympify(x)})
    return float(found) if is_number(found) else scalar(found)


def stiffness_matrix(
    length: Scalar,
    strains: Sequence[tuple[int, StrainBasis]],
    stiffness: dict[tuple[int, int], Scalar],
    kinks: Sequence[float],
) -> list[list[Scalar]]:
    """K_jk = integral of phi_j S_cc' phi_k dX, of functions counted in turns a length (curvatures)
    or by themselves (stretch and shear); V = q^T K q / 2 exactly.

    `stiffness` is by pairs of components (c, c'), c <= c'.
    """
    s, weights = gauss_points([0.0, *kinks, 1.0], _PANELS)
    tables = [np.array([basis(float(at)) for at in s]) for _, basis in strains]
    starts = np.cumsum([0, *(basis.size for _, basis in strains)])
    matrix: list[list[Scalar]] = [[0] * int(starts[-1]) for _ in range(int(starts[-1]))]
    for a, (first, _) in enumerate(strains):
        for b, (second, _) in enumerate(strains):
            density = stiffness.get((min(first, second), max(first, second)), 0)
            if density == 0:
                continue
            power = 1 - (first < 3) - (second < 3)
            block = _block(density, length, power, s, weights, tables[a], tables[b])
            for j, row in enumerate(block):
                for k, entry in enumerate(row):
                    matrix[int(starts[a]) + j][int(starts[b]) + k] = entry
    return matrix


def _block(
    density: Scalar, length: Scalar, power: int, s: Any, weights: Any, left: Any, right: Any
) -> list[list[Scalar]]:
    """length^power times the integral of left density right ds."""
    size = sympy.sympify(length) ** power
    if not isinstance(density, sympy.Basic) or PLACE not in density.free_symbols:
        factor = scalar(size * density)
        return [
            [_product(entry, factor) for entry in row]
            for row in _rounded(np.einsum("s,sj,sk->jk", weights, left, right))
        ]
    values = [at_place(density, scalar(length * sympy.Float(float(at), 17))) for at in s]
    if all(is_number(value) for value in values) and is_number(length):
        given = np.array([float(value) for value in values])
        found = np.einsum("s,s,sj,sk->jk", weights, given, left, right) * float(size)
        return [[float(entry) for entry in row] for row in found]
    return [
        [
            scalar(
                size
                * sum(
                    float(w * a[j] * b[k]) * value
                    for w, a, b, value in zip(weights, left, right, values, strict=True)
                )
            )
            for k in range(right.shape[1])
        ]
        for j in range(left.shape[1])
    ]


def _rounded(matrix: Any) -> Any:
    """Entries that are rounding beside the diagonal made zero."""
    limit = 1e-14 * float(np.abs(matrix).max())
    return np.where(np.abs(matrix) < limit, 0.0, matrix)


def _product(number: float, factor: Scalar) -> Scalar:
    if number == 0:
        return 0
    return float(number * float(factor)) if is_number(factor) else scalar(number * factor)


def quadratic_form(matrix: Sequence[Sequence[Scalar]], xi: Sequence[Any]) -> Any:
    """xi^T K xi / 2"""
    terms = []
    for j, row in enumerate(matrix):
        for k, entry in enumerate(row[: j + 1]):
            if entry != 0:
                terms.append(entry * xi[j] * xi[k] / (2 if j == k else 1))
    return sympy.Add(*terms)
