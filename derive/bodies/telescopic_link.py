"""One of the two links of a telescopic beam, and sums over its modes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy

from eomc.derive.language.scalar import Scalar, is_number
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial

Symbols = Sequence[sympy.Symbol]


@dataclass(frozen=True)
class TelescopicLink:
    """Mass per length, stiffnesses (along y, along z) and limits of s; dx/dl."""

    density: Scalar
    stiffness: tuple[Scalar, Scalar]
    lower: Callable[[sympy.Symbol], Scalar]
    upper: Callable[[sympy.Symbol], Scalar]
    slides: int

    @property
    def lag(self) -> ExponentialPolynomial:
        """dx/dl - s"""
        return power(0, self.slides) - power(1)

    def integral(self, function: ExponentialPolynomial, length: sympy.Symbol) -> Scalar:
        """Integral of a function of s over the link, ds."""
        primitive = function.antiderivative()
        upper, lower = (
            primitive.at(float(end) if is_number(end) else end)
            for end in (self.upper(length), self.lower(length))
        )
        return sympy.sympify(upper - lower)

    def swept(
        self, n: int, factors: Sequence[ExponentialPolynomial], length: sympy.Symbol
    ) -> Scalar:
        """Integral of x^n (df/dl) dm, f the product of functions of s: df/dl = f' (dx/dl - s)/l.

        By parts it is rho l^n ([s^n f (dx/dl - s)] + (n+1) int s^n f ds - n dx/dl int s^(n-1) f ds)
        with integrals that the mass elements at rest have too. At the outer end of either link
        nothing is left: s = 0 there, or dx/dl = s = 1.
        """
        function = power(0)
        for factor in factors:
            function = function * factor
        s = self.lower(length) if self.slides else self.upper(length)
        at_end = sympy.Mul(*(factor.at(s) for factor in factors))
        # s^n f (dx/dl - s) there, taken at the upper end of the one, the lower of the other
        total = -((1 - s) if self.slides else s) * at_end * s**n
        total += (n + 1) * self.integral(power(n) * function, length)
        if n and self.slides:
            total -= n * self.integral(power(n - 1) * function, length)
        return self.density * length**n * total

    def stretched(
        self, f: ExponentialPolynomial, g: ExponentialPolynomial, length: sympy.Symbol
    ) -> Scalar:
        """Integral of (d phi / dl) (d chi / dl) dm, f = phi' and g = chi': (dx/dl - s) f / l."""
        return self.density * self.integral(self.lag * self.lag * f * g, length) / length


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
