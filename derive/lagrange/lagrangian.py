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

from eomc.derive.dynamics.forward import ARTICULATED, ForwardDynamics
from eomc.derive.dynamics.inverse import GeneralizedForces
from eomc.derive.graph import Expression, nodes
from eomc.derive.graph.eliminate import solve_hessian
from eomc.derive.graph.hessian import hessian
from eomc.derive.lagrange.conditions import GivenRow
from eomc.derive.lagrange.formulation import SymbolicFormulation
from eomc.derive.lagrange.probe import depends_on
from eomc.derive.lagrange.variables import Variables
from eomc.derive.language.errors import ModelError


@dataclass(frozen=True)
class Lagrangian:
    """The scalar functions of a system, as SymPy expressions in the user's symbols."""

    kinetic_energy: Any
    potential_energy: Any
    dissipation: Any
    generalized_forces: Mapping[int, Any]
    holonomic: tuple[Any, ...]
    nonholonomic: tuple[Any, ...]


class LagrangianDerivation(SymbolicFormulation):
    """Everything that Lagrange's equations of one system consist of, made when first asked for."""

    def __init__(
        self, name: str, variables: Variables, functions: Lagrangian, symbolic: Collection[str] = ()
    ) -> None:
        super().__init__(name, variables, symbolic)
        self.given = functions
        self.kinetic_energy = self.read(functions.kinetic_energy, "kinetic energy")
        self.potential_energy = self.read(functions.potential_energy, "potential energy")
        self.dissipation = self.read(functions.dissipation, "dissipation")
        names = (*variables.coordinate_names, *variables.prescribed_names)
        every = [
            self.read(functions.generalized_forces.get(i, 0), f"generalized force on {name}")
            for i, name in enumerate(names)
        ]
        self.forces, self.forces_on_prescribed = every[: self.nq], every[self.nq :]
        self.position_residual = [
            self.read(phi, f"holonomic[{i}]") for i, phi in enumerate(functions.holonomic)
        ]
        self._nonholonomic = [
            self.read(psi, f"nonholonomic[{i}]") for i, psi in enumerate(functions.nonholonomic)
        ]
        self._check_arguments()

    def _check_arguments(self) -> None:
        if self.names_of([self.kinetic_energy], self.s_acceleration):
            raise ModelError(f"{self.name!r}: the kinetic energy depends on accelerations")
        if self.names_of([self.potential_energy], [*self.u, *self.s_rate]):
            raise ModelError(
                f"{self.name!r}: the potential energy depends on speeds; put velocity-dependent "
                "terms into the kinetic energy (L = T - V) and losses into dissipation"
            )
        for i, phi in enumerate(self.position_residual):
            if self.names_of([phi], [*self.u, *self.s_rate]):
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

    @cached_property
    def rows(self) -> list[GivenRow]:
        """``holonomic_0``, ..., ``nonholonomic_0``, ... in the order of the multipliers."""
        kinds = (("holonomic", self.position_residual), ("nonholonomic", self._nonholonomic))
        return [
            GivenRow(f"{kind}_{i}", residual, kind == "holonomic")
            for kind, residuals in kinds
            for i, residual in enumerate(residuals)
        ]

    @property
    def rates(self) -> list[Expression]:
        """q' = u"""
        return self.u

    @cached_property
    def uses_time(self) -> bool:
        """True if time stands explicitly in energies, dissipation, forces or constraints."""
        given = [self.kinetic_energy, self.potential_energy, self.dissipation, *self.forces]
        given += [row.residual for row in self.rows]
        return bool(self.names_of(given, [self.time]))

    # -- Lagrange's equations --------------------------------------------------------------------

    @cached_property
    def momenta(self) -> list[Expression]:
        """p = dT/du"""
        return self._gradient(self.kinetic_energy, self.u)

    @cached_property
    def mass_rows(self) -> list[list[Expression]]:
        """M = d2T/du2 by rows."""
        n = len(self.u)
        found = hessian(self.graph, self.kinetic_energy.node, nodes(self.u))
        if found is not None:
            rows = [[Expression(self.graph, entry) for entry in row] for row in found]
        else:
            columns = self.jacobian(self.momenta, self.u)
            rows = [[columns[min(i, j)][max(i, j)] for j in range(n)] for i in range(n)]
        entries = [rows[i][j] for i in range(n) for j in range(i + 1)]
        if self.names_of(entries, self.u):
            slopes = [slope for column in self.jacobian(entries, self.u) for slope in column]
            if depends_on(self.graph, entries, slopes, self.values):
                raise ModelError(
                    f"{self.name!r}: the kinetic energy is not quadratic in the speeds; only "
                    "T = u^T M(q, t) u / 2 + b(q, t) u + T0(q, t) has a mass matrix"
                )
            rows = [self.at_zero(row, self.u) for row in rows]
        return rows

    @cached_property
    def gravity(self) -> list[Expression]:
        """dV/dq"""
        return self._gradient(self.potential_energy, self.q)

    @cached_property
    def applied(self) -> GeneralizedForces:
        """Forces without potential: Q - dD/du."""
        pairs = ((self.forces, self.u), (self.forces_on_prescribed, self.s_rate))
        free, prescribed = (
            [
                force - loss
                for force, loss in zip(forces, self._gradient(self.dissipation, rates), strict=True)
            ]
            for forces, rates in pairs
        )
        return GeneralizedForces(free, prescribed)

    @cached_property
    def forward(self) -> ForwardDynamics:
        """Accelerations under tau, by the mass matrix or without forming it, as is cheaper."""
        factored = self.forward_factored
        if self.is_constrained or self._tied:
            return factored
        force = [tau - c for tau, c in zip(self.tau, self.bias.free, strict=True)]
        energy, (u, right) = self.kinetic_energy.node, (nodes(self.u), nodes(force))
        found = solve_hessian(self.graph, energy, u, right)
        if found is None:
            return factored
        x, pivots = ([Expression(self.graph, node) for node in array] for array in found)
        eliminated = ForwardDynamics(ARTICULATED, x, pivots)
        return min(factored, eliminated, key=lambda way: way.operations)

    def forces_at(self, a: Sequence[Expression]) -> list[Expression]:
        """p' - dT/dq + dV/dq + dD/du - Q, with p' along (q, u, t)' = (u, a, 1)."""
        return self._taken(a, self.q, self.u, self.forces)

    def prescribed_at(
        self, a: Sequence[Expression], multipliers: Sequence[Expression] | None = None
    ) -> list[Expression]:
        """The same of the prescribed coordinates."""
        return self._taken(a, self.s, self.s_rate, self.forces_on_prescribed)

    def _taken(
        self,
        a: Sequence[Expression],
        q: Sequence[Expression],
        u: Sequence[Expression],
        forces: Sequence[Expression],
    ) -> list[Expression]:
        """Of the coordinates `q` with the rates `u` and the generalized forces on them."""
        momenta = self._gradient(self.kinetic_energy, u)
        along = self.passing(momenta) | dict(zip(nodes(self.u), nodes(a), strict=True))
        rates = self.sweep(momenta, along)
        slopes = self._gradient(self.kinetic_energy, q)
        weights = self._gradient(self.potential_energy, q)
        losses = self._gradient(self.dissipation, u)
        terms = zip(rates, slopes, weights, losses, forces, strict=True)
        return [
            rate - slope + weight - (force - loss) for rate, slope, weight, loss, force in terms
        ]
