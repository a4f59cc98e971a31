"""Mass, stiffness or inertia along the axis of a beam, and its integrals with mode shapes.

With x = x0 + l s, 0 <= s <= 1, a distribution mu(x) and functions f, g of s,

    integral of mu(x) x^n f(s) g(s) dx = l integral of mu (x0 + l s)^n f g ds.

Parameters of the model may multiply functions of x, and l and x0 may be parameters: the integrals
over s are numbers, of Gauss-Legendre quadrature, the rest is expanded around them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.graph import GraphError
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import Scalar, is_number
from eomc.derive.shapes.numeric_function import gauss_points, numeric_function

X = sympy.Symbol("x")
_S = sympy.Symbol("_s")
_ROUNDING = 4e-15


@dataclass(frozen=True)
class AxisSpan:
    """The axis of a beam: x = start + length s."""

    start: Scalar
    length: Scalar

    @cached_property
    def is_numeric(self) -> bool:
        return is_number(self.start) and is_number(self.length)

    def power(self, n: int) -> list[tuple[Scalar, int]]:
        """x^n = sum of coefficient s^k."""
        terms = [
            (math.comb(n, k) * self.start ** (n - k) * self.length**k, k) for k in range(n + 1)
        ]
        return [(coefficient, k) for coefficient, k in terms if coefficient != 0]

    def station(self, s: float) -> Scalar:
        """x of a number s."""
        return self.start + self.length * s


@dataclass(frozen=True)
class Field:
    """sum of xi[i] scale f_i(s): a deformation and the coordinates it belongs to.

    `functions` gives f_i, one row an i, at an array of s.
    """

    coordinates: tuple[int, ...]
    functions: Callable[[Array], Array]
    scale: Scalar = 1

    def at(self, s: Array) -> Array:
        """Rows f_i(s)."""
        if not self.coordinates:
            return np.zeros((0, *np.shape(s)))
        return self.functions(s)

    def single(self, j: int) -> Field:
        """Its j-th function alone."""
        return Field((self.coordinates[j],), lambda s: self.functions(s)[j : j + 1], self.scale)


@dataclass(frozen=True, eq=False)
class MassDistribution:
    """mu(x) and concentrated amounts.

    Parameters
    ----------
    density : Scalar
        mu, with the symbol x for the place along the body's x axis.
    span : Span
    what : str
        What messages call it.
    points : pairs (s, amount)
    panels : int
        Panels of the quadrature; as many as there are modes suffice.
    """

    density: Scalar
    span: AxisSpan
    what: str
    points: tuple[tuple[float, Scalar], ...] = ()
    panels: int = 4

    # -- integrals -----------------------------------------------------------------------------

    def total(self, n: int = 0) -> Scalar:
        """Integral of mu x^n dx."""
        return _entry(self._integrals(n, _one, _one), 0, 0)

    def linear(self, n: int, field: Field) -> list[Scalar]:
        """Integrals of mu x^n f_i dx."""
        entries = self._integrals(n, field.at, _one)
        return [field.scale * _entry(entries, i, 0) for i in range(len(field.coordinates))]

    def bilinear(self, n: int, first: Field, second: Field) -> list[list[Scalar]]:
        """Integrals of mu x^n f_i g_j dx."""
        if not first.coordinates or not second.coordinates:
            return [[] for _ in first.coordinates]
        entries = self._integrals(n, first.at, second.at)
        scale = first.scale * second.scale
        return [
            [scale * _entry(entries, i, j) for j in range(len(second.coordinates))]
            for i in range(len(first.coordinates))
        ]

    # -- quadrature ----------------------------------------------------------------------------

    def _integrals(
        self, n: int, first: Callable[[Array], Array], second: Callable[[Array], Array]
    ) -> list[tuple[Scalar, Array]]:
        """Coefficients and numbers whose sum of products is the table of integrals."""
        s = self._points
        rows, columns = first(s), second(s)
        result: list[tuple[Scalar, Array]] = [
            (coefficient, _rounded(rows, columns, weights))
            for coefficient, weights in self._weights(n)
        ]
        for place, amount in self.points:
            at = np.array([place])
            table = _rounded(first(at), second(at), np.ones(1))
            result.append((amount * self.span.station(place) ** n, table))
        return result

    def _weights(self, n: int) -> list[tuple[Scalar, Array]]:
        """Coefficients, and weights of the quadrature points, that make up mu x^n dx."""
        span, (points, weights) = self.span, self._rule
        powers: list[tuple[Scalar, Callable[[Array], Array]]]
        if span.is_numeric:
            powers = [(1, _line_power(float(span.start), float(span.length), n))]
        else:
            powers = [(c, _line_power(0.0, 1.0, k)) for c, k in span.power(n)]
        return [
            (span.length * c * d, weights * (power(points) * function(points)))
            for c, power in powers
            for d, function in self._terms
        ]

    @property
    def _points(self) -> Array:
        return self._rule[0]

    @cached_property
    def _rule(self) -> tuple[Array, Array]:
        inner = {s for s, _ in self.points} | {*self._kinks}
        breaks = [0.0, *sorted(s for s in inner if 0 < s < 1), 1.0]
        panels = self.panels
        while not self._stands(breaks, panels):
            panels *= 2
            if panels > 1024:
                raise ModelError(f"{self.what}: {self.density} cannot be integrated along the beam")
        return gauss_points(breaks, panels)

    def _stands(self, breaks: Sequence[float], panels: int) -> bool:
        """True if twice the panels give the same integrals of the density and of its square."""
        (s, weights), (s2, weights2) = (
            gauss_points(breaks, panels),
            gauss_points(breaks, 2 * panels),
        )
        for _, function in self._terms:
            values, again = function(s), function(s2)
            if not np.all(np.isfinite(values)):
                raise ModelError(f"{self.what}: {self.density} is not finite along the beam")
            # the square finds poles that cancel in the integral itself
            for p in (1, 2):
                change = weights @ values**p - weights2 @ again**p
                if not abs(change) <= 1e-13 * (weights @ np.abs(values) ** p):
                    return False
        return True

    # -- the density -----------------------------------------------------------------------------

    @cached_property
    def _terms(self) -> list[tuple[Scalar, Callable[[Array], Array]]]:
        """mu = sum of coefficient g(s)."""
        density = self.density
        if not isinstance(density, sympy.Basic) or X not in density.free_symbols:
            return [(density, np.ones_like)] if density != 0 else []
        along = density.subs(X, self.span.start + self.span.length * _S)
        terms = []
        for term in sympy.Add.make_args(sympy.expand(along)):
            coefficient, rest = term.as_independent(_S, as_Add=False)
            strange = sorted(str(symbol) for symbol in rest.free_symbols - {_S})
            if strange:
                raise ModelError(
                    f"{self.what}: {', '.join(strange)} may multiply functions of x, but stand in "
                    f"none: {self.density}"
                )
            try:
                terms.append((coefficient, numeric_function(rest, _S)))
            except GraphError as error:
                raise ModelError(f"{self.what}: {error}") from None
        return terms

    @cached_property
    def _kinks(self) -> list[float]:
        """s where a condition in the density changes sides."""
        if not isinstance(self.density, sympy.Basic) or not self.span.is_numeric:
            return []
        along = self.density.subs(X, self.span.start + self.span.length * _S)
        edges: set[float] = set()
        for relation in along.atoms(sympy.core.relational.Relational):
            line = sympy.Poly(relation.lhs - relation.rhs, _S)
            edges.update(float(root) for root in sympy.real_roots(line))
        for step in along.atoms(sympy.Heaviside, sympy.Abs, sympy.sign):
            edges.update(float(root) for root in sympy.real_roots(step.args[0], _S))
        return sorted(edges)


def _line_power(start: float, slope: float, n: int) -> Callable[[Array], Array]:
    return lambda s: (start + slope * s) ** n


def _one(s: Array) -> Array:
    return np.ones((1, *np.shape(s)))


def _rounded(rows: Array, columns: Array, weights: Array) -> Array:
    """rows diag(weights) columns^T; what is a whole number to rounding becomes one, so that
    orthogonal modes do not couple and normalized ones cost no product."""
    table: Array = (rows * weights) @ columns.T
    size = (np.abs(rows) * np.abs(weights)) @ np.abs(columns).T
    whole = np.round(table)
    return np.where(np.abs(table - whole) <= _ROUNDING * np.maximum(size, 1e-300), whole, table)


def _entry(tables: Sequence[tuple[Scalar, Array]], i: int, j: int) -> Scalar:
    total: Any = 0
    for coefficient, table in tables:
        number = float(table[i, j])
        if number:
            total += coefficient * (int(number) if number.is_integer() else number)
    return total
