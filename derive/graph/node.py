"""The expression graph: scalar operations, each stored once.

A node is an integer into one `Graph`. Building the same operation on the same arguments twice gives
the same node (hash-consing), so a common subexpression never exists twice and no simplification
pass is needed. Normalization happens on construction:

- operations on constants fold; ``0 + x``, ``1 * x``, ``2 * x - x`` and their kin vanish;
- signs move outwards: ``(-a) * b`` is ``-(a * b)``, ``a + (-b)`` is ``a - b``; ``a - b`` and
  ``b - a`` share one node;
- commutative arguments are ordered, so ``a * b`` and ``b * a`` are one node;
- the sine and the cosine of one angle are created together, next to each other.

Arguments always have smaller indices than the node that uses them: index order is a topological
order, and two runs of one derivation number their nodes alike.

Constants are exact (`int`, `Fraction`) wherever the input was; a float that is not a short binary
fraction stays a float.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from eomc.derive.graph.function_table import EVEN, FOLD, ODD, UNARY

Number = int | Fraction | float

#: The node of the constant 0, the first of every graph.
ZERO = 0

_SHORT_DENOMINATOR = 1024
_LARGEST_EXACT_INTEGER = 2**53
_LARGEST_HALF_POWER = 128
_MOST_BITS = 1023


class GraphError(ValueError):
    """An operation that has no finite real value, such as a division by the constant zero."""


def exact(value: Any) -> Number:
    """Return `value` as int or Fraction where that loses nothing and stays short.

    >>> exact(2.0), exact(0.25), exact(0.1)
    (2, Fraction(1, 4), 0.1)
    """
    if type(value) is int:
        if value.bit_length() > _MOST_BITS:
            raise GraphError("an integer constant is beyond the range of double precision")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise GraphError(f"constant {value} is not finite")
        if value.is_integer() and abs(value) <= _LARGEST_EXACT_INTEGER:
            return int(value)
        numerator, denominator = value.as_integer_ratio()
        if denominator <= _SHORT_DENOMINATOR and abs(numerator) <= _LARGEST_EXACT_INTEGER:
            return Fraction(numerator, denominator)
        return float(value)
    if isinstance(value, Fraction):
        if value.denominator == 1:
            return exact(int(value))
        if max(value.numerator.bit_length(), value.denominator.bit_length()) <= _MOST_BITS:
            return value
        try:
            return exact(float(value))
        except OverflowError:
            raise GraphError("a constant is beyond the range of double precision") from None
    if isinstance(value, Integral):
        return exact(int(value))
    if isinstance(value, Real):
        return exact(float(value))
    raise GraphError(f"{value!r} is no real number")


class Graph:
    """Hash-consed graph of scalar operations.

    Attributes
    ----------
    op : list of str
        Operation code of each node: ``const``, ``symbol``, ``neg``, ``add``, ``sub``, ``mul``,
        ``div``, ``pow``, the unary functions of `function_table.UNARY`, ``atan2``, ``min``,
        ``max``, the comparisons ``lt``, ``le``, ``eq``, the logic ``and``, ``or``, ``not``, and
        ``select`` (condition, then, else).
    args : list of tuple of int
        Arguments of each node.
    value : list
        The number of a ``const``, the name of a ``symbol``, None otherwise.
    labels : dict of int to str
        What a node means physically, where the derivation said so.
    required : dict of int to str
        Nodes that must be above zero where anything is evaluated that depends on them, and the code
        of the failure.
    frozen : set of int
        Nodes that derivatives take for constants.
    author : str or None
        The element whose law is being read, as it stands in codes of failures, empty where laws
        have no names; None while no law of the user is read.
    laws : dict of int to str
        Nodes of laws that users give, and whose law it is.
    ends : dict of int to str
        Factors of derivatives of laws that are infinite where the law ends, and whose law it is.
    resting : dict of int to (int, int)
        Conditions under which nodes are constant, and 0 (`eomc.derive.graph.ends`).
    columns : list of tuple of int or None
        What a sweep along several directions has made of one node, by direction; None for 0.
    bodies : list of tuple of int
        A quantity of which each body of a tree has one, by body.
    changes : list of dict of int to int
        What nodes change by along one direction, for each direction that is remembered.

    Examples
    --------
    >>> g = Graph()
    >>> x, y = g.symbol("x"), g.symbol("y")
    >>> g.mul(x, y) == g.mul(y, x)
    True
    >>> g.sub(x, y) == g.neg(g.sub(y, x))
    True
    """

    __slots__ = (
        "_index",
        "args",
        "author",
        "bodies",
        "changes",
        "columns",
        "ends",
        "frozen",
        "labels",
        "laws",
        "op",
        "required",
        "resting",
        "value",
    )

    def __init__(self) -> None:
        self.op: list[str] = []
        self.args: list[tuple[int, ...]] = []
        self.value: list[Number | str | None] = []
        self.labels: dict[int, str] = {}
        self.required: dict[int, str] = {}
        self.frozen: set[int] = set()
        self.author: str | None = None
        self.laws: dict[int, str] = {}
        self.ends: dict[int, str] = {}
        self.resting: dict[int, tuple[int, int]] = {}
        self.columns: list[tuple[int | None, ...]] = []
        self.bodies: list[tuple[int, ...]] = []
        self.changes: list[dict[int, int]] = []
        self._index: dict[object, int] = {}
        self._append("const", (), 0, 0)

    def __len__(self) -> int:
        return len(self.op)

    # -- storage ---------------------------------------------------------------------------------

    def _node(self, op: str, *args: int) -> int:
        key = (op, args)
        node = self._index.get(key)
        if node is None:  # `_append`, without the call
            node = self._index[key] = len(self.op)
            self.op.append(op)
            self.args.append(args)
            self.value.append(None)
        return node

    def _append(
        self, op: str, args: tuple[int, ...], value: Number | str | None, key: object
    ) -> int:
        node = len(self.op)
        self.op.append(op)
        self.args.append(args)
        self.value.append(value)
        self._index[key] = node
        return node

    def constant(self, value: Any) -> int:
        """Node of a number; raises `GraphError` if it is not finite."""
        known = self._index.get(value)  # equal numbers of all types are one key
        if known is not None:
            return known
        value = exact(value)
        node = self._index.get(value)
        return self._append("const", (), value, value) if node is None else node

    def symbol(self, name: str) -> int:
        """Node of a named input; the same name gives the same node."""
        key = ("symbol", name)
        node = self._index.get(key)
        return self._append("symbol", (), name, key) if node is None else node

    def label(self, node: int, meaning: str) -> int:
        """Say what `node` means; the first meaning given stays. Returns `node`."""
        if self.op[node] not in ("const", "symbol", "neg"):
            self.labels.setdefault(node, meaning)
        return node

    def number(self, node: int) -> Number | None:
        """Value of a constant node, None for any other."""
        return self.value[node] if self.op[node] == "const" else None  # type: ignore[return-value]

    def is_zero(self, node: int) -> bool:
        """True if `node` is the constant 0 (a structural zero)."""
        return node == ZERO

    def without_sign(self, node: int) -> int:
        """x of the node -x, the node itself of others."""
        return self._magnitude(node)[1]

    def _magnitude(self, node: int) -> tuple[bool, int]:
        """(is negative, node without its sign)."""
        op = self.op[node]
        if op == "neg":
            return True, self.args[node][0]
        if op == "const":
            value: Number = self.value[node]  # type: ignore[assignment]
            if value < 0:
                return True, self.constant(-value)
        return False, node

    def _fold(self, value: Number) -> int:
        if isinstance(value, float) and not math.isfinite(value):
            raise GraphError("an operation on constants has no finite value")
        return self.constant(value)

    # -- arithmetic ------------------------------------------------------------------------------

    def neg(self, a: int) -> int:
        """-a"""
        op = self.op[a]
        if op == "neg":
            return self.args[a][0]
        if a == ZERO:
            return a
        if op == "const":
            return self.constant(-self.value[a])  # type: ignore[operator]
        return self._node("neg", a)

    def add(self, a: int, b: int) -> int:
        """a + b"""
        op = self.op
        if a == ZERO:
            return b
        if b == ZERO:
            return a
        if op[a] == "const" and op[b] == "const":
            return self._fold(self.value[a] + self.value[b])  # type: ignore[operator, arg-type]
        if op[a] == "neg":
            negative_a, x = True, self.args[a][0]
        else:
            negative_a, x = self._magnitude(a) if op[a] == "const" else (False, a)
        if op[b] == "neg":
            negative_b, y = True, self.args[b][0]
        else:
            negative_b, y = self._magnitude(b) if op[b] == "const" else (False, b)
        if negative_a:
            return self.neg(self._sum("add", x, y)) if negative_b else self._sum("sub", y, x)
        return self._sum("sub" if negative_b else "add", x, y)

    def total(self, terms: Sequence[int]) -> int:
        """Sum of terms, in their order."""
        result = ZERO
        for term in terms:
            result = self.add(result, term)
        return result

    def sub(self, a: int, b: int) -> int:
        """a - b"""
        return a if b == ZERO else self.add(a, self.neg(b))

    def _sum(self, op: str, x: int, y: int) -> int:
        """x + y or x - y (``add``, ``sub``) of nodes without a sign: 2 z + 3 z is 5 z."""
        c: Any = 1
        d: Any = 1
        a, b = x, y
        if self.op[x] == "mul" and self.op[self.args[x][0]] == "const":
            c, a = self.value[self.args[x][0]], self.args[x][1]
        if self.op[y] == "mul" and self.op[self.args[y][0]] == "const":
            d, b = self.value[self.args[y][0]], self.args[y][1]
        if a == b:
            return self.mul(self._fold(c + d if op == "add" else c - d), a)
        if x < y:
            return self._node(op, x, y)
        return self._node("add", y, x) if op == "add" else self.neg(self._node("sub", y, x))

    def mul(self, a: int, b: int) -> int:
        """a * b"""
        if a == ZERO or b == ZERO:
            return ZERO
        op, value = self.op, self.value
        if op[b] == "const":
            a, b = b, a
        if op[a] == "const":
            number: Number = value[a]  # type: ignore[assignment]
            if number == 1:
                return b
            if number == -1:
                return self.neg(b)
            if op[b] == "const":
                return self._fold(number * value[b])  # type: ignore[operator, arg-type]
            if op[b] == "mul" and op[self.args[b][0]] == "const":
                inner, rest = self.args[b]
                factor: Number = value[inner]  # type: ignore[assignment]
                return self.mul(self._fold(number * factor), rest)
        if op[a] == "neg":
            negative_a, x = True, self.args[a][0]
        else:
            negative_a, x = self._magnitude(a) if op[a] == "const" else (False, a)
        negative_b, y = (True, self.args[b][0]) if op[b] == "neg" else (False, b)
        if op[y] == "const" or (op[x] != "const" and y < x):
            x, y = y, x  # a constant factor stands first
        if x == y and op[x] == "abs":
            x = y = self.args[x][0]
        if op[x] == "const" and op[y] == "mul":
            product = self.mul(x, y) if (x, y) != (a, b) else self._node("mul", x, y)
        else:
            product = self._node("mul", x, y)
        return self.neg(product) if negative_a != negative_b else product

    def div(self, a: int, b: int) -> int:
        """a / b; a constant divisor becomes a factor."""
        divisor = self.number(b)
        if divisor is not None:
            if divisor == 0:
                raise GraphError("division by the constant zero")
            dividend = self.number(a)
            if isinstance(divisor, float) or isinstance(dividend, float):
                if dividend is not None:
                    return self._fold(float(dividend) / float(divisor))
                return self.mul(self._fold(1.0 / float(divisor)), a)
            return self.mul(self.constant(Fraction(1) / divisor), a)
        if self.is_zero(a):
            return a
        negative_a, x = self._magnitude(a)
        negative_b, y = self._magnitude(b)
        quotient = self.constant(1) if x == y else self._node("div", x, y)
        return self.neg(quotient) if negative_a != negative_b else quotient

    def pow(self, a: int, b: int) -> int:
        """a ** b; whole and half powers become products, quotients and square roots."""
        exponent: Number | None = self.number(b)
        if exponent is not None and not isinstance(exponent, float):
            doubled: Number = 2 * exponent
            if doubled == int(doubled) and -_LARGEST_HALF_POWER <= doubled <= _LARGEST_HALF_POWER:
                return self._half_power(a, int(doubled))
        base = self.number(a)
        if base is not None and exponent is not None:
            whole = exponent == int(exponent)
            if (base < 0 and not whole) or (base == 0 and exponent < 0):
                raise GraphError(f"{base} ** {exponent} has no finite real value")
            try:
                return self._fold(float(base) ** float(exponent))
            except OverflowError:
                raise GraphError(f"{base} ** {exponent} overflows double precision") from None
        if base == 1:
            return a
        return self._node("pow", a, b)

    def _half_power(self, a: int, doubled: int) -> int:
        if doubled < 0:
            return self.div(self.constant(1), self._half_power(a, -doubled))
        whole, half = divmod(doubled, 2)
        result = self.sqrt(a) if half else self.constant(1)
        square = a
        while whole:
            if whole & 1:
                result = self.mul(result, square)
            whole >>= 1
            if whole:
                square = self.mul(square, square)
        return result

    def sqrt(self, a: int) -> int:
        """Square root; exact on perfect squares."""
        return self.unary("sqrt", a)

    # -- functions -------------------------------------------------------------------------------

    def unary(self, op: str, a: int) -> int:
        """Elementary function of one argument, `op` one of `function_table.UNARY`."""
        if op not in UNARY:
            raise GraphError(f"unknown function {op!r}; known are {', '.join(sorted(UNARY))}")
        number = self.number(a)
        if number is not None:
            try:
                return self._fold(FOLD[op](number))
            except (ValueError, OverflowError, ZeroDivisionError):
                raise GraphError(f"{op}({number}) has no finite real value") from None
        if op in ODD or op in EVEN:
            negative, x = self._magnitude(a)
            if negative:
                return self.neg(self.unary(op, x)) if op in ODD else self.unary(op, x)
        if op == "sin" or op == "cos":
            sine = self._node("sin", a)
            cosine = self._node("cos", a)
            return sine if op == "sin" else cosine
        return self._node(op, a)

    def binary(self, op: str, a: int, b: int) -> int:
        """``atan2(a, b)``, ``min(a, b)`` or ``max(a, b)``."""
        if op not in ("atan2", "min", "max"):
            raise GraphError(f"unknown function {op!r} of two arguments; known are atan2, min, max")
        x, y = self.number(a), self.number(b)
        if x is not None and y is not None:
            if op == "atan2":
                return self._fold(math.atan2(x, y))
            return self._fold(min(x, y) if op == "min" else max(x, y))
        if op == "atan2":
            return self._node(op, a, b)
        if a == b:
            return a
        # What stands second is taken where no comparison holds: NaN is not lost beside a number.
        if y is not None or (x is None and b < a):
            a, b = b, a
        return self._node(op, a, b)

    # -- switches --------------------------------------------------------------------------------

    def _compare(self, op: str, a: int, b: int) -> int:
        x, y = self.number(a), self.number(b)
        if a == b:
            return self.constant(int(op != "lt"))
        if x is not None and y is not None:
            truth = x < y if op == "lt" else x <= y if op == "le" else x == y
            return self.constant(int(truth))
        return self._node(op, a, b)

    def less(self, a: int, b: int) -> int:
        """Condition a < b."""
        return self._compare("lt", a, b)

    def less_equal(self, a: int, b: int) -> int:
        """Condition a <= b."""
        return self._compare("le", a, b)

    def equal(self, a: int, b: int) -> int:
        """Condition a == b."""
        return self._compare("eq", min(a, b), max(a, b))

    def logical_and(self, a: int, b: int) -> int:
        """Condition a and b."""
        for x, y in ((a, b), (b, a)):
            if self.op[x] == "const":
                return y if self.value[x] else x
        return a if a == b else self._node("and", min(a, b), max(a, b))

    def logical_or(self, a: int, b: int) -> int:
        """Condition a or b."""
        for x, y in ((a, b), (b, a)):
            if self.op[x] == "const":
                return x if self.value[x] else y
        return a if a == b else self._node("or", min(a, b), max(a, b))

    def logical_not(self, a: int) -> int:
        """Condition not a."""
        if self.op[a] == "const":
            return self.constant(int(not self.value[a]))
        return self.args[a][0] if self.op[a] == "not" else self._node("not", a)

    def select(self, condition: int, then: int, otherwise: int) -> int:
        """`then` where `condition` holds, else `otherwise`; both are evaluated."""
        if self.op[condition] == "const":
            return then if self.value[condition] else otherwise
        if then == otherwise:
            return then
        if self.op[condition] == "not":
            return self.select(self.args[condition][0], otherwise, then)
        return self._node("select", condition, then, otherwise)
