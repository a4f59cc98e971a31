"""SymPy in: any expression of the supported vocabulary becomes nodes of a graph.

The vocabulary is arithmetic, powers, elementary and hyperbolic functions with their reciprocals
and inverses, ``exp``, ``log``, ``atan2``, ``Abs``, ``sign``, ``floor``, ``ceiling``, ``frac``,
``Mod``, ``Min``, ``Max``, ``Heaviside``, ``sinc``, ``Piecewise`` with relations and logic, and the
numbers of SymPy. Every quantity is real: ``re``, ``im`` and ``conjugate`` act accordingly.

Each subexpression is read once. A product with negative powers becomes one quotient
(``a/b/c = a/(b c)``), a whole power repeated squaring, and a number without symbols such as
``sqrt(2)*pi/3`` is rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.logic.boolalg import Boolean, BooleanFalse, BooleanTrue

from eomc.derive.graph.ends import remember
from eomc.derive.graph.node import Graph, GraphError, Number

SymbolMap = Mapping[sp.Basic, int] | Callable[[sp.Basic], int | None]
"""Node of each leaf (symbol, ``q(t)``, ``q(t).diff(t)``, ...): a map or a function."""

_LEAVES = (
    sp.Symbol,
    AppliedUndef,
    sp.Derivative,
    sp.Indexed,
    sp.matrices.expressions.matexpr.MatrixElement,
)
_UNEVALUATED = (sp.Derivative, sp.Integral, sp.Sum, sp.Product, sp.Subs, sp.Limit)
_DIGITS = 30
_LONGEST_QUOTE = 80

_UNARY: dict[type[sp.Basic], str] = {
    sp.exp: "exp",
    sp.log: "log",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.tan: "tan",
    sp.asin: "asin",
    sp.acos: "acos",
    sp.atan: "atan",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.asinh: "asinh",
    sp.acosh: "acosh",
    sp.atanh: "atanh",
    sp.Abs: "abs",
    sp.sign: "sign",
    sp.floor: "floor",
}
_RECIPROCAL: dict[type[sp.Basic], str] = {
    sp.sec: "cos",
    sp.csc: "sin",
    sp.sech: "cosh",
    sp.csch: "sinh",
    sp.coth: "tanh",
}
_OF_RECIPROCAL: dict[type[sp.Basic], str] = {
    sp.asec: "acos",
    sp.acsc: "asin",
    sp.acot: "atan",
    sp.asech: "acosh",
    sp.acsch: "asinh",
    sp.acoth: "atanh",
}


def _quote(expr: sp.Basic) -> str:
    try:
        text = str(expr)
    except RecursionError:
        text = type(expr).__name__ + "(...)"
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "..."


# -- how each kind of expression is built from the nodes of its arguments --------------------------

Build = Callable[[Graph, tuple[int, ...]], int]


def _branches(piecewise: sp.Piecewise) -> list[tuple[sp.Basic, Boolean]]:
    """(value, condition). SymPy leaves the default out of a value whose last condition is that of
    the branch: there it is put back."""
    found = []
    for value, condition in (branch.args for branch in piecewise.args):
        if isinstance(value, sp.Piecewise) and value.args[-1].args[1] == condition:
            *others, last = value.args
            value = sp.Piecewise(*others, (last.args[0], True), evaluate=False)
        found.append((value, condition))
    return found


def _is_even_power(expr: sp.Basic) -> bool:
    """True of x^2, x^4, ..., whose powers are those of |x|: (x^2)^0.75 = |x|^1.5."""
    return isinstance(expr, sp.Pow) and expr.exp.is_Integer and expr.exp > 0 and expr.exp % 2 == 0


def _function(op: str) -> Build:
    return lambda g, args: g.unary(op, args[0])


def _reciprocal(op: str) -> Build:
    return lambda g, args: g.div(g.constant(1), g.unary(op, args[0]))


def _function_of_reciprocal(op: str) -> Build:
    return lambda g, args: g.unary(op, g.div(g.constant(1), args[0]))


def _chain(step: Callable[[Graph, int, int], int], empty: int) -> Build:
    def build(g: Graph, args: tuple[int, ...]) -> int:
        if not args:
            return g.constant(empty)
        result = args[0]
        for arg in args[1:]:
            result = step(g, result, arg)
        return result

    return build


def _heaviside(g: Graph, args: tuple[int, ...]) -> int:
    x, at_zero = args
    if g.number(at_zero) == Fraction(1, 2):
        return g.mul(at_zero, g.add(g.constant(1), g.unary("sign", x)))
    zero, one = g.constant(0), g.constant(1)
    return g.select(g.less(x, zero), zero, g.select(g.equal(x, zero), at_zero, one))


def _sinc(g: Graph, args: tuple[int, ...]) -> int:
    one, at_zero = g.constant(1), g.equal(args[0], g.constant(0))
    return g.select(at_zero, one, g.div(g.unary("sin", args[0]), g.select(at_zero, one, args[0])))


def _mod(g: Graph, args: tuple[int, ...]) -> int:
    x, y = args
    return g.sub(x, g.mul(y, g.unary("floor", g.div(x, y))))


def _exclusive_or(g: Graph, a: int, b: int) -> int:
    return g.logical_and(g.logical_or(a, b), g.logical_not(g.logical_and(a, b)))


def _if_then_else(g: Graph, args: tuple[int, ...]) -> int:
    condition, then, otherwise = args
    return g.logical_or(
        g.logical_and(condition, then), g.logical_and(g.logical_not(condition), otherwise)
    )


_BUILD: dict[type[sp.Basic], Build] = {
    sp.Add: lambda g, terms: g.total(terms),
    sp.Pow: lambda g, a: g.pow(*a),
    sp.cot: lambda g, a: g.div(g.unary("cos", a[0]), g.unary("sin", a[0])),
    sp.ceiling: lambda g, a: g.neg(g.unary("floor", g.neg(a[0]))),
    sp.frac: lambda g, a: g.sub(a[0], g.unary("floor", a[0])),
    sp.Mod: _mod,
    sp.sinc: _sinc,
    sp.atan2: lambda g, a: g.binary("atan2", *a),
    sp.Min: _chain(lambda g, a, b: g.binary("min", a, b), 0),
    sp.Max: _chain(lambda g, a, b: g.binary("max", a, b), 0),
    sp.Heaviside: _heaviside,
    sp.re: lambda g, a: a[0],
    sp.im: lambda g, a: g.constant(0),
    sp.conjugate: lambda g, a: a[0],
    sp.UnevaluatedExpr: lambda g, a: a[0],
    sp.StrictLessThan: lambda g, a: g.less(a[0], a[1]),
    sp.LessThan: lambda g, a: g.less_equal(a[0], a[1]),
    sp.StrictGreaterThan: lambda g, a: g.less(a[1], a[0]),
    sp.GreaterThan: lambda g, a: g.less_equal(a[1], a[0]),
    sp.Equality: lambda g, a: g.equal(a[0], a[1]),
    sp.Unequality: lambda g, a: g.logical_not(g.equal(a[0], a[1])),
    sp.And: _chain(Graph.logical_and, 1),
    sp.Or: _chain(Graph.logical_or, 0),
    sp.Not: lambda g, a: g.logical_not(a[0]),
    sp.Xor: _chain(_exclusive_or, 0),
    sp.ITE: _if_then_else,
    BooleanTrue: lambda g, a: g.constant(1),
    BooleanFalse: lambda g, a: g.constant(0),
    **{cls: _function(op) for cls, op in _UNARY.items()},
    **{cls: _reciprocal(op) for cls, op in _RECIPROCAL.items()},
    **{cls: _function_of_reciprocal(op) for cls, op in _OF_RECIPROCAL.items()},
}


def supported_functions() -> tuple[str, ...]:
    """Names of the SymPy functions and operations that can be read."""
    return tuple(sorted({cls.__name__ for cls in _BUILD} | {"Mul", "Piecewise"}))


class SympyReader:
    """Reads SymPy expressions into one graph; what was read once is remembered.

    Parameters
    ----------
    graph : Graph
        Where the nodes go.
    symbols : mapping or callable
        Node of each symbol, undefined function of time, derivative of one, or any other
        subexpression to be taken as a leaf. It is asked before an expression is taken apart.

    Raises
    ------
    GraphError
        On a leaf without meaning, an unsupported function (both are named), a number that is not
        finite and real, or a `Piecewise` that leaves a gap.

    Examples
    --------
    >>> g = Graph()
    >>> x = sp.Symbol("x")
    >>> read = SympyReader(g, {x: g.symbol("x")})
    >>> read(sp.sec(x)) == g.div(g.constant(1), g.unary("cos", g.symbol("x")))
    True
    """

    def __init__(self, graph: Graph, symbols: SymbolMap) -> None:
        self.graph = graph
        self._symbols = symbols
        self._lookup = symbols if callable(symbols) else symbols.get
        self._memo: dict[sp.Basic, int] = {}

    def __call__(self, expr: Any) -> int:
        """Node of one expression (a SymPy expression, a condition or a Python number)."""
        try:
            expression = sp.sympify(expr, strict=True)
        except (sp.SympifyError, TypeError, ValueError, AttributeError):
            raise GraphError(f"a {type(expr).__name__} is no SymPy expression") from None
        if not isinstance(expression, (sp.Expr, Boolean)) or isinstance(
            expression, (sp.MatrixBase, sp.MatrixExpr)
        ):
            raise GraphError(f"{type(expr).__name__} {_quote(expression)} is no scalar expression")
        first, memo, stack = len(self.graph), self._memo, [expression]
        while stack:
            current = stack[-1]
            if current in memo:
                stack.pop()
                continue
            leaf = self._leaf(current)
            if leaf is not None:
                memo[current] = leaf
                stack.pop()
                continue
            missing = [part for part in self._parts(current) if part not in memo]
            if missing:
                stack.extend(reversed(missing))
            else:
                memo[current] = self._build(current)
                stack.pop()
        if self.graph.author is not None:
            remember(self.graph, first, self.graph.author)
        return memo[expression]

    # -- leaves ----------------------------------------------------------------------------------

    def _leaf(self, expr: sp.Basic) -> int | None:
        node = self._lookup(expr)
        if node is not None:
            return node
        if isinstance(expr, (sp.Number, sp.NumberSymbol)) or expr in (sp.I, sp.zoo):
            return self.graph.constant(self._number(expr))
        if isinstance(expr, _LEAVES):
            raise GraphError(f"{_quote(expr)} has no meaning here{self._known()}")
        if isinstance(expr, _UNEVALUATED):
            kind = type(expr).__name__
            raise GraphError(f"{kind} in {_quote(expr)} is not evaluated; apply .doit() first")
        return None

    def _known(self) -> str:
        if callable(self._symbols):
            return ""
        names = [str(symbol) for symbol in self._symbols]
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        return f"; known are {shown}" if names else "; no symbols were given"

    def _number(self, expr: sp.Basic) -> Number:
        """Exact value of an integer, fraction or float; nearest double of any other real number."""
        if isinstance(expr, sp.Rational) and expr.is_finite:
            return Fraction(int(expr.p), int(expr.q))
        value = expr if isinstance(expr, sp.Float) else expr.evalf(_DIGITS)
        if not isinstance(value, (sp.Float, sp.Rational)) or not value.is_finite:
            raise GraphError(f"{_quote(expr)} is not a finite real number")
        if expr is value and isinstance(value, sp.Float) and value._prec > 53:
            return Fraction(sp.Rational(value).p, sp.Rational(value).q)
        return float(value)

    # -- composites ------------------------------------------------------------------------------

    def _parts(self, expr: sp.Basic) -> Sequence[sp.Basic]:
        """Subexpressions whose nodes `_build` needs."""
        if isinstance(expr, sp.Mul):
            _, above, below = self._factors(expr)
            return [*above, *below]
        if isinstance(expr, sp.Piecewise):
            return [part for branch in _branches(expr) for part in branch]
        if isinstance(expr, sp.Pow) and expr.base is sp.E:
            return [expr.exp]
        if self._builder(expr) is None:
            raise GraphError(
                f"SymPy function {type(expr).__name__!r} in {_quote(expr)} is not supported; "
                f"supported are {', '.join(supported_functions())}"
            )
        return tuple(expr.args)

    @staticmethod
    def _builder(expr: sp.Basic) -> Build | None:
        for cls in type(expr).__mro__:
            if cls in _BUILD:
                return _BUILD[cls]
        return None

    def _factors(self, product: sp.Mul) -> tuple[list[sp.Basic], list[sp.Basic], list[sp.Basic]]:
        """(numbers, factors above, factors below the line) of a product."""
        numbers: list[sp.Basic] = []
        above: list[sp.Basic] = []
        below: list[sp.Basic] = []
        for factor in product.args:
            if factor.is_number and self._lookup(factor) is None:
                numbers.append(factor)
            elif (
                isinstance(factor, sp.Pow)
                and isinstance(factor.exp, (sp.Rational, sp.Float))
                and factor.exp.is_negative
                and self._lookup(factor) is None
            ):
                below.append(sp.Pow(factor.base, -factor.exp))
            else:
                above.append(factor)
        return numbers, above, below

    def _build(self, expr: sp.Basic) -> int:
        g, memo = self.graph, self._memo
        if isinstance(expr, sp.Mul):
            return self._product(expr)
        if isinstance(expr, sp.Piecewise):
            return self._piecewise(expr)
        if isinstance(expr, sp.Pow) and expr.base is sp.E:
            return g.unary("exp", memo[expr.exp])
        if isinstance(expr, sp.Pow) and _is_even_power(expr.base):
            base, exponent = memo[expr.base.base], int(expr.base.exp)
            power = g.mul(g.constant(exponent), memo[expr.exp])
            number = g.number(power)
            is_even = number is not None and number % 2 == 0
            return g.pow(base if is_even else g.unary("abs", base), power)
        args = tuple(memo[arg] for arg in expr.args)
        if (
            isinstance(expr, sp.Expr)
            and all(g.op[arg] == "const" for arg in args)
            and expr.is_number
        ):
            return g.constant(self._number(expr))
        build = self._builder(expr)
        assert build is not None, "checked by _parts"
        try:
            return build(g, args)
        except GraphError as error:
            raise GraphError(f"{_quote(expr)}: {error}") from None

    def _product(self, product: sp.Mul) -> int:
        g, memo = self.graph, self._memo
        numbers, above, below = self._factors(product)
        coefficient = g.constant(self._number(sp.Mul(*numbers)))
        times = _chain(Graph.mul, 1)
        numerator = times(g, tuple(memo[factor] for factor in above))
        if not below:
            return g.mul(coefficient, numerator)
        denominator = times(g, tuple(memo[factor] for factor in below))
        if not above:
            return g.div(coefficient, denominator)
        return g.mul(coefficient, g.div(numerator, denominator))

    def _piecewise(self, piecewise: sp.Piecewise) -> int:
        """First branch whose condition holds. The last must hold wherever no other does."""
        branches = _branches(piecewise)
        if branches[-1][1] is not sp.true and sp.Or(*(cond for _, cond in branches)) is not sp.true:
            raise GraphError(
                f"{_quote(piecewise)} has no value where none of its conditions holds; "
                "end it with a default branch (value, True)"
            )
        result = self._memo[branches[-1][0]]
        for value, condition in reversed(branches[:-1]):
            result = self.graph.select(self._memo[condition], self._memo[value], result)
        return result


def from_sympy(graph: Graph, expr: Any, symbols: SymbolMap) -> int:
    """Node of a SymPy expression.

    A `Piecewise` must end in a default branch or have conditions that visibly cover everything
    (``x < 0``, ``x >= 0``); all its branches are evaluated, one is chosen. A product is read as
    number * (factors / factors), so ``a/b/c`` costs one product and one division.

    Parameters
    ----------
    graph : Graph
    expr : sympy expression, condition or Python number
    symbols : mapping or callable
        Node of each leaf: `Symbol`, ``q(t)``, ``q(t).diff(t)``, `Indexed`; see `SympyReader`.

    Examples
    --------
    >>> g = Graph()
    >>> a, b, c = sp.symbols("a b c")
    >>> node = from_sympy(g, a / b / c, {s: g.symbol(s.name) for s in (a, b, c)})
    >>> g.op[node]
    'div'
    >>> try:
    ...     from_sympy(g, sp.gamma(a), {a: g.symbol("a")})
    ... except GraphError as error:
    ...     print(str(error)[:52])
    SymPy function 'gamma' in gamma(a) is not supported;
    """
    return SympyReader(graph, symbols)(expr)


def from_sympy_matrix(graph: Graph, matrix: Any, symbols: SymbolMap) -> list[int]:
    """Nodes, row by row, of the entries of a matrix, an array, or a (nested) sequence.

    >>> g = Graph()
    >>> x = sp.Symbol("x")
    >>> from_sympy_matrix(g, sp.Matrix([[1, x], [x, 1]]), {x: g.symbol("x")})
    [2, 1, 1, 2]
    """
    read = SympyReader(graph, symbols)
    return [read(entry) for entry in sp.flatten(matrix)]
