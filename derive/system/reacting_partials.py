"""Derivatives of a motion under forces that depend on reactions, by the implicit function theorem.

At the solution, with Q(q, u, a, lambda) = sum_j d_j Q_j,

    (M - dQ/da) da - (G^T + dQ/dlambda) dlambda = f,      G da = -g

Without constraints M - dQ/da is factored as it is. On constraints the answers (da_j, dlambda_j) of
the held mechanism to each d_j are known from forward dynamics: with (da_0, dlambda_0) that to f
and g without these forces, the forces eta_j = dQ_j of the answer obey a small system,

    (1 - L) eta = dQ (da_0, dlambda_0),      L_ij = dQ_i (da_j, dlambda_j)

and the transposed equations, which gradients ask for,

    (M - dQ/da)^T x - G^T y = w,      G x + (dQ/dlambda)^T x = -g

likewise by the answers to dQ_j/da and dQ_j/dlambda (Sherman, Morrison and Woodbury: Golub and Van
Loan, *Matrix Computations*, sec. 2.1.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from eomc.derive.dynamics.articulated import ArticulatedSolution, Held
from eomc.derive.dynamics.elimination import TriangularFactors, eliminate
from eomc.derive.dynamics.forward_partials import ForwardPartials, solved
from eomc.derive.graph import Expression
from eomc.derive.graph.columns import Columns, substituted, swept
from eomc.derive.system.reacting import multiplier_symbols, responses

if TYPE_CHECKING:
    from eomc.derive.system.system import System


def acceleration_rows(system: System, a: Sequence[Expression]) -> list[list[Expression]]:
    """M - dQ/da at given accelerations, as full rows."""
    n, zero = system.nu, system.zero
    one = zero + 1
    rows = [[system.mass.get((max(i, j), min(i, j)), zero) for j in range(n)] for i in range(n)]
    if not system.reacting:
        return rows
    units = [{x.node: one.node} for x in system.a]
    slopes = swept(system.graph, system.reacted(system.a).free, units)
    at = {x.node: y.node for x, y in zip(system.a, a, strict=True) if x.node != y.node}
    columns = substituted(system.graph, slopes, at)
    return [[entry - columns[j][i] for j, entry in enumerate(row)] for i, row in enumerate(rows)]


def multiplier_columns(system: System) -> Columns:
    """dQ/dlambda, a column a multiplier, in the symbols a and ``multipliers``."""
    one = (system.zero + 1).node
    along = [{symbol.node: one} for symbol in multiplier_symbols(system).values()]
    return swept(system.graph, system.reacted(system.a).free, along)


def effective(system: System) -> TriangularFactors:
    """M - dQ/da at the accelerations of forward dynamics."""
    return eliminate(acceleration_rows(system, system.forward_factored.acceleration))


def forward_partials(system: System) -> ForwardPartials:
    """-(M - dQ/da)^-1 times the derivatives of inverse dynamics, and that inverse itself."""
    factor = system.effective
    by_q, by_u = system.partials(system.forward_factored.acceleration)
    n = system.nu
    units = [[system.zero + int(i == k) for i in range(n)] for k in range(n)]
    return ForwardPartials(
        solved(factor, by_q),
        solved(factor, by_u),
        [factor.solve(unit) for unit in units],
        [*system.forward_factored.pivots],
    )


class HeldAnswers:
    """Answers of a held mechanism to small forces, in the symbols a and ``multipliers``."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.answers = responses(system)
        pairs = zip(system.reacting, system.reacting_laws, strict=True)
        known = [(entry.unit.free, law) for entry, law in pairs if entry.moves]
        self.units, self.laws = [unit for unit, _ in known], [law for _, law in known]

    @cached_property
    def _factor(self) -> TriangularFactors:
        """1 - L"""
        along = [self._along(each) for each in self.answers]
        return _less_than_one(swept(self.system.graph, self.laws, along))

    @cached_property
    def _back(self) -> list[ArticulatedSolution]:
        """Answers to dQ_j/da and dQ_j/dlambda."""
        system, rows = self.system, self.system.held.rows
        one = (system.zero + 1).node
        symbolic = [*system.a, *multiplier_symbols(system).values()]
        columns = swept(system.graph, self.laws, [{x.node: one} for x in symbolic])
        found = []
        for j in range(len(self.laws)):
            slopes = [column[j] for column in columns]
            found.append(system.respond(slopes[: system.nu], Held(rows, slopes[system.nu :])))
        return found

    @cached_property
    def _back_factor(self) -> TriangularFactors:
        return _less_than_one([self._met(each.acceleration) for each in self._back])

    def _met(self, x: Sequence[Expression]) -> list[Expression]:
        """d_j^T x"""
        found = []
        for unit in self.units:
            total = self.system.zero
            for share, entry in zip(unit, x, strict=True):
                total = total + share * entry
            found.append(total)
        return found

    def _along(self, found: ArticulatedSolution) -> dict[int, int]:
        system = self.system
        pairs = [*zip(system.a, found.acceleration, strict=True)]
        pairs += zip(multiplier_symbols(system).values(), found.multipliers, strict=True)
        return {symbol.node: share.node for symbol, share in pairs}

    def to(self, tau: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """(da, dlambda) of forces and of what rows ask of accelerations."""
        found = self.system.respond(tau, held)
        (own,) = swept(self.system.graph, self.laws, [self._along(found)])
        return _with(found, self._factor.solve(own), self.answers)

    def back(self, weights: Sequence[Expression], held: Held) -> ArticulatedSolution:
        """(x, y) of the transposed equations."""
        found = self.system.respond(weights, held)
        return _with(found, self._back_factor.solve(self._met(found.acceleration)), self._back)


def _less_than_one(columns: Columns) -> TriangularFactors:
    """1 - L, by the columns of L."""
    count = range(len(columns))
    return eliminate([[int(i == j) - columns[j][i] for j in count] for i in count])


def _with(
    found: ArticulatedSolution, forces: Sequence[Expression], answers: Sequence[ArticulatedSolution]
) -> ArticulatedSolution:
    acceleration, multipliers = list(found.acceleration), list(found.multipliers)
    for eta, answer in zip(forces, answers, strict=True):
        acceleration = _more(acceleration, eta, answer.acceleration)
        multipliers = _more(multipliers, eta, answer.multipliers)
    return ArticulatedSolution(acceleration, found.pivots, multipliers)


def _more(
    values: Sequence[Expression], eta: Expression, shares: Sequence[Expression]
) -> list[Expression]:
    return [value + eta * share for value, share in zip(values, shares, strict=True)]
