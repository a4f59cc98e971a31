"""Constraints of a system given in SymPy: their rows, and what those ask of speeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from eomc.derive.constraints.linear import Condition, Linear, Passing, linearized, on_prescribed
from eomc.derive.graph import Expression, Graph


@dataclass(frozen=True)
class GivenRow:
    """phi(q, t) = 0 if `holonomic`, else psi(q, u, t) = 0."""

    name: str
    residual: Expression
    holonomic: bool


class GivenConditions:
    """Independent rows in the order of the multipliers, holonomic ones first."""

    def __init__(
        self,
        graph: Graph,
        rows: Sequence[GivenRow],
        u: Sequence[Expression],
        directions: Sequence[dict[int, int]],
        passing: Passing,
        prescribed: tuple[Sequence[Expression], Sequence[Expression]],
    ) -> None:
        self.graph, self.rows = graph, rows
        self._motion = u, directions, passing
        self._prescribed = prescribed

    @property
    def names(self) -> tuple[str, ...]:
        """Of all rows."""
        return tuple(row.name for row in self.rows)

    @property
    def holonomic(self) -> list[GivenRow]:
        """Rows that have a residual in q."""
        return [row for row in self.rows if row.holonomic]

    closing = holonomic
    """The same: rows that depend on others are refused."""

    @property
    def live(self) -> Sequence[GivenRow]:
        """All rows, for the same reason."""
        return self.rows

    @cached_property
    def linear(self) -> Linear:
        """Of all rows."""
        return self.linearized(self.rows)

    def linearized(self, chosen: Sequence[Condition]) -> Linear:
        """Jacobian, rates and bias of the chosen rows."""
        return linearized(self.graph, chosen, *self._motion)

    def on_prescribed(self, multipliers: Sequence[Expression]) -> list[Expression]:
        """Forces of the constraints on the prescribed coordinates."""
        return on_prescribed(self.graph, self.rows, multipliers, *self._prescribed)
