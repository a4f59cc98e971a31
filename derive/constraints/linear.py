"""Rows of constraints and their rates: J u + b = 0 and J a + gamma = 0.

J is the derivative of phi(q, t) along the tangent directions of q for a holonomic row, that of
psi(q, u, t) by u for others; gamma is the rate of J u + b at u' = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from eomc.derive.graph import Expression, ForwardSweep, Graph, constant, nodes

Entries = list[dict[int, Expression]]
"""Sparse rows: speed -> entry."""

Passing = Callable[[Sequence[Expression]], Mapping[int, int]]
"""The direction of the motion itself, as some expressions see it."""


class Condition(Protocol):
    """One scalar constraint."""

    @property
    def name(self) -> str:
        """For arrays and messages."""

    @property
    def residual(self) -> Expression:
        """phi(q, t), or psi(q, u, t)."""

    @property
    def holonomic(self) -> bool:
        """True if the residual is phi(q, t), without speeds."""


@dataclass(frozen=True)
class Linear:
    """J, J u + b and gamma of some rows."""

    jacobian: Entries
    velocity: list[Expression]
    bias: list[Expression]


def linearized(
    graph: Graph,
    chosen: Sequence[Condition],
    u: Sequence[Expression],
    directions: Sequence[Mapping[int, int]],
    passing: Passing,
) -> Linear:
    """The chosen rows in the speeds `u`, each with the rates of q at unit speed."""
    zero, one = constant(graph, 0), constant(graph, 1)
    values = [row.residual for row in chosen]
    by_q = ForwardSweep(graph, nodes(values))
    jacobian: Entries = [{} for _ in chosen]
    for speed, (rate, along) in enumerate(zip(u, directions, strict=True)):
        slopes, own_slopes = by_q(along), by_q({rate.node: one.node})
        for row, kind, slope, own in zip(jacobian, chosen, slopes, own_slopes, strict=True):
            entry = Expression(graph, slope if kind.holonomic else own)
            if not entry.is_zero:
                row[speed] = entry
    held = [row.residual for row in chosen if row.holonomic]
    rates = [Expression(graph, node) for node in by_q(passing(held))]
    velocity = [
        rate if row.holonomic else row.residual for row, rate in zip(chosen, rates, strict=True)
    ]
    bias = ForwardSweep(graph, nodes(velocity))(passing(velocity))
    return Linear(jacobian, velocity, [Expression(graph, node) + zero for node in bias])


def on_prescribed(
    graph: Graph,
    rows: Sequence[Condition],
    multipliers: Sequence[Expression],
    s: Sequence[Expression],
    s_rate: Sequence[Expression],
) -> list[Expression]:
    """Forces of the rows on the prescribed coordinates: J_s^T lambda, with J_s the derivative by s
    of holonomic rows, by s' of others."""
    zero, one = constant(graph, 0), constant(graph, 1).node
    sweep = ForwardSweep(graph, nodes([row.residual for row in rows]))
    forces = []
    for place, rate in zip(s, s_rate, strict=True):
        total, by_s, by_rate = zero, sweep({place.node: one}), sweep({rate.node: one})
        for row, a, b, force in zip(rows, by_s, by_rate, multipliers, strict=True):
            total = total + Expression(graph, a if row.holonomic else b) * force
        forces.append(total)
    return forces
