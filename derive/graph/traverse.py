"""Nodes that a set of outputs needs, and their cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
