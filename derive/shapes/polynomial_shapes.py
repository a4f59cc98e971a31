"""Orthogonal polynomials as mode shapes: each meets the conditions of its ends, none couples.

With p and q conditions at the tip and at the root (0 free, 1 pinned, 2 clamped),

    phi(s) = s^q (1 - s)^p P_n(s),   P_n the Jacobi polynomial of weight s^2q (1 - s)^2p,

so that the integral of phi_i phi_j ds is 1 for i = j and 0 else. Rigid motions, which the joint of
the body has, are the first ones of pinned-free and free-free shapes and are left out. Loads at the
tip bend a beam as a polynomial does, which vibration modes with a free tip reach slowly.

Coefficients are found in rational numbers. Powers of s cancel the more the higher the degree
(5.8^degree); values at numbers come from the Legendre series, which does not.
Reference: Abramowitz and Stegun, *Handbook of Mathematical Functions*, 22.2 and 22.3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy
from numpy.polynomial import Legendre

from eomc.derive.language.errors import ModelError
from eomc.derive.shapes.exponential_polynomial import ExponentialPolynomial
from eomc.derive.shapes.mode_shape import ModeShape

__all__ = ["PolynomialShape", "polynomial_shape"]

_MOST = 30
_DEGREE_IN_POWERS = 7
"""Beyond, less than eight digits are left of an integral of products in powers of s."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PolynomialShape(ModeShape):
    """A polynomial known by its powers of s and by its Legendre series on 0 <= s <= 1."""

    series: Legendre

    def derivative(self, s: Any, order: int) -> Any:
        """d^order phi / ds^order"""
        if isinstance(s, sympy.Basic):
            return self.closed_form(order).at(s)
        values = self.series.deriv(order)(np.asarray(s, dtype=float))
        return values if np.ndim(s) else float(values)

    def closed_form(self, order: int = 0) -> ExponentialPolynomial:
        """A derivative as powers of s; refused where these have no digits left."""
        if self.series.degree() > _DEGREE_IN_POWERS:
            raise ModelError(
                f"shape {self.name}: polynomials beyond degree {_DEGREE_IN_POWERS} lose their "
                "digits at stations that vary; take fewer modes, or vibration modes"
            )
        return super().closed_form(order)

    def product_integral(
        self,
        other: ModeShape,
        lower: float,
        upper: Any,
        orders: tuple[int, int] = (1, 1),
        folds: int = 1,
    ) -> Any:
        """Integral of the product of two derivatives."""
        if isinstance(upper, sympy.Basic) or not isinstance(other, PolynomialShape):
            return super().product_integral(other, lower, upper, orders, folds)
        product = self.series.deriv(orders[0]) * other.series.deriv(orders[1])
        return float(product.integ(folds, lbnd=lower)(upper))


@lru_cache(maxsize=1024)
def polynomial_shape(ends: str, root: int, tip: int, rigid: int, j: int) -> ModeShape:
    """The j-th shape beyond the `rigid` first, with `root` and `tip` conditions at the ends.

    >>> shape = polynomial_shape("clamped-free polynomials", 2, 0, 0, 1)  # sqrt(5) s^2
    >>> round(shape.value(1.0) ** 2, 12), shape.slope(0.0)
    (5.0, 0.0)
    """
    if j > _MOST:
        raise ModelError(f"{j} polynomials are more than the {_MOST} that are supported")
    n, a, b = rigid + j - 1, 2 * tip, 2 * root
    powers = [Fraction(0)] * root + _jacobi(n, a, b)
    for _ in range(tip):
        powers = [
            c - d for c, d in zip([*powers, Fraction(0)], [Fraction(0), *powers], strict=True)
        ]
    square = Fraction(
        math.factorial(n + a) * math.factorial(n + b),
        (2 * n + a + b + 1) * math.factorial(n) * math.factorial(n + a + b),
    )
    scale = 1 / math.sqrt(square)
    function = ExponentialPolynomial(
        {(k, ()): complex(c * scale) for k, c in enumerate(powers) if c}
    )
    series = Legendre([float(c) * scale for c in _legendre_series(powers)], domain=[0, 1])
    return PolynomialShape(f"{ends} {j}", function, series=series)


def _jacobi(n: int, a: int, b: int) -> list[Fraction]:
    """Coefficients of s^k of the Jacobi polynomial of weight (1 - s)^a s^b."""
    return [
        Fraction(
            (-1) ** (n + k)
            * math.comb(n, k)
            * math.perm(n + a + b + k, k)
            * math.perm(n + b, n - k),
            math.factorial(n),
        )
        for k in range(n + 1)
    ]


def _legendre_series(powers: list[Fraction]) -> list[Fraction]:
    """The same polynomial in Legendre polynomials of x = 2 s - 1, by Horner's rule with
    x P_m = ((m + 1) P_(m+1) + m P_(m-1)) / (2 m + 1)."""
    total: list[Fraction] = [Fraction(0)]
    for power in reversed(powers):
        raised = [*total, Fraction(0)]  # (x + 1) total, halved below
        for m, c in enumerate(total):
            raised[m + 1] += c * Fraction(m + 1, 2 * m + 1)
            if m:
                raised[m - 1] += c * Fraction(m, 2 * m + 1)
        total = [c / 2 for c in raised]
        total[0] += power
    return total[: len(powers)]
