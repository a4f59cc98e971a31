"""Nodes that outputs need, their cost, and the replacement of nodes by others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from eomc.derive.graph.function_table import UNARY
from eomc.derive.graph.node import Graph

ARITHMETIC = ("add", "sub", "mul", "div")


def reachable(graph: Graph, outputs: Iterable[int]) -> list[int]:
    """Nodes that `outputs` depend on, themselves included, in topological (index) order."""
    args = graph.args
    seen: set[int] = set()
    stack = list(outputs)
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(args[node])
    return sorted(seen)


def dependents(graph: Graph, order: Sequence[int], inputs: Iterable[int]) -> set[int]:
    """Nodes of `order` that depend on the inputs, these among them."""
    active = set(inputs)
    for node in order:
        if not active.isdisjoint(graph.args[node]):
            active.add(node)
    return active


def operation_count(graph: Graph, outputs: Iterable[int]) -> dict[str, int]:
    """Operations that evaluating `outputs` takes, by kind; a change of sign counts nothing.

    >>> g = Graph()
    >>> x = g.symbol("x")
    >>> operation_count(g, [g.sub(g.mul(x, x), g.unary("sin", x))])
    {'mul': 1, 'sin': 1, 'sub': 1}
    """
    counts: dict[str, int] = {}
    for node in reachable(graph, outputs):
        op = graph.op[node]
        if op not in ("const", "symbol", "neg"):
            counts[op] = counts.get(op, 0) + 1
    return dict(sorted(counts.items()))


def flops(graph: Graph, outputs: Iterable[int]) -> int:
    """Additions, subtractions, multiplications and divisions of `outputs` together."""
    counts = operation_count(graph, outputs)
    return sum(counts.get(op, 0) for op in ARITHMETIC)


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
