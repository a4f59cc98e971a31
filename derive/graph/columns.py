"""Matrices by columns, one for each direction of change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.graph.differentiate import ForwardSweep
from eomc.derive.graph.expression import Expression, nodes
from eomc.derive.graph.node import Graph
from eomc.derive.graph.traverse import substitute

Columns = list[list[Expression]]


def swept(
    graph: Graph, values: Sequence[Expression], directions: Sequence[Mapping[int, int]]
) -> Columns:
    """Derivatives of `values` along each direction, a map symbol node -> tangent node."""
    sweep = ForwardSweep(graph, nodes(values))
    return [[Expression(graph, node) for node in sweep(along)] for along in directions]


def substituted(graph: Graph, columns: Columns, replacement: Mapping[int, int]) -> Columns:
    """The columns with other nodes in place of some."""
    flat = [entry.node for column in columns for entry in column]
    found = iter(substitute(graph, flat, dict(replacement)))
    return [[Expression(graph, next(found)) for _ in column] for column in columns]
