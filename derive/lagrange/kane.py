"""Kane's equations, as `sympy.physics.mechanics.KanesMethod` forms them, solved on the graph.

With independent speeds u_I and dependent ones u_D,

    q' = G(q) u + g(q, t),    M_d u' = f_d + tau_I + W^T tau_D,    B u' = f_b,    W = -B_D^-1 B_I

M_d has one row for each independent speed, B one for each dependent speed. Eliminating
u_D' = W u_I' + B_D^-1 f_b leaves the symmetric system

    (M_dI + M_dD W) u_I' = f_d + tau_I + W^T tau_D - M_dD B_D^-1 f_b

References: Kane and Levinson, *Dynamics: Theory and Applications*, sections 4.11 and 6.1; Angeles
and Lee, *The formulation of dynamical equations of holonomic mechanical systems using a natural
orthogonal complement*, 1988.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sp

from eomc.derive.dynamics.factor import factor
from eomc.derive.graph import Expression, Guard, nodes, symbols
from eomc.derive.lagrange.derivatives import Dynamics
from eomc.derive.lagrange.implicit import solution_derivatives
from eomc.derive.lagrange.multipliers import dot, lower_triangle, pivot_guards
from eomc.derive.lagrange.orthogonal import OrthogonalFactor
from eomc.derive.lagrange.probe import depends_on, null_direction
from eomc.derive.lagrange.variables import Variables
from eomc.derive.model.errors import ModelError

Vector = list[Expression]


@dataclass(frozen=True)
class KaneEquations:
    """What a `KanesMethod` holds, as SymPy expressions.

    `mass_matrix` and `forcing` have the dynamic rows first, then one row for each of the
    `dependent` speeds. `auxiliary` are the auxiliary equations in the unknowns `reactions`; `zero`
    are the auxiliary speeds, which are zero in all motion.
    """

    mass_matrix: Sequence[Sequence[Any]]
    forcing: Sequence[Any]
    rates: Mapping[sp.Basic, Any]
    dependent: int = 0
    configuration: Sequence[Any] = ()
    velocity: Sequence[Any] = ()
    kinetic_energy: Any = None
    auxiliary: Sequence[Any] = ()
    reactions: Sequence[sp.Basic] = ()
    zero: Sequence[sp.Basic] = field(default=())


class KaneDerivation(Dynamics):
    """The equations of one method on a graph."""

    def __init__(
        self, name: str, variables: Variables, given: KaneEquations, symbolic: Collection[str]
    ) -> None:
        super().__init__(name, variables, symbolic)
        self.given = given
        for speed in given.zero:
            self.leaves[speed] = self.leaves[sp.diff(speed, variables.time)] = self.zero.node
        self.rates = [
            self.read(given.rates[sp.diff(q, variables.time)], "kinematic equations")
            for q in variables.coordinates
        ]
        for q, rate in zip(variables.coordinates, self.rates, strict=True):
            self.leaves[sp.diff(q, variables.time)] = rate.node
        self.mass = [
            [self.read(entry, "mass matrix") for entry in row] for row in given.mass_matrix
        ]
        self.forcing = [self.read(entry, "forcing") for entry in given.forcing]
        self.independent = len(self.u) - given.dependent

    @property
    def constrained(self) -> bool:
        """True if some speeds depend on others."""
        return self.given.dependent > 0

    @cached_property
    def position_residual(self) -> Vector:
        """Configuration constraints."""
        return [self.read(phi, "configuration constraints") for phi in self.given.configuration]

    @cached_property
    def velocity_residual(self) -> Vector:
        """Velocity constraints."""
        return [self.read(psi, "velocity constraints") for psi in self.given.velocity]

    # -- solution --------------------------------------------------------------------------------

    @cached_property
    def dependent_factor(self) -> OrthogonalFactor:
        """B_D ready to solve with."""
        p = self.independent
        return OrthogonalFactor([row[p:] for row in self.mass[p:]], self.zero)

    @cached_property
    def complement(self) -> list[Vector]:
        """Columns of W: what the dependent accelerations do at unit independent ones."""
        p = self.independent
        if not self.constrained:
            return [[] for _ in range(p)]
        return [self.dependent_factor.solve([-row[j] for row in self.mass[p:]]) for j in range(p)]

    @cached_property
    def reduced_mass(self) -> list[Vector]:
        """M_dI + M_dD W by rows."""
        p = self.independent
        return [
            [row[j] + dot(row[p:], self.complement[j], self.zero) for j in range(p)]
            for row in self.mass[:p]
        ]

    @cached_property
    def _solver(self) -> tuple[Any, list[Guard]]:
        """(factor of the reduced mass matrix, its guards)."""
        code, rows, p = "singular_mass_matrix", self.reduced_mass, self.independent
        tied = null_direction(self.graph, self.mass, self.values)
        if tied is not None:
            names = ", ".join(repr(self.variables.speed_names[i]) for i in tied)
            raise ModelError(
                f"{self.name!r}: the mass matrix is singular at every configuration: speeds "
                f"{names} are not determined"
            )
        skew = [rows[i][j] - rows[j][i] for i in range(p) for j in range(i)]
        entries = [entry for row in rows for entry in row]
        if depends_on(self.graph, entries, skew, self.values):
            general = OrthogonalFactor(rows, self.zero)
            return general, general.guards(code)
        lower = lower_triangle(rows)
        factored = factor(lower, p)
        return factored, pivot_guards(lower, factored, code)

    def solve(
        self, force: Sequence[Expression], rate: Sequence[Expression] = ()
    ) -> tuple[Vector, Vector]:
        """(u', no multipliers) of M_d u' = force, B u' = rate."""
        p = self.independent
        drift = self.dependent_factor.solve(rate) if self.constrained else []
        right = [
            f - dot(row[p:], drift, self.zero) for f, row in zip(force, self.mass[:p], strict=True)
        ]
        independent = self._solver[0].solve(right)
        dependent = [
            dot([column[i] for column in self.complement], independent, self.zero) + drift[i]
            for i in range(self.given.dependent)
        ]
        return [*independent, *dependent], []

    def guards(self) -> list[Guard]:
        """Failure codes ``singular_mass_matrix`` and ``singular_constraints``."""
        guards = self._solver[1]
        if self.constrained:
            guards = guards + self.dependent_factor.guards("singular_constraints")
        return guards

    @cached_property
    def active_forces(self) -> Vector:
        """f_d + tau_I + W^T tau_D"""
        p = self.independent
        return [
            f + tau + dot(column, self.tau[p:], self.zero)
            for f, tau, column in zip(self.forcing[:p], self.tau[:p], self.complement, strict=True)
        ]

    @cached_property
    def acceleration(self) -> Vector:
        """u'"""
        return self.solve(self.active_forces, self.forcing[self.independent :])[0]

    def solution_derivatives(self, directions: Sequence[dict[int, int]]) -> list[Vector]:
        """Columns du' along each direction of (q, u, tau, r, parameters)."""
        p = self.independent
        right = [*self.active_forces, *self.forcing[p:]]
        residual = [
            dot(row, self.a, self.zero) - f for row, f in zip(self.mass, right, strict=True)
        ]
        at = dict(zip(nodes(self.a), nodes(self.acceleration), strict=True))
        return solution_derivatives(
            self.graph, (residual[:p], residual[p:]), at, self.solve, directions
        )

    @cached_property
    def inverse(self) -> Vector:
        """M a - f, without dependent speeds."""
        return [
            dot(row, self.a, self.zero) - f for row, f in zip(self.mass, self.forcing, strict=True)
        ]

    @cached_property
    def kinetic_energy(self) -> Expression:
        """T(q, u) of the bodies."""
        return self.read(self.given.kinetic_energy, "kinetic energy")

    @cached_property
    def reactions(self) -> Vector:
        """Forces and torques that the auxiliary equations determine, at the accelerations u'."""
        given, time = self.given, self.variables.time
        unknown = symbols(self.graph, "reaction", len(given.reactions))
        rates = [sp.diff(speed, time) for speed in self.variables.speeds]
        extra = dict(zip(given.reactions, nodes(unknown), strict=True))
        extra |= dict(zip(rates, nodes(self.acceleration), strict=True))
        self.leaves.update(extra)
        equations = [self.read(equation, "auxiliary equations") for equation in given.auxiliary]
        columns = self.jacobian(equations, unknown)
        slopes = [slope for column in columns for slope in column]
        bends = [bend for column in self.jacobian(slopes, unknown) for bend in column]
        if depends_on(self.graph, slopes, bends, self.values):
            raise ModelError(f"{self.name!r}: the auxiliary equations are not linear in the forces")
        rest = self.at_zero(equations, unknown)
        rows = [list(row) for row in zip(*columns, strict=True)]
        return OrthogonalFactor(rows, self.zero).solve([-entry for entry in rest])
