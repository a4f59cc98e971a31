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

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from eomc.derive.bodies.line_distribution import Distribution, Field
from eomc.derive.bodies.modal_sums import number_or_zero, quadratic_sum
from eomc.derive.language.scalar import Scalar
from eomc.derive.shapes.mode_shape import ModeShape

__all__ = ["TERMS", "BeamTerm"]

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
"""What moves; factor, two fields as (direction, order of derivative), and how many times their
product is integrated along the beam."""


@dataclass(frozen=True)
class BeamTerm:
    """factor times the integral, `folds` times over, of the product of two fields."""

    factor: Scalar
    fields: tuple[Field, Field]
    shapes: tuple[Sequence[ModeShape], Sequence[ModeShape]]
    orders: tuple[int, int]
    folds: int

    def moment(self, along: Distribution, n: int, xi: Sequence[sympy.Symbol]) -> Scalar:
        """Integral of x^n times the term dm."""
        table = along.beyond(n, *self.fields, self.folds)
        return self.factor * quadratic_sum(table, *self.fields, xi)

    def at(self, place: Any, fixed: float, length: Scalar, xi: Sequence[sympy.Symbol]) -> Scalar:
        """The term at s = `place`, a number or an expression."""
        first, second = self.fields
        scale = self.factor * first.scale * second.scale * length**self.folds
        table = [
            [
                number_or_zero(a.product_integral(b, fixed, place, self.orders, self.folds))
                for b in self.shapes[1]
            ]
            for a in self.shapes[0]
        ]
        return scale * quadratic_sum(table, first, second, xi)
