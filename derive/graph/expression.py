"""Nodes with operators, so that derivations read like the equations they implement."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from eomc.derive.graph.node import ZERO, Graph, GraphError


class Expression:
    """A node of a graph with the arithmetic operators; mixes with Python numbers.

    >>> g = Graph()
    >>> x = Expression(g, g.symbol("x"))
    >>> (2 * x - x - x).is_zero
    True
    """

    __slots__ = ("graph", "node")

    def __init__(self, graph: Graph, node: int) -> None:
        self.graph = graph
        self.node = node

    def _node_of(self, other: object) -> int:
        if isinstance(other, Expression):
            if other.graph is not self.graph:
                raise GraphError("expressions of two different graphs cannot be combined")
            return other.node
        if isinstance(other, (int, float, Fraction)):
            return self.graph.constant(other)
        return -1

    @property
    def is_zero(self) -> bool:
        """True for the constant zero."""
        return self.node == ZERO

    @property
    def is_constant(self) -> bool:
        """True for a number."""
        return self.graph.op[self.node] == "const"

    def named(self, meaning: str) -> Expression:
        """Label the node with what it means; returns itself."""
        self.graph.label(self.node, meaning)
        return self

    def required(self, code: str) -> Expression:
        """Functions that depend on it fail with the code unless it is above zero; returns itself.
        Of several codes the first counts."""
        if not self.is_constant:
            self.graph.required.setdefault(self.node, code)
        return self

    def frozen_unless(self, fails: Expression) -> Expression:
        """Its value as a constant to derivatives; what depends on it needs `fails` above zero.

        What an iteration found is handed on so to the steps that are differentiated: derivatives
        are those of the implicit function and the iteration is not swept.

        >>> g = Graph()
        >>> x, held = Expression(g, g.symbol("x")), Expression(g, g.symbol("held"))
        >>> from eomc.derive.graph.differentiate import forward_derivative
        >>> y = (x * x).frozen_unless(held.required("lost")) * x
        >>> dy = forward_derivative(g, [y.node], {x.node: g.constant(1)})
        >>> dy == [(x * x).frozen_unless(held).node]
        True
        """
        if fails.is_constant:
            return self
        found = fails.if_less(0, 0, self)
        if self.graph.args[found.node]:
            self.graph.frozen.add(found.node)
        return found

    def __eq__(self, other: object) -> bool:
        node = self._node_of(other)
        return NotImplemented if node < 0 else node == self.node

    def __hash__(self) -> int:
        return hash((id(self.graph), self.node))

    def __repr__(self) -> str:
        return f"Expression({self.node})"

    def __neg__(self) -> Expression:
        return Expression(self.graph, self.graph.neg(self.node))

    # Most operands of a derivation are zeros of its structure: with these nothing is made.

    def __add__(self, other: object) -> Expression:
        graph, a = self.graph, self.node
        if isinstance(other, Expression) and other.graph is graph:
            b = other.node
            if a == ZERO:
                return other
        else:
            b = self._node_of(other)
        if b == ZERO:
            return self
        return NotImplemented if b < 0 else Expression(graph, graph.add(a, b))

    __radd__ = __add__

    def __sub__(self, other: object) -> Expression:
        graph, a = self.graph, self.node
        same = isinstance(other, Expression) and other.graph is graph
        b = other.node if same else self._node_of(other)  # type: ignore[attr-defined]
        if b == ZERO:
            return self
        return NotImplemented if b < 0 else Expression(graph, graph.sub(a, b))

    def __rsub__(self, other: object) -> Expression:
        node = self._node_of(other)
        return (
            NotImplemented if node < 0 else Expression(self.graph, self.graph.sub(node, self.node))
        )

    def __mul__(self, other: object) -> Expression:
        graph, a = self.graph, self.node
        if isinstance(other, Expression) and other.graph is graph:
            b = other.node
            if b == ZERO:
                return other
        else:
            b = self._node_of(other)
        if a == ZERO and b >= 0:
            return self
        return NotImplemented if b < 0 else Expression(graph, graph.mul(a, b))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Expression:
        node = self._node_of(other)
        return (
            NotImplemented if node < 0 else Expression(self.graph, self.graph.div(self.node, node))
        )

    def __rtruediv__(self, other: object) -> Expression:
        node = self._node_of(other)
        return (
            NotImplemented if node < 0 else Expression(self.graph, self.graph.div(node, self.node))
        )

    def __pow__(self, other: object) -> Expression:
        node = self._node_of(other)
        return (
            NotImplemented if node < 0 else Expression(self.graph, self.graph.pow(self.node, node))
        )

    def unary(self, op: str) -> Expression:
        """Elementary function `op` of this expression."""
        return Expression(self.graph, self.graph.unary(op, self.node))

    def sin(self) -> Expression:
        """Sine."""
        return self.unary("sin")

    def cos(self) -> Expression:
        """Cosine."""
        return self.unary("cos")

    def sqrt(self) -> Expression:
        """Square root."""
        return self.unary("sqrt")

    def binary(self, op: str, other: object) -> Expression:
        """``atan2``, ``min`` or ``max`` with another operand."""
        return Expression(self.graph, self.graph.binary(op, self.node, self._node_of(other)))

    def if_less(self, bound: object, then: object, otherwise: object) -> Expression:
        """`then` where this expression is below `bound`, else `otherwise`."""
        g = self.graph
        condition = g.less(self.node, self._node_of(bound))
        return Expression(g, g.select(condition, self._node_of(then), self._node_of(otherwise)))


def product_sum(*pairs: tuple[Expression, Expression]) -> Expression:
    """a b + c d + ..., of factors on one graph."""
    graph, total = pairs[0][0].graph, ZERO
    zero: Expression | None = None
    for a, b in pairs:
        if a.node == ZERO:
            zero = a
        elif b.node == ZERO:
            zero = b
        else:
            product = graph.mul(a.node, b.node)
            total = product if total == ZERO else graph.add(total, product)
    return Expression(graph, total) if zero is None or total != ZERO else zero


def product_difference(a: Expression, b: Expression, c: Expression, d: Expression) -> Expression:
    """a b - c d"""
    graph = a.graph
    first = ZERO if a.node == ZERO or b.node == ZERO else graph.mul(a.node, b.node)
    if c.node == ZERO or d.node == ZERO:
        if first == ZERO:
            return c if c.node == ZERO else d
        return Expression(graph, first)
    return Expression(graph, graph.sub(first, graph.mul(c.node, d.node)))


def constant(graph: Graph, value: int | float | Fraction) -> Expression:
    """A number as an expression of `graph`."""
    return Expression(graph, graph.constant(value))


def symbol(graph: Graph, name: str) -> Expression:
    """A named input as an expression of `graph`."""
    return Expression(graph, graph.symbol(name))


def symbols(graph: Graph, name: str, count: int) -> list[Expression]:
    """The entries ``name[0]`` ... of an input array."""
    return [symbol(graph, f"{name}[{i}]") for i in range(count)]


def nodes(expressions: Sequence[Expression]) -> tuple[int, ...]:
    """Node numbers of `expressions`."""
    return tuple([expression.node for expression in expressions])
