"""Derivatives on the graph: forward (directional) and reverse (gradient), one sweep each.

Both are sparse: a node that does not depend on the seed is never visited with a zero, and the
derivative nodes fold and share like all others. Reference: Griewank and Walther, *Evaluating
Derivatives*, 2nd ed., chapters 3.1 and 3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce

from eomc.derive.graph.ends import ENDING, ending, root_of_squares
from eomc.derive.graph.node import ZERO, Graph
from eomc.derive.graph.powers import powers, slope_by_exponent
from eomc.derive.graph.traverse import dependents, reachable

Partial = Callable[[Graph, int, tuple[int, ...]], tuple[int | None, ...]]


def _one(g: Graph) -> int:
    return g.constant(1)


def _pow(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    base, exponent = args
    less = g.sub(exponent, _one(g))
    slope = g.mul(exponent, ending(g, node, [base], lambda: g.pow(base, less)))
    if node in g.laws and root_of_squares(g, base) is not None:
        root = g.sqrt(base)  # r^2p has the slope 2p r^(2p-1) dr
        g.laws.setdefault(root, g.laws[node])
        double = g.mul(g.constant(2), exponent)
        power = ending(g, node, [], lambda: g.pow(root, g.sub(double, _one(g))))
        slope = g.mul(double, g.mul(power, _sqrt(g, root, (base,))[0]))  # type: ignore[arg-type]
    if g.op[exponent] == "const":
        return slope, None
    return slope, slope_by_exponent(g, node)


def _sqrt(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    def slope() -> int:
        found = g.div(_one(g), g.mul(g.constant(2), node))
        is_zero = root_of_squares(g, args[0]) if node in g.laws else None
        return found if is_zero is None else g.select(is_zero, ZERO, found)

    return (ending(g, node, args, slope),)


def _div(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    inverse = ending(g, node, (), lambda: g.div(_one(g), args[1]))
    return inverse, g.neg(g.mul(node, inverse))


def _tan(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    return (g.add(_one(g), g.mul(node, node)),)


def _tanh(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    return (g.sub(_one(g), g.mul(node, node)),)


def _square_plus(g: Graph, x: int, number: int) -> int:
    return g.add(g.mul(x, x), g.constant(number))


def _inverse_root(g: Graph, node: int, args: tuple[int, ...], radicand: int) -> int:
    return ending(g, node, args, lambda: g.div(_one(g), g.sqrt(radicand)))


def _atan2(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    y, x = args
    square = g.add(g.mul(x, x), g.mul(y, y))
    inverse = ending(g, node, args, lambda: g.div(_one(g), square))
    return g.mul(x, inverse), g.neg(g.mul(y, inverse))


def _first(g: Graph, node: int) -> int:
    """Of minimum, maximum and select the condition under which the first of both is taken; the
    second one where no comparison holds, as of their values (`Graph.binary`)."""
    a, b = g.args[node][-2:]
    if g.op[node] == "select":
        return g.args[node][0]
    return g.less_equal(a, b) if g.op[node] == "min" else g.less(b, a)


def _atanh(g: Graph, node: int, args: tuple[int, ...]) -> tuple[int | None, ...]:
    square = g.neg(_square_plus(g, args[0], -1))
    return (ending(g, node, (), lambda: g.div(_one(g), square)),)


PARTIALS: dict[str, Partial] = {
    "neg": lambda g, n, a: (g.constant(-1),),
    "add": lambda g, n, a: (_one(g), _one(g)),
    "sub": lambda g, n, a: (_one(g), g.constant(-1)),
    "mul": lambda g, n, a: (a[1], a[0]),
    "div": _div,
    "pow": _pow,
    "sqrt": _sqrt,
    "exp": lambda g, n, a: (n,),
    "log": lambda g, n, a: (ending(g, n, (), lambda: g.div(_one(g), a[0])),),
    "sin": lambda g, n, a: (g.unary("cos", a[0]),),
    "cos": lambda g, n, a: (g.neg(g.unary("sin", a[0])),),
    "tan": _tan,
    "asin": lambda g, n, a: (_inverse_root(g, n, a, g.neg(_square_plus(g, a[0], -1))),),
    "acos": lambda g, n, a: (g.neg(_inverse_root(g, n, a, g.neg(_square_plus(g, a[0], -1)))),),
    "atan": lambda g, n, a: (g.div(_one(g), _square_plus(g, a[0], 1)),),
    "sinh": lambda g, n, a: (g.unary("cosh", a[0]),),
    "cosh": lambda g, n, a: (g.unary("sinh", a[0]),),
    "tanh": _tanh,
    "asinh": lambda g, n, a: (g.div(_one(g), g.sqrt(_square_plus(g, a[0], 1))),),
    "acosh": lambda g, n, a: (_inverse_root(g, n, a, _square_plus(g, a[0], -1)),),
    "atanh": _atanh,
    "abs": lambda g, n, a: (g.unary("sign", a[0]),),
    "atan2": _atan2,
}
"""Partial derivatives of a node by each argument; None where there is none by a number.

``sign``, ``floor``, comparisons and logic are flat wherever they are differentiable and have no
entry.
"""

SWITCHES = frozenset({"min", "max", "select"})
"""Operations that take one of their last two arguments, and its derivative: a factor 0 would not
take away the other one's where that is infinite."""
DIFFERENTIABLE = frozenset({*PARTIALS, *SWITCHES})


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
        order = reachable(graph, outputs)
        self._powers = powers(graph, order)
        self._order = [
            (node, graph.op[node], graph.args[node])
            for node in order
            if graph.op[node] in DIFFERENTIABLE and node not in graph.frozen
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
        if op in SWITCHES:
            a, b = args[-2:]
            return g.select(_first(g, node), tangent.get(a, ZERO), tangent.get(b, ZERO))
        total = ZERO
        for arg, slope in self._powers.get(node) or self._links(g, node):
            if slope is not None and arg in tangent:
                total = g.add(total, g.mul(slope, tangent[arg]))
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
    by_power = powers(graph, order)
    steep = {node for node in order if graph.op[node] in ENDING}
    steep = dependents(graph, order, steep)
    shared: dict[int, list[int]] = {output: [graph.constant(1)]}
    for node in reversed(order):
        op = graph.op[node]
        if node not in shared or node not in active or op not in DIFFERENTIABLE:
            continue
        if node in graph.frozen:
            continue
        bar = _total(graph, shared[node])
        if op in SWITCHES:
            a, b = graph.args[node][-2:]
            first = _first(graph, node)
            shares = [(a, graph.select(first, bar, ZERO)), (b, graph.select(first, ZERO, bar))]
        else:
            shares = [
                (arg, _scaled(graph, slope, bar) if node in steep else graph.mul(slope, bar))
                for arg, slope in by_power.get(node) or links(graph, node)
                if slope is not None
            ]
        for arg, share in shares:
            if arg in active:
                shared.setdefault(arg, []).append(share)
    return [_total(graph, shared.get(node, ())) for node in inputs]


def _total(g: Graph, shares: Sequence[int]) -> int:
    """Their sum, those that are switched together in one switch."""
    if any(g.op[share] == "select" for share in shares):
        return reduce(partial(_joined, g), shares)
    return g.total(shares)


def _scaled(g: Graph, slope: int, bar: int) -> int:
    """Their product; a branch that is switched off stays 0, however large its slope."""
    if g.op[bar] == "neg":
        return g.neg(_scaled(g, slope, g.args[bar][0]))
    if g.op[bar] == "select" and ZERO in g.args[bar]:
        condition, a, b = g.args[bar]
        return g.select(condition, _scaled(g, slope, a), _scaled(g, slope, b))
    return g.mul(slope, bar)


def _joined(g: Graph, a: int, b: int) -> int:
    """Their sum; of two that are switched together, one that is switched."""
    if g.op[a] == g.op[b] == "select" and g.args[a][0] == g.args[b][0]:
        pairs = zip(g.args[a][1:], g.args[b][1:], strict=True)
        return g.select(g.args[a][0], *(_joined(g, x, y) for x, y in pairs))
    return g.add(a, b)
