"""Derivatives of forward dynamics: with tau(q, u, a(q, u, tau)) = tau,

da/dx = -M^-1 dtau/dx  at the accelerations of forward dynamics,   da/dtau = M^-1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from eomc.derive.dynamics.elimination import TriangularFactors
from eomc.derive.dynamics.factor import Factor
from eomc.derive.graph import Expression, Graph, constant, flops
from eomc.derive.graph.columns import Columns, substituted, swept


@dataclass(frozen=True)
class ForwardPartials:
    """Columns of da/dq, da/du and da/dtau, and the pivots that must be positive."""

    by_q: Columns
    by_u: Columns
    inverse: Columns
    pivots: list[Expression]

    def operations(self, graph: Graph) -> int:
        """Additions, subtractions, products and divisions of all together."""
        columns = (*self.by_q, *self.by_u, *self.inverse, self.pivots)
        return flops(graph, [entry.node for column in columns for entry in column])


def through_factor(factor: Factor, partials: tuple[Columns, Columns]) -> ForwardPartials:
    """Column by column through M = L^T D L, from dtau/dq and dtau/du."""
    n = len(factor.pivots)
    units = [[pivot * 0 + int(i == k) for i, pivot in enumerate(factor.pivots)] for k in range(n)]
    inverse = [factor.solve(unit) for unit in units]
    by_q, by_u = (solved(factor, columns) for columns in partials)
    return ForwardPartials(by_q, by_u, inverse, list(factor.pivots))


def solved(factor: Factor | TriangularFactors, columns: Columns) -> Columns:
    """-M^-1 times each column."""
    return [[-entry for entry in factor.solve(column)] for column in columns]


def with_loads(columns: Columns, inverse: Columns, loads: Columns) -> Columns:
    """Columns plus M^-1 times the columns of the loads."""
    result = []
    for column, load in zip(columns, loads, strict=True):
        total = column
        for k, force in enumerate(load):
            if not force.is_zero:
                total = [a + b * force for a, b in zip(total, inverse[k], strict=True)]
        result.append(total)
    return result


class Directions(Protocol):
    """Directions of q, speeds and accelerations by which inverse dynamics is differentiated."""

    @property
    def graph(self) -> Graph:
        """All expressions are nodes of it."""

    @property
    def u(self) -> list[Expression]:
        """Speeds."""

    @property
    def a(self) -> list[Expression]:
        """Rates of the speeds."""

    def directions(self) -> list[dict[int, int]]:
        """Columns of q' = G(q) u, each a map coordinate -> rate."""


def swept_at(
    given: Directions,
    tau: Sequence[Expression],
    along: Sequence[Mapping[int, int]],
    a: Sequence[Expression],
) -> Columns:
    """Derivatives of tau(q, u, a) along each direction, at the accelerations `a`."""
    columns = swept(given.graph, tau, along)
    at = {x.node: y.node for x, y in zip(given.a, a, strict=True) if x.node != y.node}
    return substituted(given.graph, columns, at) if at else columns


def swept_partials(
    given: Directions, tau: Sequence[Expression], a: Sequence[Expression]
) -> tuple[Columns, Columns]:
    """Columns of dtau/dq and dtau/du at the accelerations `a`, by sweeps over tau(q, u, a)."""
    by_q = swept_at(given, tau, given.directions(), a)
    one = constant(given.graph, 1).node
    return by_q, swept_at(given, tau, [{u.node: one} for u in given.u], a)
