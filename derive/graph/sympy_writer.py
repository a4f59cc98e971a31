"""SymPy out: nodes as closed expressions, or as `(replacements, reduced)` like `sympy.cse`.

Both take time linear in the number of nodes reached: a sum or product spread over many nodes is
collected before SymPy sees it, conditions are built without SymPy trying to decide them, and in the
second form every node used more than once, and every deeply nested one, gets a symbol of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import overload

import sympy as sp

from eomc.derive.graph.node import Graph, Number
from eomc.derive.graph.traverse import reachable

Names = Mapping[str, str | sp.Basic]
"""SymPy name or expression of a symbol node, by the name of the node."""

_DEEPEST = 20
_SUMS = frozenset({"add", "sub", "neg"})
_PRODUCTS = frozenset({"mul"})
_FREE = frozenset({"const", "symbol", "neg", "lt", "le", "eq", "not"})

_FUNCTIONS: dict[str, Callable[..., sp.Basic]] = {
    "pow": sp.Pow,
    "sqrt": sp.sqrt,
    "exp": sp.exp,
    "log": sp.log,
    "sin": sp.sin,
    "cos": sp.cos,
    "tan": sp.tan,
    "asin": sp.asin,
    "acos": sp.acos,
    "atan": sp.atan,
    "sinh": sp.sinh,
    "cosh": sp.cosh,
    "tanh": sp.tanh,
    "asinh": sp.asinh,
    "acosh": sp.acosh,
    "atanh": sp.atanh,
    "abs": sp.Abs,
    "sign": sp.sign,
    "floor": sp.floor,
    "atan2": sp.atan2,
    "min": lambda a, b: sp.Min(a, b, evaluate=False),
    "max": lambda a, b: sp.Max(a, b, evaluate=False),
    "lt": lambda a, b: sp.StrictLessThan(a, b, evaluate=False),
    "le": lambda a, b: sp.LessThan(a, b, evaluate=False),
    "eq": lambda a, b: sp.Equality(a, b, evaluate=False),
    "and": lambda a, b: sp.And(a, b, evaluate=False),
    "or": lambda a, b: sp.Or(a, b, evaluate=False),
    "not": lambda a: sp.Not(a, evaluate=False),
    "select": lambda c, a, b: sp.Piecewise((a, c), (b, True), evaluate=False),
}


def _number(value: Number) -> sp.Expr:
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    return sp.Integer(value) if isinstance(value, int) else sp.Float(value)


class _Writer:
    """Builds SymPy expressions bottom-up; `symbols` supplies replacement symbols, or is None."""

    def __init__(
        self,
        graph: Graph,
        outputs: Sequence[int],
        names: Names,
        symbols: Iterator[sp.Symbol] | None,
    ) -> None:
        self.graph = graph
        self.names = names
        self.symbols = symbols
        self.order = reachable(graph, outputs)
        self.replacements: list[tuple[sp.Symbol, sp.Expr]] = []
        self._uses = dict.fromkeys(self.order, 0)
        self._parent: dict[int, str] = {}
        self._expr: dict[int, sp.Basic] = {}
        self._depth: dict[int, int] = {}
        self._count_uses(outputs)

    def _count_uses(self, outputs: Sequence[int]) -> None:
        """Count how often each node is written; the argument of a sign as often as the sign."""
        op, uses = self.graph.op, self._uses
        for output in outputs:
            uses[output] += 1
            self._parent[output] = "output"
        for node in reversed(self.order):
            for arg in self.graph.args[node]:
                uses[arg] += uses[node] if op[node] == "neg" else 1
                self._parent[arg] = op[node]

    def _absorbed(self, node: int) -> bool:
        """True if the node is a link of a longer sum or product and is not written by itself."""
        op, parent = self.graph.op[node], self._parent.get(node)
        if self._uses[node] != 1:
            return False
        return (op in _SUMS and parent in _SUMS) or (op in _PRODUCTS and parent in _PRODUCTS)

    def run(self) -> dict[int, sp.Basic]:
        """Expression of every node that is written by itself."""
        for node in self.order:
            if self._absorbed(node):
                continue
            expr, depth = self._write(node)
            op = self.graph.op[node]
            shared = self._uses[node] > 1 or depth > _DEEPEST
            if self.symbols is not None and shared and op not in _FREE:
                symbol = next(self.symbols)
                self.replacements.append((symbol, expr))
                expr, depth = symbol, 0
            self._expr[node] = expr
            self._depth[node] = depth
        return self._expr

    def _write(self, node: int) -> tuple[sp.Basic, int]:
        """(expression, nesting depth) of one node."""
        op, value = self.graph.op[node], self.graph.value[node]
        if op == "const":
            return _number(value), 0  # type: ignore[arg-type]
        if op == "symbol":
            name = self.names.get(str(value), str(value))
            return (sp.Symbol(name) if isinstance(name, str) else name), 0
        if op in _SUMS:
            terms = self._terms(node)
            depth = max(self._depth[term] for term, _ in terms)
            signed = [-self._expr[n] if minus else self._expr[n] for n, minus in terms]
            return sp.Add(*signed), depth + 1
        if op in _PRODUCTS:
            factors = self._links(node, _PRODUCTS)
            depth = max(self._depth[factor] for factor in factors)
            return sp.Mul(*(self._expr[factor] for factor in factors)), depth + 1
        args = self.graph.args[node]
        depth = max(self._depth[arg] for arg in args)
        parts = [self._expr[arg] for arg in args]
        if op == "div":
            return parts[0] / parts[1], depth + 1
        return _FUNCTIONS[op](*parts), depth + 1

    def _terms(self, root: int) -> list[tuple[int, bool]]:
        """Terms (node, is negative) of a sum, links opened, in order."""
        op, args = self.graph.op, self.graph.args
        terms: list[tuple[int, bool]] = []
        stack = [(root, False)]
        while stack:
            node, minus = stack.pop()
            if node != root and not self._absorbed(node):
                terms.append((node, minus))
            elif op[node] == "neg":
                stack.append((args[node][0], not minus))
            else:
                stack.append((args[node][1], minus != (op[node] == "sub")))
                stack.append((args[node][0], minus))
        return terms

    def _links(self, root: int, kind: frozenset[str]) -> list[int]:
        found: list[int] = []
        stack = [root]
        while stack:
            node = stack.pop()
            if node != root and not self._absorbed(node):
                found.append(node)
            else:
                stack.extend(reversed(self.graph.args[node]))
        return found


@overload
def to_sympy(graph: Graph, nodes: int, names: Names | None = None) -> sp.Expr: ...


@overload
def to_sympy(graph: Graph, nodes: Sequence[int], names: Names | None = None) -> list[sp.Expr]: ...


def to_sympy(
    graph: Graph, nodes: int | Sequence[int], names: Names | None = None
) -> sp.Expr | list[sp.Expr]:
    """Closed SymPy expression of a node, or the list of them for a sequence of nodes.

    `names` maps the name of a symbol node to the SymPy name or expression to write for it; others
    keep their names. What is shared on the graph is written out at each use, so the printed length
    may grow exponentially; `to_sympy_cse` is for large quantities.

    >>> g = Graph()
    >>> x = g.symbol("q[0]")
    >>> to_sympy(g, g.mul(x, g.unary("sin", x)), {"q[0]": "theta"})
    theta*sin(theta)
    """
    single = isinstance(nodes, int)
    outputs = [nodes] if isinstance(nodes, int) else list(nodes)
    expressions = _Writer(graph, outputs, names or {}, None).run()
    return expressions[outputs[0]] if single else [expressions[node] for node in outputs]


def to_sympy_cse(
    graph: Graph,
    nodes: Sequence[int],
    names: Names | None = None,
    symbols: Iterator[sp.Symbol] | None = None,
) -> tuple[list[tuple[sp.Symbol, sp.Expr]], list[sp.Expr]]:
    """`(replacements, reduced)` as `sympy.cse` gives them, for a graph of any size.

    Each replacement may use the symbols of those before it. `symbols` supplies their names; by
    default ``x0, x1, ...`` without those that inputs bear.

    >>> g = Graph()
    >>> a = g.add(g.symbol("x"), g.constant(1))
    >>> to_sympy_cse(g, [g.mul(a, a), g.unary("exp", a)])
    ([(x0, x + 1)], [x0**2, exp(x0)])
    """
    outputs = list(nodes)
    names = names or {}
    if symbols is None:
        symbols = sp.numbered_symbols(
            "x", cls=sp.Symbol, exclude=_names_taken(graph, outputs, names)
        )
    writer = _Writer(graph, outputs, names, symbols)
    expressions = writer.run()
    return writer.replacements, [expressions[node] for node in outputs]


def _names_taken(graph: Graph, outputs: Sequence[int], names: Names) -> list[sp.Symbol]:
    taken: list[sp.Symbol] = []
    for node in reachable(graph, outputs):
        if graph.op[node] == "symbol":
            name = names.get(str(graph.value[node]), str(graph.value[node]))
            free = (
                [sp.Symbol(name)] if isinstance(name, str) else sorted(name.free_symbols, key=str)
            )
            taken.extend(sp.Symbol(symbol.name) for symbol in free)
    return taken
