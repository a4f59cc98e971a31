"""Displacements of second order of a beam whose curvatures and twist rate are given.

Let p'' and -q'' be the curvatures about the z and y axes of the twisted section, t' its twist per
length and e' the stretch, p, q, t and e sums of shapes times amplitudes. Turned by v' about z, -w'
about y and phi about x, a section has these curvatures, to second order, if

    v'' = p'' - t q'',   w'' = q'' + t p'',   phi' = t' - p'' q',   u' = e' - (p'^2 + q'^2) / 2.

Strain energy is the sum of the squares of p'', q'', t' and e' alone; what a load works through the
terms of second order is the geometric stiffness against that load: of tension against bending, of
bending against twist and bending the other way. All vanish at the station that is fixed; products
of the stretch with slopes, small beside these, are left out.
Reference: Hodges, *Nonlinear Composite Beam Theory*, ch. 2; Wallrapp and Schwertassek 1991.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy

from eomc.binding.arrays import Array
from eomc.derive.bodies.line_distribution import Field, MassDistribution
from eomc.derive.bodies.modal_sums import linear_sum, number_or_zero, quadratic_sum
from eomc.derive.language.scalar import Scalar
from eomc.derive.shapes.mode_shape import ModeShape
from eomc.derive.shapes.numeric_function import gauss_points

__all__ = ["BeamTerm", "add_momenta", "beam_terms"]


_HALF = sympy.Rational(1, 2)

TERMS = (
    ("axial", -_HALF, ("y", 1), ("y", 1), 1),
    ("axial", -_HALF, ("z", 1), ("z", 1), 1),
    ("y", -1, ("torsion", 0), ("z", 2), 2),
    ("y slope", -1, ("torsion", 0), ("z", 2), 1),
    ("z", 1, ("torsion", 0), ("y", 2), 2),
    ("z slope", 1, ("torsion", 0), ("y", 2), 1),
    ("torsion", -1, ("y", 2), ("z", 1), 1),
)
"""Terms of second order: the field that moves; factor, two fields as (direction, order of
derivative), and how many times their product is integrated along the beam."""


@dataclass(frozen=True)
class BeamTerm:
    """factor times the integral, `folds` times over, of the product of two fields from s = fixed
    along a beam of a length; `panels` are those of the quadrature."""

    factor: Scalar
    fields: tuple[Field, Field]
    shapes: tuple[Sequence[ModeShape], Sequence[ModeShape]]
    orders: tuple[int, int]
    folds: int
    fixed: float
    length: Scalar
    panels: int

    @property
    def parts(self) -> list[tuple[int, Field]]:
        """(coordinate of the first field, field that it multiplies), linear in the second one."""
        return [(i, self._part(j)) for j, i in enumerate(self.fields[0].coordinates)]

    def _part(self, j: int) -> Field:
        first, second = self.fields
        nodes, weights = gauss_points([0.0, 1.0], self.panels)

        def functions(s: Array) -> Array:
            reach = s[:, None] - self.fixed
            arm = (1 - nodes) ** (self.folds - 1) / math.factorial(self.folds - 1)  # Cauchy's
            at = (self.fixed + reach * nodes).ravel()
            product = first.at(at)[j] * second.at(at)
            inner: Array = product.reshape(-1, *np.shape(reach * nodes)) @ (arm * weights)
            return inner * reach[:, 0] ** self.folds

        return Field(second.coordinates, functions, self._scale)

    @property
    def _scale(self) -> Scalar:
        first, second = self.fields
        return self.factor * first.scale * second.scale * self.length**self.folds

    def moment(self, along: MassDistribution, n: int, xi: Sequence[sympy.Symbol]) -> Scalar:
        """Integral of x^n times the term dm."""
        total: Scalar = 0
        for i, part in self.parts:
            total += xi[i] * linear_sum(along.linear(n, part), part, xi)
        return sympy.expand(total)

    def at(self, place: Any, xi: Sequence[sympy.Symbol]) -> Scalar:
        """The term at s = `place`, a number or an expression."""
        table = [
            [
                number_or_zero(a.product_integral(b, self.fixed, place, self.orders, self.folds))
                for b in self.shapes[1]
            ]
            for a in self.shapes[0]
        ]
        return self._scale * quadratic_sum(table, *self.fields, xi)


def beam_terms(
    field: Callable[[str, int], Field],
    shapes: Mapping[str, Sequence[ModeShape]],
    fixed: float,
    length: Scalar,
    panels: int,
) -> dict[str, list[BeamTerm]]:
    """Terms, by what they move, of a beam with fields by direction and order of derivative."""
    result: dict[str, list[BeamTerm]] = {}
    for moved, factor, *given, folds in TERMS:
        fields = (field(*given[0]), field(*given[1]))
        if all(one.coordinates for one in fields):
            of, orders = (shapes[given[0][0]], shapes[given[1][0]]), (given[0][1], given[1][1])
            term = BeamTerm(factor, fields, of, orders, folds, fixed, length, panels)
            result.setdefault(moved, []).append(term)
    return result


def add_momenta(
    terms: Mapping[str, Sequence[BeamTerm]],
    mu: MassDistribution,
    fields: Sequence[Field],
    angular: list[list[Scalar]],
    internal: list[list[Scalar]],
    xi: Sequence[sympy.Symbol],
) -> None:
    """Add to H and M what the rates of the terms carry, with the displacements u, v, w of `fields`.

    M has all terms of first order: about a deflected state they count as much as the stiffness that
    the load gives. What twist moves of a bent beam is there to second order, as the inertia of the
    sections is small beside it: the energy stays positive.
    """
    for i, name in enumerate(("axial", "y", "z")):
        parts = [part for term in terms.get(name, ()) for part in term.parts]
        for first, part in parts:
            table = mu.bilinear(0, fields[i], part)
            for own, row in zip(fields[i].coordinates, table, strict=True):
                for second, entry in zip(part.coordinates, row, strict=True):
                    for moving, still in ((first, second), (second, first)):
                        internal[moving][own] += entry * xi[still]
                        internal[own][moving] += entry * xi[still]
            for other, rest in parts if i else ():
                products = mu.bilinear(0, part, rest)
                internal[first][other] += quadratic_sum(products, part, rest, xi)
            for k, arm in enumerate(fields) if i else ():
                if k != i:
                    moment = quadratic_sum(mu.bilinear(0, arm, part), arm, part, xi)
                    angular[first][3 - i - k] += moment if (i - k) % 3 == 1 else -moment
