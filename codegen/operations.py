"""What a function costs, for the header and the manifest."""

from eomc.derive.graph import Function, Graph, operation_count

_NAMES = {"add": "additions", "sub": "subtractions", "mul": "products", "div": "divisions"}


def summary(graph: Graph, function: Function) -> str:
    """One sentence: the total and each kind of operation.

    >>> g = Graph()
    >>> x = g.symbol("x")
    >>> from eomc.derive.graph import Argument
    >>> output = Argument("y", (), (g.add(g.mul(x, x), g.unary("sin", x)),))
    >>> summary(g, Function("f", (), (output,)))
    '3 operations: 1 additions, 1 products, 1 sin.'
    """
    counts = operation_count(graph, function.nodes)
    total = sum(counts.values())
    if not total:
        return "No operations."
    order = [*_NAMES, *(op for op in counts if op not in _NAMES)]
    parts = [f"{counts[op]} {_NAMES.get(op, op)}" for op in order if op in counts]
    return f"{total} operations: {', '.join(parts)}."
