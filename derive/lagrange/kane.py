"""Kane's equations, as `sympy.physics.mechanics.KanesMethod` forms them, solved on the graph.

    q' = G(q) u + g(q, t),    M u' = f + tau + A^T lambda,    phi(q, t) = 0,    A u + b = 0

M and f are those of all speeds, as if none depended on others; the method's equations of the
independent speeds are these projected on the motions that the constraints allow, so that both have
the same accelerations. Of its velocity constraints those stay that the rates of its configuration
constraints do not imply.

Reference: Kane and Levinson, *Dynamics: Theory and Applications*, sections 4.11 and 6.1.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sp

from eomc.derive.dynamics.articulated import Held
from eomc.derive.graph import Expression, nodes, symbols
from eomc.derive.graph.columns import swept
from eomc.derive.lagrange.conditions import GivenConditions, GivenRow
from eomc.derive.lagrange.formulation import SymbolicFormulation, Vector
from eomc.derive.lagrange.multipliers import dot
from eomc.derive.lagrange.orthogonal import OrthogonalFactor
from eomc.derive.lagrange.probe import depends_on, independent_rows
from eomc.derive.lagrange.variables import Variables
from eomc.derive.language.errors import ModelError


@dataclass(frozen=True)
class KaneEquations:
    """Matrices, rates, constraints and energies of a `KanesMethod`, as SymPy expressions.

    `mass_matrix` and `forcing` have one row a speed; `dependent` counts the speeds that depend on
    others, by the constraints `configuration` and `velocity`. `auxiliary` are the auxiliary
    equations in the unknowns `reactions`; `zero` are the auxiliary speeds, which are zero in all
    motion. Energies are None where they are not known.
    """

    mass_matrix: Sequence[Sequence[Any]]
    forcing: Sequence[Any]
    rates: Mapping[sp.Basic, Any]
    dependent: int = 0
    configuration: Sequence[Any] = ()
    velocity: Sequence[Any] = ()
    kinetic_energy: Any = None
    potential_energy: Any = None
    auxiliary: Sequence[Any] = ()
    reactions: Sequence[sp.Basic] = ()
    zero: Sequence[sp.Basic] = field(default=())


class KaneDerivation(SymbolicFormulation):
    """The equations of one method on a graph."""

    def __init__(
        self, name: str, variables: Variables, given: KaneEquations, symbolic: Collection[str]
    ) -> None:
        super().__init__(name, variables, symbolic)
        self.given = given
        for speed in given.zero:
            self.leaves[speed] = self.leaves[sp.diff(speed, variables.time)] = self.zero.node
        self._rates = [
            self.read(given.rates[sp.diff(q, variables.time)], "kinematic equations")
            for q in variables.coordinates
        ]
        if self.names_of(self._rates, [*self.s, *self.s_rate]):
            raise ModelError(
                f"{self.name!r}: the kinematic equations hold prescribed coordinates; give these "
                "as inputs"
            )
        for q, rate in zip(variables.coordinates, self._rates, strict=True):
            self.leaves[sp.diff(q, variables.time)] = rate.node
        self._mass = [
            [self.read(entry, "mass matrix") for entry in row] for row in given.mass_matrix
        ]
        self.forcing = [self.read(entry, "forcing") for entry in given.forcing]

    @property
    def rates(self) -> Vector:
        """q' = G(q) u + g"""
        return self._rates

    @property
    def mass_rows(self) -> list[Vector]:
        """M of all speeds."""
        return self._mass

    def forces_at(self, a: Sequence[Expression]) -> Vector:
        """M a - f"""
        return [
            dot(row, a, self.zero) - force
            for row, force in zip(self.mass_rows, self.forcing, strict=True)
        ]

    @cached_property
    def uses_time(self) -> bool:
        """True if time stands explicitly in rates, M, forcing or constraints."""
        given = [*self.rates, *self.forcing, *(entry for row in self._mass for entry in row)]
        given += [row.residual for row in self.rows]
        return bool(self.names_of(given, [self.time]))

    @property
    def displacements(self) -> list[str]:
        """Names of the tangent displacements: of the coordinate whose rate the speed is."""
        own = dict(zip(nodes(self.rates), self.coordinate_names, strict=True))
        named = zip(nodes(self.u), self.speed_names, strict=True)
        return [own.get(node, f"displacement({name})") for node, name in named]

    # -- constraints -----------------------------------------------------------------------------

    @cached_property
    def rows(self) -> list[GivenRow]:
        """``configuration_0``, ..., ``velocity_0``, ... in the order of the multipliers."""
        held = [
            GivenRow(f"configuration_{i}", self.read(phi, "configuration constraints"), True)
            for i, phi in enumerate(self.given.configuration)
        ]
        rates = [
            GivenRow(f"velocity_{i}", self.read(psi, "velocity constraints"), False)
            for i, psi in enumerate(self.given.velocity)
        ]
        if not (held and rates):
            return rates
        every = [*held, *rates]
        motion = self.u, self.directions(), self.passing
        found = GivenConditions(self.graph, every, *motion, (self.s, self.s_rate))
        slopes = self.jacobian([row.residual for row in held], self.q)
        kept = independent_rows(
            self.graph,
            self._dense(Held(found.linear.jacobian)),
            ([row.residual for row in held], slopes),
            self.q,
            self.values,
        )
        return [every[i] for i in kept] if len(kept) == len(rates) else rates

    # -- energies --------------------------------------------------------------------------------

    @cached_property
    def kinetic_energy(self) -> Expression:
        """T(q, u) of the bodies."""
        return self.read(self.given.kinetic_energy, "kinetic energy")

    @cached_property
    def potential_energy(self) -> Expression:
        """V(q) of the bodies."""
        return self.read(self.given.potential_energy, "potential energy")

    @cached_property
    def gravity(self) -> Vector:
        """Gradient of the potential along the speeds."""
        return [slope for (slope,) in swept(self.graph, [self.potential_energy], self.directions())]

    @cached_property
    def auxiliary(self) -> tuple[tuple[str, ...], Vector]:
        """Forces and torques that the auxiliary equations determine, at the accelerations u'."""
        given, time = self.given, self.variables.time
        unknown = symbols(self.graph, "reaction", len(given.reactions))
        rates = [sp.diff(speed, time) for speed in self.variables.speeds]
        extra = dict(zip(given.reactions, nodes(unknown), strict=True))
        extra |= dict(zip(rates, nodes(self.forward.acceleration), strict=True))
        self.leaves.update(extra)
        equations = [self.read(equation, "auxiliary equations") for equation in given.auxiliary]
        columns = self.jacobian(equations, unknown)
        slopes = [slope for column in columns for slope in column]
        bends = [bend for column in self.jacobian(slopes, unknown) for bend in column]
        if depends_on(self.graph, slopes, bends, self.values):
            raise ModelError(f"{self.name!r}: the auxiliary equations are not linear in the forces")
        rest = self.at_zero(equations, unknown)
        rows = [list(row) for row in zip(*columns, strict=True)]
        forces = OrthogonalFactor(rows, self.zero).solve([-entry for entry in rest])
        return tuple(str(force.func) for force in given.reactions), forces
