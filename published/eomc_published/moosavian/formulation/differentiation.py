"""Partial and directional derivatives of scalars and vectors of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.geometry import Vector
from eomc.derive.graph import Expression, ForwardSweep, nodes, reverse_gradient


class Derivatives:
    """Derivatives of fixed `outputs`, each direction one sweep."""

    def __init__(self, outputs: Sequence[Expression]) -> None:
        self.graph = outputs[0].graph
        self._sweep = ForwardSweep(self.graph, nodes(outputs))

    def along(self, direction: Mapping[Expression, Expression]) -> list[Expression]:
        """sum over symbols s of d(outputs)/ds * direction[s]"""
        tangent = {s.node: rate.node for s, rate in direction.items()}
        return [Expression(self.graph, node) for node in self._sweep(tangent)]

    def by(self, symbol: Expression) -> list[Expression]:
        """d(outputs)/d(symbol)"""
        return self.along({symbol: symbol * 0 + 1})


def vector_derivatives(vectors: Sequence[Vector], by: Sequence[Expression]) -> list[list[Vector]]:
    """Entry [j][i] = d vectors[i] / d by[j]."""
    derivatives = Derivatives([entry for vector in vectors for entry in vector])
    return [_vectors(derivatives.by(symbol)) for symbol in by]


def vectors_along(
    vectors: Sequence[Vector], direction: Mapping[Expression, Expression]
) -> list[Vector]:
    """Directional derivative of each vector."""
    return _vectors(Derivatives([entry for v in vectors for entry in v]).along(direction))


def _vectors(entries: Sequence[Expression]) -> list[Vector]:
    return [Vector(*entries[k : k + 3]) for k in range(0, len(entries), 3)]


def gradient(function: Expression, by: Sequence[Expression]) -> list[Expression]:
    """d(function)/d(by), in one reverse sweep."""
    found = reverse_gradient(function.graph, function.node, nodes(by))
    return [Expression(function.graph, node) for node in found]
