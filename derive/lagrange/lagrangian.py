"""Lagrange's equations on the graph, from the kinetic and the potential energy.

    p = dT/du,    M = dp/du,    M a + c = tau + A^T lambda
    c = p' (at a = 0) - dT/dq + dV/dq + dD/du - Q

p is one reverse sweep over T, its time derivative one forward sweep along (q, u, t)' = (u, a, 1);
SymPy differentiates nothing. Holonomic constraints phi(q, t) = 0 and nonholonomic ones
psi(q, u, t) = 0, linear in u, give

    velocity residual v(q, u, t) = (phi', psi),    A = dv/du,    A a + v'(at a = 0) = 0

References: Lanczos, *The Variational Principles of Mechanics*, chapters II and V; Ginsberg,
*Engineering Dynamics*, sections 7.2 to 7.5.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from eomc.derive.graph import Expression, Guard, reverse_gradient, symbols
from eomc.derive.lagrange.derivatives import Dynamics
from eomc.derive.lagrange.implicit import solution_derivatives
from eomc.derive.lagrange.multipliers import ConstrainedSolver, dot, lower_triangle
from eomc.derive.lagrange.probe import depends_on, null_direction
from eomc.derive.lagrange.variables import Variables
from eomc.derive.model.errors import ModelError


@dataclass(frozen=True)
class Lagrangian:
    """The scalar functions of a system, as SymPy expressions in the user's symbols."""

    kinetic_energy: Any
    potential_energy: Any
    dissipation: Any
    generalized_forces: Mapping[int, Any]
    holonomic: tuple[Any, ...]
    nonholonomic: tuple[Any, ...]


class MissingRate(ModelError):
    """The time derivative `rate` of an input is needed and not among the inputs."""

    def __init__(self, message: str, rate: sp.Basic | None) -> None:
        super().__init__(message)
        self.rate = rate


class LagrangianDerivation(Dynamics):
    """Everything that Lagrange's equations of one system consist of, made when first asked for."""

    def __init__(
        self,
        name: str,
        variables: Variables,
        functions: Lagrangian,
        symbolic: Collection[str] = (),
    ) -> None:
        super().__init__(name, variables, symbolic)
        self.given = functions
        self.kinetic = self.read(functions.kinetic_energy, "kinetic energy")
        self.potential = self.read(functions.potential_energy, "potential energy")
        self.dissipation = self.read(functions.dissipation, "dissipation")
        self.forces = [
            self.read(functions.generalized_forces.get(i, 0), f"generalized force on {name}")
            for i, name in enumerate(variables.coordinate_names)
        ]
        self.position_residual = [
            self.read(phi, f"holonomic[{i}]") for i, phi in enumerate(functions.holonomic)
        ]
        self._nonholonomic = [
            self.read(psi, f"nonholonomic[{i}]") for i, psi in enumerate(functions.nonholonomic)
        ]
        self.multipliers = symbols(self.graph, "lambda", len(self.constraint_names))
        self._check_arguments()

    def _check_arguments(self) -> None:
        if self.names_of([self.potential], self.u):
            raise ModelError(
                f"{self.name!r}: the potential energy depends on speeds; put velocity-dependent "
                "terms into the kinetic energy (L = T - V) and losses into dissipation"
            )
        for i, phi in enumerate(self.position_residual):
            if self.names_of([phi], self.u):
                raise ModelError(
                    f"{self.name!r}, holonomic[{i}]: depends on speeds; list it under nonholonomic"
                )
            if not self.names_of([phi], self.q):
                raise ModelError(f"{self.name!r}, holonomic[{i}]: depends on no coordinate")
        for i, psi in enumerate(self._nonholonomic):
            if not self.names_of([psi], self.u):
                raise ModelError(
                    f"{self.name!r}, nonholonomic[{i}]: depends on no speed; a condition on "
                    "coordinates alone is holonomic"
                )

    @property
    def constraint_names(self) -> tuple[str, ...]:
        """``holonomic_0``, ..., ``nonholonomic_0``, ... in the order of the multipliers."""
        return tuple(
            f"{kind}_{i}"
            for kind in ("holonomic", "nonholonomic")
            for i in range(len(getattr(self.given, kind)))
        )

    # -- time ------------------------------------------------------------------------------------

    def time_derivative(
        self, outputs: Sequence[Expression], what: str, a: Sequence[Expression] | None = None
    ) -> list[Expression]:
        """d/dt of functions of (q, u, t, r) along q' = u, u' = a (0 if not given), t' = 1."""
        v = self.variables
        direction = {q.node: u.node for q, u in zip(self.q, self.u, strict=True)}
        if a is not None:
            direction |= {u.node: acc.node for u, acc in zip(self.u, a, strict=True)}
        direction[self.time.node] = self.one.node
        for i in self.names_of(outputs, self.r):
            rate = v.rate(v.inputs[i])
            if rate is None or rate not in v.inputs:
                wanted = f"{v.input_names[i]}(t) and its time derivative" if rate is None else rate
                raise MissingRate(
                    f"{self.name!r}: input {v.inputs[i]} moves the {what}, so that its rate "
                    f"matters; add {wanted} to inputs",
                    rate,
                )
            direction[self.r[i].node] = self.r[v.inputs.index(rate)].node
        return self.sweep(outputs, direction)

    # -- Lagrange's equations --------------------------------------------------------------------

    def _gradient(self, function: Expression, by: Sequence[Expression]) -> list[Expression]:
        found = reverse_gradient(self.graph, function.node, [entry.node for entry in by])
        return [Expression(self.graph, node) for node in found]

    @cached_property
    def momenta(self) -> list[Expression]:
        """p = dT/du"""
        return self._gradient(self.kinetic, self.u)

    @cached_property
    def mass(self) -> list[list[Expression]]:
        """M = dp/du by rows, the lower triangle mirrored."""
        columns = self.jacobian(self.momenta, self.u)
        n = len(self.u)
        rows = [[columns[min(i, j)][max(i, j)] for j in range(n)] for i in range(n)]
        entries = [rows[i][j] for i in range(n) for j in range(i + 1)]
        if self.names_of(entries, self.u):
            slopes = [slope for column in self.jacobian(entries, self.u) for slope in column]
            if depends_on(self.graph, entries, slopes, self.known):
                raise ModelError(
                    f"{self.name!r}: the kinetic energy is not quadratic in the speeds; only "
                    "T = u^T M(q, t) u / 2 + b(q, t) u + T0(q, t) has a mass matrix"
                )
            rows = [self.at_zero(row, self.u) for row in rows]
        return rows

    @property
    def known(self) -> dict[str, float]:
        """Values for numeric probes."""
        return self.values

    @cached_property
    def gravity(self) -> list[Expression]:
        """dV/dq"""
        return self._gradient(self.potential, self.q)

    @cached_property
    def applied(self) -> list[Expression]:
        """Forces without potential: Q - dD/du."""
        losses = self._gradient(self.dissipation, self.u)
        return [force - loss for force, loss in zip(self.forces, losses, strict=True)]

    def _forces_of_motion(self, a: Sequence[Expression] | None) -> list[Expression]:
        rates = self.time_derivative(self.momenta, "kinetic energy", a)
        slopes = self._gradient(self.kinetic, self.q)
        terms = zip(rates, slopes, self.gravity, self.applied, strict=True)
        return [rate - slope + weight - force for rate, slope, weight, force in terms]

    @cached_property
    def bias(self) -> list[Expression]:
        """c(q, u)"""
        return self._forces_of_motion(None)

    @cached_property
    def inverse(self) -> list[Expression]:
        """M a + c"""
        return self._forces_of_motion(self.a)

    # -- constraints -----------------------------------------------------------------------------

    @cached_property
    def velocity_residual(self) -> list[Expression]:
        """(phi', psi)"""
        return [
            *self.time_derivative(self.position_residual, "holonomic constraints"),
            *self._nonholonomic,
        ]

    @cached_property
    def constraint_jacobian(self) -> list[list[Expression]]:
        """A = d(phi', psi)/du by rows."""
        columns = self.jacobian(self.velocity_residual, self.u)
        rows = [list(row) for row in zip(*columns, strict=True)]
        for i, row in enumerate(rows):
            if self.names_of(row, self.u):
                slopes = [slope for column in self.jacobian(row, self.u) for slope in column]
                if depends_on(self.graph, row, slopes, self.known):
                    kind, _, index = self.constraint_names[i].rpartition("_")
                    raise ModelError(
                        f"{self.name!r}, {kind}[{index}]: not linear in the speeds; only "
                        "A(q, t) u + b(q, t) = 0 can be handled"
                    )
        return rows

    @cached_property
    def constraint_bias(self) -> list[Expression]:
        """v' at a = 0: the constraints ask for A a = -constraint_bias."""
        return self.time_derivative(self.velocity_residual, "constraints")

    # -- solution --------------------------------------------------------------------------------

    @cached_property
    def solver(self) -> ConstrainedSolver:
        """M and A factored; refuses what is singular at every configuration."""
        jacobian = self.constraint_jacobian
        tied = null_direction(self.graph, _transposed(jacobian), self.known) if jacobian else None
        if tied is not None:
            names = ", ".join(self.constraint_names[i] for i in tied)
            raise ModelError(
                f"{self.name!r}: the constraints {names} depend on each other at every "
                "configuration; leave out those that the others imply"
            )
        massless = null_direction(self.graph, self.mass, self.known)
        if massless is not None:
            free = null_direction(self.graph, [*self.mass, *jacobian], self.known)
            if free is not None:
                names = ", ".join(repr(self.variables.coordinate_names[i]) for i in free)
                raise ModelError(
                    f"{self.name!r}: no kinetic energy belongs to some motion of {names}, so the "
                    "mass matrix is singular; give it inertia, or a constraint that ties it to "
                    "the rest"
                )
        return ConstrainedSolver(
            lower_triangle(self.mass),
            len(self.u),
            jacobian,
            self.zero,
            augmented=massless is not None,
        )

    def guards(self) -> list[Guard]:
        """Failure codes ``singular_mass_matrix`` and ``singular_constraints``."""
        return self.solver.guards()

    @cached_property
    def solution(self) -> tuple[list[Expression], list[Expression]]:
        """(a, lambda)"""
        force = [tau - c for tau, c in zip(self.tau, self.bias, strict=True)]
        return self.solver.solve(force, [-bias for bias in self.constraint_bias])

    def solution_derivatives(self, directions: Sequence[dict[int, int]]) -> list[list[Expression]]:
        """Columns da along each direction of (q, u, tau, r, parameters)."""
        jacobian = self.constraint_jacobian
        columns = _transposed(jacobian) if jacobian else [[] for _ in self.u]
        first = [
            force - tau - dot(column, self.multipliers, self.zero)
            for force, tau, column in zip(self.inverse, self.tau, columns, strict=True)
        ]
        second = [
            bias + dot(row, self.a, self.zero)
            for row, bias in zip(jacobian, self.constraint_bias, strict=True)
        ]
        solved = [*self.solution[0], *self.solution[1]]
        unknown = [*self.a, *self.multipliers]
        at = {x.node: value.node for x, value in zip(unknown, solved, strict=True)}
        return solution_derivatives(self.graph, (first, second), at, self.solver.solve, directions)


def _transposed(rows: Sequence[Sequence[Expression]]) -> list[list[Expression]]:
    return [list(column) for column in zip(*rows, strict=True)]
