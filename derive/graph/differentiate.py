"""Derivatives on the graph: forward (directional) and reverse (gradient), one sweep each.

Both are sparse: a node that does not depend on the seed is never visited with a zero, and the
derivative nodes fold and share like all others. Reference: Griewank and Walther, *Evaluating
Derivatives*, 2nd ed., chapters 3.1 and 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from eomc.derive.graph.node import ZERO, Graph
from eomc.derive.graph.traverse import reachable

Partial = Callable[[Graph, int, tuple[int, ...]], tuple[int | None, ...]]


def _one(g: Graph) -> int:
    return g.constant(1)


def _pow(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    base, exponent = args
    slope = g.mul(exponent, g.pow(base, g.sub(exponent, _one(g))))
    if g.op[exponent] == "const":
        return slope, None
    return slope, g.mul(node, g.unary("log", base))


def _sqrt(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    return (g.div(g.constant(1), g.mul(g.constant(2), node)),)


def _div(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    inverse = g.div(_one(g), args[1])
    return inverse, g.neg(g.mul(node, inverse))


def _tan(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    return (g.add(_one(g), g.mul(node, node)),)


def _tanh(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    return (g.sub(_one(g), g.mul(node, node)),)


def _square_plus(g: Graph, x: int, number: int) -> int:
    return g.add(g.mul(x, x), g.constant(number))


def _inverse_root(g: Graph, radicand: int) -> int:
    return g.div(_one(g), g.sqrt(radicand))


def _atan2(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    y, x = args
    inverse = g.div(_one(g), g.add(g.mul(x, x), g.mul(y, y)))
    return g.mul(x, inverse), g.neg(g.mul(y, inverse))


def _min(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    first = g.less_equal(args[0], args[1])
    one, zero = _one(g), g.constant(0)
    return g.select(first, one, zero), g.select(first, zero, one)


def _max(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    return _min(g, node, args)[::-1]


def _select(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    one, zero = _one(g), g.constant(0)
    return None, g.select(args[0], one, zero), g.select(args[0], zero, one)


PARTIALS: dict[str, Partial] = {
    "neg": lambda g, n, a: (g.constant(-1),),
    "add": lambda g, n, a: (_one(g), _one(g)),
    "sub": lambda g, n, a: (_one(g), g.constant(-1)),
    "mul": lambda g, n, a: (a[1], a[0]),
    "div": _div,
    "pow": _pow,
    "sqrt": _sqrt,
    "exp": lambda g, n, a: (n,),
    "log": lambda g, n, a: (g.div(_one(g), a[0]),),
    "sin": lambda g, n, a: (g.unary("cos", a[0]),),
    "cos": lambda g, n, a: (g.neg(g.unary("sin", a[0])),),
    "tan": _tan,
    "asin": lambda g, n, a: (_inverse_root(g, g.neg(_square_plus(g, a[0], -1))),),
    "acos": lambda g, n, a: (g.neg(_inverse_root(g, g.neg(_square_plus(g, a[0], -1)))),),
    "atan": lambda g, n, a: (g.div(_one(g), _square_plus(g, a[0], 1)),),
    "sinh": lambda g, n, a: (g.unary("cosh", a[0]),),
    "cosh": lambda g, n, a: (g.unary("sinh", a[0]),),
    "tanh": _tanh,
    "asinh": lambda g, n, a: (_inverse_root(g, _square_plus(g, a[0], 1)),),
    "acosh": lambda g, n, a: (_inverse_root(g, _square_plus(g, a[0], -1)),),
    "atanh": lambda g, n, a: (g.neg(g.div(_one(g), _square_plus(g, a[0], -1))),),
    "abs": lambda g, n, a: (g.unary("sign", a[0]),),
    "atan2": _atan2,
    "min": _min,
    "max": _max,
    "select": _select,
}
"""Partial derivatives of a node by each argument; None where the argument is a condition.

``sign``, ``floor``, comparisons and logic are flat wherever they are differentiable and have no
entry.
"""


Links = Callable[[Graph, int], Iterable[tuple[int, int | None]]]
"""Pairs (node before it, partial derivative), through which a node is differentiated."""


def arguments(g: Graph, node: int) -> Iterable[tuple[int, int | None]]:
    """The arguments of a node with its partial derivatives."""
    return zip(g.args[node], PARTIALS[g.op[node]](g, node, g.args[node]), strict=True)


class ForwardSweep:
    """Directional derivatives of fixed outputs, for many directions.

    The topological order of what the outputs need is found once; each direction then costs one pass
    over the nodes that depend on it.

    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> sweep = ForwardSweep(g, [g.mul(x, y)])
    >>> sweep({x: g.constant(1)}) == [y]
    True
    """

    def __init__(self, graph: Graph, outputs: Sequence[int], links: Links = arguments) -> None:
        self.graph, self._links = graph, links
        self.outputs = tuple(outputs)
        self._order = [
            (node, graph.op[node], graph.args[node])
            for node in reachable(graph, outputs)
            if graph.op[node] in PARTIALS and node not in graph.frozen
        ]

    def __call__(self, direction: Mapping[int, int]) -> list[int]:
        """Derivative nodes of the outputs along `direction`, a map symbol node -> tangent node."""
        tangent = self._tangents(direction)
        return [tangent.get(output, ZERO) for output in self.outputs]

    def beside(self, direction: Mapping[int, int]) -> list[int]:
        """The same; the graph remembers what each node changes by, to be computed beside it."""
        tangent = self._tangents(direction)
        self.graph.changes.append(tangent)
        return [tangent.get(output, ZERO) for output in self.outputs]

    def columns(self, directions: Sequence[Mapping[int, int]]) -> list[list[int]]:
        """The same along each of several directions; the graph remembers what are like steps."""
        tangents = [self._tangents(direction) for direction in directions]
        for node, _, _ in self._order:
            column = tuple(tangent.get(node) for tangent in tangents)
            if any(column):
                self.graph.columns.append(column)
        return [[tangent.get(output, ZERO) for output in self.outputs] for tangent in tangents]

    def _tangents(self, direction: Mapping[int, int]) -> dict[int, int]:
        """By node, those that are not zero."""
        tangent = {node: dot for node, dot in direction.items() if dot != ZERO}
        for node, op, args in self._order:
            if not tangent.keys().isdisjoint(args):
                dot = self._tangent(node, op, tangent)
                if dot != ZERO:
                    tangent[node] = dot
        return tangent

    def _tangent(self, node: int, op: str, tangent: dict[int, int]) -> int:
        g, args = self.graph, self.graph.args[node]
        if op == "neg":
            return g.neg(tangent[args[0]])
        if op == "select":  # switch the tangents, not 0/1 factors: no 0 * inf, no wasted product
            return g.select(args[0], tangent.get(args[1], ZERO), tangent.get(args[2], ZERO))
        total = ZERO
        for arg, partial in self._links(g, node):
            if partial is not None and arg in tangent:
                total = g.add(total, g.mul(partial, tangent[arg]))
        return total


def forward_derivative(
    graph: Graph, outputs: Sequence[int], direction: Mapping[int, int]
) -> list[int]:
    """Directional derivative of `outputs`: sum over symbols s of d(output)/ds * direction[s]."""
    return ForwardSweep(graph, outputs)(direction)


def reverse_gradient(
    graph: Graph, output: int, inputs: Iterable[int], links: Links = arguments
) -> list[int]:
    """Gradient of one scalar `output` by every node of `inputs`, in one backward sweep.

    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> reverse_gradient(g, g.mul(x, y), [x, y]) == [y, x]
    True
    """
    inputs = tuple(inputs)
    order = reachable(graph, [output])
    active = dependents(graph, order, inputs)
    shared: dict[int, list[int]] = {output: [graph.constant(1)]}
    for node in reversed(order):
        if node not in shared or node not in active or graph.op[node] not in PARTIALS:
            continue
        if node in graph.frozen:
            continue
        bar = graph.total(shared[node])
        args = graph.args[node]
        if graph.op[node] == "select":
            zero = graph.constant(0)
            chosen = graph.select(args[0], bar, zero), graph.select(args[0], zero, bar)
            shares = list(zip(args[1:], chosen, strict=True))
        else:
            shares = [
                (arg, graph.mul(partial, bar))
                for arg, partial in links(graph, node)
                if partial is not None
            ]
        for arg, share in shares:
            if arg in active:
                shared.setdefault(arg, []).append(share)
    return [graph.total(shared.get(node, ())) for node in inputs]


def dependents(graph: Graph, order: Sequence[int], inputs: Iterable[int]) -> set[int]:
    """Nodes of `order` that depend on the inputs, these among them."""
    active = set(inputs)
    for node in order:
        if not active.isdisjoint(graph.args[node]):
            active.add(node)
    return active
