"""Replace nodes by others and rebuild what depends on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eomc.derive.graph.function_table import UNARY
from eomc.derive.graph.node import Graph
from eomc.derive.graph.traverse import reachable


def substitute(graph: Graph, nodes: Sequence[int], replacement: Mapping[int, int]) -> list[int]:
    """`nodes` with every node that `replacement` maps replaced, folded anew.

    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> substitute(g, [g.mul(x, y)], {y: g.constant(0)}) == [g.constant(0)]
    True
    """
    new = dict(replacement)
    for node in reachable(graph, nodes):
        if node in new:
            continue
        args = tuple(new[arg] for arg in graph.args[node])
        new[node] = node if args == graph.args[node] else _build(graph, graph.op[node], args)
        if node in graph.frozen and graph.args[new[node]]:
            graph.frozen.add(new[node])
        for marks in (graph.laws, graph.ends):
            if node in marks and graph.args[new[node]]:
                marks.setdefault(graph.without_sign(new[node]), marks[node])
    return [new[node] for node in nodes]


_METHODS = {
    "lt": "less",
    "le": "less_equal",
    "eq": "equal",
    "and": "logical_and",
    "or": "logical_or",
    "not": "logical_not",
}
"""Operations whose constructor is not called like the operation."""


def _build(g: Graph, op: str, args: tuple[int, ...]) -> int:
    if op in UNARY:
        return g.unary(op, args[0])
    if op in ("atan2", "min", "max"):
        return g.binary(op, *args)
    node: int = getattr(g, _METHODS.get(op, op))(*args)
    return node
