"""Moments of a beam: of its deformed axis and of its turned sections (`eomc.derive.bodies.beam`).

With the displacements u, v, w of the axis and the small turns of its sections, all invariants are
integrals of products of shapes along the beam, besides terms of second order with stiffening.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import sympy

from eomc.derive.bodies.beam_second_order import BeamTerm, add_momenta
from eomc.derive.bodies.form import Invariants, six, vector3
from eomc.derive.bodies.line_distribution import Field, MassDistribution
from eomc.derive.bodies.modal_sums import field_integral, linear_sum, quadratic_sum, scatter
from eomc.derive.bodies.section_rotation import ANGLES, INERTIA, section_density
from eomc.derive.language.scalar import Scalar

Symbols = Sequence[sympy.Symbol]


@dataclass(frozen=True, eq=False)
class BeamInertia:
    """Mass along the axis, moments of inertia of the sections about x, y, z (None for none), the
    deflection of a direction by its name, order of derivative and sign, and terms of second order
    by what they move."""

    mass: MassDistribution
    sections: tuple[MassDistribution | None, ...]
    field: Callable[..., Field]
    terms: Mapping[str, list[BeamTerm]]

    def at(self, xi: Symbols) -> Invariants:
        """Moments of the deformed axis and of the turned sections, to second order."""
        mu, fields = self.mass, [self.field(name) for name in ("axial", "y", "z")]

        def first(i: int, n: int = 0) -> Scalar:
            return linear_sum(mu.linear(n, fields[i]), fields[i], xi)

        def second(i: int, j: int) -> Scalar:
            return quadratic_sum(mu.bilinear(0, fields[i], fields[j]), fields[i], fields[j], xi)

        (u0, u1), (v0, v1), (w0, w1) = (
            [self._moved(name, mu, n, xi) for n in (0, 1)] for name in ("axial", "y", "z")
        )
        along = mu.total(2) + 2 * first(0, 1) + 2 * u1 + second(0, 0)
        h = (mu.total(1) + first(0) + u0, first(1) + v0, first(2) + w0)
        inertia = (
            second(1, 1) + second(2, 2),
            along + second(2, 2),
            along + second(1, 1),
            -first(1, 1) - second(0, 1) - v1,
            -first(2, 1) - second(0, 2) - w1,
            -second(1, 2),
        )
        columns, masses = self._angular(xi, v1, w1), self._internal(xi)
        add_momenta(self.terms, mu, fields, columns, masses, xi)
        parts = self._sections(xi)
        return Invariants(
            mass=mu.total(),
            first=h,
            inertia=six(a + b for a, b in zip(inertia, parts[0], strict=True)),
            linear=tuple(vector3(sympy.diff(entry, symbol) for entry in h) for symbol in xi),
            angular=tuple(
                vector3(a + b for a, b in zip(column, more, strict=True))
                for column, more in zip(columns, parts[1], strict=True)
            ),
            internal=tuple(
                tuple(a + b for a, b in zip(row, more, strict=True))
                for row, more in zip(masses, parts[2], strict=True)
            ),
        )

    def _moved(self, what: str, along: MassDistribution, n: int, xi: Symbols) -> Scalar:
        """Integral of x^n times the terms of second order dm."""
        total: Scalar = sum(term.moment(along, n, xi) for term in self.terms.get(what, ()))
        return total

    def _angular(self, xi: Symbols, v1: Scalar, w1: Scalar) -> list[list[Scalar]]:
        """H_j: the integral of r x dr/dxi_j dm, v1 and w1 the first moments along x of the terms of
        second order."""
        mu, fields = self.mass, [self.field(name) for name in ("axial", "y", "z")]
        columns: list[list[Scalar]] = [[0, -sympy.diff(w1, x), sympy.diff(v1, x)] for x in xi]
        for i, field in enumerate(fields):  # the direction that moves
            arms = mu.linear(1, field)
            for j, coordinate in enumerate(field.coordinates):
                for k, other in enumerate(fields):  # the arm
                    if k == i:
                        continue
                    column = [[row[j]] for row in mu.bilinear(0, other, field)]
                    arm = linear_sum([row[0] for row in column], other, xi)
                    if k == 0:
                        arm += arms[j]
                    axis, sign = 3 - i - k, 1 if (i - k) % 3 == 1 else -1
                    columns[coordinate][axis] += sign * arm
        return columns

    def _internal(self, xi: Symbols) -> list[list[Scalar]]:
        """Integral of the products of shapes."""
        result: list[list[Scalar]] = [[0] * len(xi) for _ in xi]
        for direction in ("axial", "y", "z"):
            field = self.field(direction)
            scatter(result, field, field, self.mass.bilinear(0, field, field))
        return result

    def _sections(self, xi: Symbols) -> tuple[list[Scalar], list[list[Scalar]], list[list[Scalar]]]:
        """Shares of the inertia of the sections in J, H and M."""
        count = len(xi)
        inertia: list[Scalar] = [0] * 6
        angular: list[list[Scalar]] = [[0] * 3 for _ in xi]
        internal: list[list[Scalar]] = [[0] * count for _ in xi]
        if not any(self.sections):
            return inertia, angular, internal
        # twist about x, -w' about y, v' about z
        angles = (self.field("torsion"), self.field("z", 1, -1), self.field("y", 1))
        density, rest = section_density(), dict.fromkeys(ANGLES, 0)
        for axis, along in enumerate(self.sections):
            if along is None:
                continue
            part = sympy.Symbol(INERTIA[axis].name)
            signs = (("torsion", 1), ("z slope", -1), ("y slope", 1))
            moved = [sign * self._moved(name, along, 0, xi) for name, sign in signs]
            for entry, polynomial in enumerate(density.inertia):
                terms = polynomial.coeff(part)
                inertia[entry] += field_integral(terms, ANGLES, along, angles, xi)
                for angle, more in zip(ANGLES, moved, strict=True):
                    inertia[entry] += terms.coeff(angle).subs(rest) * more
            for k, rate in enumerate(angles):
                for i in range(3):
                    polynomial = density.angular[k][i].coeff(part)
                    for j, coordinate in enumerate(rate.coordinates):
                        angular[coordinate][i] += field_integral(
                            polynomial, ANGLES, along, angles, xi, rate.single(j)
                        )
                    for coordinate, symbol in enumerate(xi):
                        slope = sympy.diff(moved[k], symbol)
                        angular[coordinate][i] += polynomial.subs(rest) * slope
                for m, other in enumerate(angles):
                    factor = density.rates[k][m].coeff(part)
                    if factor != 0:
                        scatter(internal, rate, other, along.bilinear(0, rate, other))
        return inertia, angular, internal
