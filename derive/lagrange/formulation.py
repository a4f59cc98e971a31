"""Equations of motion given in SymPy, solved on the graph.

    q' = G(q) u + g(q, t),    M a + c = tau + A^T lambda,    A u + b = 0

A subclass says what M, c, G and the constraints are. Where q' is not u, configurations are
displaced by q + G(q) du, and a motion's tangent displacements xi, dq = G xi, change by

    xi' = du + W xi,    G W = d(q')/dq G - G'.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any

import sympy as sp

from eomc.derive.dynamics.articulated import ArticulatedSolution, Held
from eomc.derive.dynamics.factor import Factor
from eomc.derive.dynamics.forward import FACTORED, ForwardDynamics
from eomc.derive.dynamics.forward_partials import ForwardPartials, swept_partials, through_factor
from eomc.derive.dynamics.inverse import GeneralizedForces
from eomc.derive.graph import Expression, nodes, reverse_gradient, symbols
from eomc.derive.graph.columns import Columns, substituted, swept
from eomc.derive.graph.rotations import rotations
from eomc.derive.lagrange.conditions import GivenConditions, GivenRow
from eomc.derive.lagrange.derivation import Derivation
from eomc.derive.lagrange.multipliers import ConstrainedSolver, lower_triangle
from eomc.derive.lagrange.orthogonal import OrthogonalFactor
from eomc.derive.lagrange.probe import depends_on, null_direction
from eomc.derive.language.errors import ModelError

Vector = list[Expression]
Rows = list[Vector]


class MissingRate(ModelError):
    """The time derivative `rate` of an input is needed and not among the inputs."""

    def __init__(self, message: str, rate: sp.Basic | None) -> None:
        super().__init__(message)
        self.rate = rate


class SymbolicFormulation(Derivation):
    """Formulation of the motion by M, c, the rates of q and the constraints."""

    # -- what is given ---------------------------------------------------------------------------

    @property
    @abstractmethod
    def rates(self) -> Vector:
        """q' = G(q) u + g"""

    @property
    @abstractmethod
    def mass_rows(self) -> Rows:
        """M, symmetric."""

    @abstractmethod
    def forces_at(self, a: Sequence[Expression]) -> Vector:
        """M a + c"""

    kinetic_energy: Any
    """T(q, u), if it is known."""

    @property
    @abstractmethod
    def rows(self) -> list[GivenRow]:
        """Constraints, holonomic ones first."""

    @property
    @abstractmethod
    def uses_time(self) -> bool:
        """True if time stands explicitly in the equations."""

    # -- the motion ------------------------------------------------------------------------------

    @cached_property
    def speeds_are_rates(self) -> bool:
        """True if q' = u."""
        return nodes(self.rates) == nodes(self.u)

    def coordinate_rates(self) -> Vector:
        """q' = G(q) u + g"""
        return self.rates

    @cached_property
    def _columns(self) -> Columns:
        """G(q) by columns."""
        return self.jacobian(self.rates, self.u)

    def directions(self) -> list[dict[int, int]]:
        """Columns of G(q), each a map coordinate -> rate."""
        return [
            {q.node: rate.node for q, rate in zip(self.q, column, strict=True) if not rate.is_zero}
            for column in self._columns
        ]

    def passing(self, outputs: Sequence[Expression]) -> dict[int, int]:
        """Direction of the motion itself: q' = G u + g, t' = 1, the prescribed motion, and inputs
        that the outputs hold."""
        v = self.variables
        along = {q.node: rate.node for q, rate in zip(self.q, self.rates, strict=True)}
        along[self.time.node] = self.one.node
        along |= dict(zip(nodes(self.s), nodes(self.s_rate), strict=True))
        along |= dict(zip(nodes(self.s_rate), nodes(self.s_acceleration), strict=True))
        for i in self.names_of(outputs, self.r):
            rate = v.rate(v.inputs[i])
            if rate is None or rate not in v.inputs:
                wanted = f"{v.input_names[i]}(t) and its time derivative" if rate is None else rate
                raise MissingRate(
                    f"{self.name!r}: input {v.inputs[i]} moves an energy or a constraint, so that "
                    f"its rate matters; add {wanted} to inputs",
                    rate,
                )
            along[self.r[i].node] = self.r[v.inputs.index(rate)].node
        return along

    def integrated(self, q: Sequence[Expression], du: Sequence[Expression]) -> Vector:
        """q + G(q) du"""
        steps = [du] if self.speeds_are_rates else self._at(q, self._stepped(du))
        return [start + step for start, step in zip(q, steps[0], strict=True)]

    def _stepped(self, du: Sequence[Expression]) -> Columns:
        step = [self.zero] * self.nq
        for column, amount in zip(self._columns, du, strict=True):
            step = [x + entry * amount for x, entry in zip(step, column, strict=True)]
        return [step]

    def displacement(self, q0: Sequence[Expression], q1: Sequence[Expression]) -> Vector:
        """du of q1 = q0 + G(q0) du; by least squares where q has more entries than u."""
        change = [end - start for start, end in zip(q0, q1, strict=True)]
        if self.speeds_are_rates:
            return change
        step = symbols(self.graph, "step", self.nq)
        found = self._at(q0, [self._displacements(step)])
        at = dict(zip(nodes(step), nodes(change), strict=True))
        return substituted(self.graph, found, at)[0]

    @cached_property
    def _tangent(self) -> OrthogonalFactor:
        """Columns of G(q) of the speeds that move coordinates, ready to solve with."""
        columns = [self._columns[k] for k in self._moving]
        return OrthogonalFactor([list(row) for row in zip(*columns, strict=True)], self.zero)

    @cached_property
    def _moving(self) -> list[int]:
        """Speeds that move a coordinate; nothing depends on the displacements of the others."""
        return [
            k
            for k, column in enumerate(self._columns)
            if not all(entry.is_zero for entry in column)
        ]

    def _displacements(self, change: Vector) -> Vector:
        """xi with G xi = change, zero of speeds that move no coordinate."""
        found = dict(zip(self._moving, self._tangent.solve(change), strict=True))
        return [found.get(k, self.zero) for k in range(self.nu)]

    def _at(self, q: Sequence[Expression], columns: Columns) -> Columns:
        return substituted(self.graph, columns, dict(zip(nodes(self.q), nodes(q), strict=True)))

    def normalized(self, q: Sequence[Expression]) -> Vector:
        """q itself: nothing is known of a manifold that it lies on."""
        return list(q)

    @cached_property
    def transport(self) -> tuple[Rows, Rows]:
        """(W, W')"""
        n = range(self.nu)
        if self.speeds_are_rates:
            rest = [[self.zero for _ in n] for _ in n]
            return rest, rest
        moved = swept(self.graph, self.rates, self.directions())
        flat = [entry for column in self._columns for entry in column]
        (turned,) = swept(self.graph, flat, [self.passing(flat)])
        columns = []
        for k, change in enumerate(moved):
            own = turned[k * self.nq : (k + 1) * self.nq]
            columns.append(self._displacements([x - y for x, y in zip(change, own, strict=True)]))
        entries = [columns[k][i] for i in n for k in n]
        along = self.passing(entries) | dict(zip(nodes(self.u), nodes(self.a), strict=True))
        (rates,) = swept(self.graph, entries, [along])
        w, w_rate = (
            [values[i * self.nu : (i + 1) * self.nu] for i in n] for values in (entries, rates)
        )
        return w, w_rate

    # -- dynamics --------------------------------------------------------------------------------

    @cached_property
    def inverse(self) -> GeneralizedForces:
        """M a + c"""
        return GeneralizedForces(self.forces_at(self.a), [])

    @cached_property
    def bias(self) -> GeneralizedForces:
        """c(q, u)"""
        return GeneralizedForces(self.forces_at([self.zero] * self.nu), [])

    @cached_property
    def mass(self) -> dict[tuple[int, int], Expression]:
        """Lower triangle of M."""
        return lower_triangle(self.mass_rows)

    def partials(self, a: Sequence[Expression]) -> tuple[Columns, Columns]:
        """Columns of d(M a + c)/dq, along the directions, and d(M a + c)/du."""
        return swept_partials(self, self.inverse.free, a)

    def acceleration_rows(self, a: Sequence[Expression]) -> Rows:
        """M; no force depends on accelerations."""
        n, zero = self.nu, self.zero
        return [[self.mass.get((max(i, j), min(i, j)), zero) for j in range(n)] for i in range(n)]

    @property
    def effective(self) -> Factor:
        """M"""
        return self.factor

    @cached_property
    def forward_partials(self) -> ForwardPartials:
        """Derivatives of the accelerations, without constraints."""
        return through_factor(self.factor, self.partials(self.forward_factored.acceleration))

    # -- constraints -----------------------------------------------------------------------------

    @cached_property
    def is_constrained(self) -> bool:
        """True if there are constraints."""
        return bool(self.rows)

    @cached_property
    def constraints(self) -> GivenConditions:
        """All rows; refuses those that are not linear in the speeds."""
        motion = self.u, self.directions(), self.passing
        found = GivenConditions(self.graph, self.rows, *motion, (self.s, self.s_rate))
        for row, entries in zip(found.rows, found.linear.jacobian, strict=True):
            slopes = list(entries.values())
            if self.names_of(slopes, self.u):
                bends = [bend for column in self.jacobian(slopes, self.u) for bend in column]
                if depends_on(self.graph, slopes, bends, self.values):
                    kind, _, place = row.name.rpartition("_")
                    raise ModelError(
                        f"{self.name!r}, {kind}[{place}]: not linear in the speeds; only "
                        "A(q, t) u + b(q, t) = 0 can be handled"
                    )
        return found

    @cached_property
    def _jacobian(self) -> Rows:
        """A by rows."""
        return self._dense(Held(self.constraints.linear.jacobian)) if self.is_constrained else []

    def _dense(self, held: Held) -> Rows:
        return [[row.get(k, self.zero) for k in range(self.nu)] for row in held.rows]

    @cached_property
    def _tied(self) -> Rows:
        """A, if M is singular without it; refuses what is singular at every configuration."""
        jacobian, known = self._jacobian, self.values
        columns = [list(column) for column in zip(*jacobian, strict=True)]
        dependent = null_direction(self.graph, columns, known) if jacobian else None
        if dependent is not None:
            names = ", ".join(self.constraints.names[i] for i in dependent)
            raise ModelError(
                f"{self.name!r}: the constraints {names} depend on each other at every "
                "configuration: leave out those that the others imply, and correct those that "
                "contradict the others"
            )
        if null_direction(self.graph, self.mass_rows, known) is None:
            return []
        free = null_direction(self.graph, [*self.mass_rows, *jacobian], known)
        if free is not None:
            names = ", ".join(repr(self.speed_names[i]) for i in free)
            raise ModelError(
                f"{self.name!r}: no kinetic energy belongs to some motion of {names}, so the "
                "mass matrix is singular; give it inertia, or a constraint that ties it to "
                "the rest"
            )
        return jacobian

    @cached_property
    def _solvers(self) -> dict[tuple[tuple[int, ...], ...], ConstrainedSolver]:
        return {}

    def _solver(self, rows: Rows) -> ConstrainedSolver:
        key = tuple(nodes(row) for row in rows)
        if key not in self._solvers:
            self._solvers[key] = ConstrainedSolver(
                self.mass, self.nu, rows, self.zero, tied=self._tied
            )
        return self._solvers[key]

    @cached_property
    def factor(self) -> Factor:
        """M, ready to solve with."""
        return self._solver([]).factor

    @cached_property
    def solution(self) -> ArticulatedSolution:
        """Accelerations and multipliers under tau."""
        if not self.is_constrained:
            return self.articulated(Held())
        linear = self.constraints.linear
        return self.articulated(Held(linear.jacobian, linear.bias))

    @cached_property
    def forward_factored(self) -> ForwardDynamics:
        """Accelerations under tau."""
        found = self.solution
        return ForwardDynamics(FACTORED, found.acceleration, found.pivots)

    @property
    def forward(self) -> ForwardDynamics:
        """The same, where there is no other way."""
        return self.forward_factored

    @property
    def superposed(self) -> Mapping[int, int]:
        """None: nothing is found twice."""
        return {}

    def articulated(self, held: Held) -> ArticulatedSolution:
        """Accelerations and multipliers under tau with the accelerations held as told."""
        force = [tau - c for tau, c in zip(self.tau, self.bias.free, strict=True)]
        return self.respond(force, held)

    def respond(self, tau: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """Accelerations and multipliers of M a = tau + A^T lambda."""
        solver = self._solver(self._dense(held))
        a, multipliers = solver.solve(tau, [-entry for entry in held.bias])
        return ArticulatedSolution(a, solver.pivots, multipliers)

    def answer(self, tau: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """The same of small changes."""
        return self.respond(tau, held)

    def answer_back(self, weights: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """The same, as the equations are symmetric."""
        return self.respond(weights, held)

    def loads_by_two_speeds(self) -> None:
        """Not told apart from the forces of inertia."""

    @property
    def reacts(self) -> bool:
        """No force depends on reactions."""
        return False

    def is_rheonomic(self, traits: Collection[str]) -> bool:
        """True if the kinetic energy is known and has parts beside u^T M u / 2 where the prescribed
        coordinates rest."""
        if "kinetic energy" not in traits:
            return False
        (energy,) = self.at_zero([self.kinetic_energy], self.s_rate)
        rest = self.at_zero([energy, *self._gradient(energy, self.u)], self.u)
        return depends_on(self.graph, [energy], rest, self.values)

    # -- gradients -------------------------------------------------------------------------------

    def _gradient(self, function: Expression, by: Sequence[Expression]) -> Vector:
        found = reverse_gradient(self.graph, function.node, nodes(by), rotations)
        return [Expression(self.graph, node) for node in found]
