"""Sums over the modes of fields: linear and quadratic forms of the coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy

from eomc.derive.bodies.line_distribution import Field, MassDistribution
from eomc.derive.language.scalar import Scalar

Symbols = Sequence[sympy.Symbol]
Table = Sequence[Sequence[Scalar]]


def number_or_zero(value: Any) -> Scalar:
    """A value of a shape; a number that is zero to rounding, beside the 2 of a tip, is zero."""
    if isinstance(value, sympy.Basic):
        return value
    return 0 if abs(value) < 1e-14 else float(value)


def linear_sum(coefficients: Sequence[Scalar], field: Field, xi: Symbols) -> Scalar:
    """sum of c_i xi_i over the coordinates of a field."""
    terms = zip(coefficients, field.coordinates, strict=True)
    total: Scalar = sum(c * xi[i] for c, i in terms)
    return total


def quadratic_sum(table: Table, first: Field, second: Field, xi: Symbols) -> Scalar:
    """sum of g_ij xi_i xi_j over the coordinates of two fields."""
    total: Scalar = 0
    for i, row in zip(first.coordinates, table, strict=True):
        for j, entry in zip(second.coordinates, row, strict=True):
            total += entry * xi[i] * xi[j]
    return total


def half_form(matrix: Table, xi: Symbols) -> Scalar:
    """xi.M xi / 2

    >>> half_form([[2, 0], [0, 4]], sympy.symbols("a b"))
    a**2 + 2*b**2
    """
    total: Scalar = 0
    for i, row in enumerate(matrix):
        for j, entry in enumerate(row):
            total += entry * xi[i] * xi[j] / 2
    return sympy.expand(total) if isinstance(total, sympy.Basic) else total


def scatter(matrix: list[list[Scalar]], first: Field, second: Field, table: Table) -> None:
    """Add a table of two fields to the matrix of all coordinates."""
    for i, row in zip(first.coordinates, table, strict=True):
        for j, entry in zip(second.coordinates, row, strict=True):
            matrix[i][j] += entry


def field_integral(
    polynomial: sympy.Expr,
    variables: Sequence[sympy.Symbol],
    along: MassDistribution,
    fields: Sequence[Field],
    xi: Symbols,
    weight: Field | None = None,
) -> Scalar:
    """Integral along a beam of a polynomial of `fields`, of degree two at most, times the function
    of `weight` (of degree one then)."""
    total: Scalar = 0
    for powers, coefficient in sympy.Poly(polynomial, *variables).terms():
        factors = [fields[k] for k, power in enumerate(powers) for _ in range(power)]
        if weight is not None and factors:
            column = [row[0] for row in along.bilinear(0, factors[0], weight)]
            part = linear_sum(column, factors[0], xi)
        elif weight is not None:
            part = along.linear(0, weight)[0]
        elif len(factors) == 2:
            first, second = factors
            part = quadratic_sum(along.bilinear(0, first, second), first, second, xi)
        elif factors:
            part = linear_sum(along.linear(0, factors[0]), factors[0], xi)
        else:
            part = along.total()
        total += coefficient * part
    return total
