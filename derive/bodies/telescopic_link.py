"""One of the two links of a telescopic beam, and sums over its modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy

from eomc.derive.model.scalar import Scalar, Vector3, is_number
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial

__all__ = ["TelescopicLink", "double_sum", "power", "row_sum", "vector_of"]

Symbols = Sequence[sympy.Symbol]


@dataclass(frozen=True)
class TelescopicLink:
    """Mass per length, stiffnesses (along y, along z) and limits of s; dx/dl."""

    density: Scalar
    stiffness: tuple[Scalar, Scalar]
    lower: Callable[[sympy.Symbol], Scalar]
    upper: Callable[[sympy.Symbol], Scalar]
    slides: int

    def integral(self, function: ExponentialPolynomial, length: sympy.Symbol) -> Scalar:
        """Integral of a function of s over the link, ds."""
        primitive = function.antiderivative()
        upper, lower = (
            primitive.at(float(end) if is_number(end) else end)
            for end in (self.upper(length), self.lower(length))
        )
        return sympy.sympify(upper - lower)


def power(p: int, factor: float = 1.0) -> ExponentialPolynomial:
    """factor s^p"""
    return ExponentialPolynomial.power(p, factor)


def row_sum(coefficients: Sequence[Scalar], amplitudes: Symbols) -> Scalar:
    """sum of c_j xi_j"""
    total: Scalar = sum(c * x for c, x in zip(coefficients, amplitudes, strict=True))
    return total


def double_sum(table: Sequence[Sequence[Scalar]], first: Symbols, second: Symbols) -> Scalar:
    """sum of t_jk xi_j eta_k"""
    total: Scalar = 0
    for row, amplitude in zip(table, first, strict=True):
        total += amplitude * row_sum(row, second)
    return total


def vector_of(entries: Sequence[Scalar]) -> Vector3:
    """Three entries."""
    x, y, z = entries
    return (x, y, z)
