"""Derivatives at the ends of the domains of functions: sqrt and powers at 0, acos at 1.

There a partial derivative is infinite, and times the rate 0 of an argument that rests at the end it
is no number, though the derivative of a law that is switched off is 0. So a partial derivative is 0
where its argument is constant by the structure of the graph, as max(x, 0) is for x <= 0; of both
sides of such a bound that is the side where the law is constant. The root of a sum of squares has
at 0 the mean of the slopes on both sides, 0, as abs has.

Where no finite derivative is left, as of sqrt(x) at 0, functions fail (`end_guards`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from eomc.derive.graph.function import Argument, Guard
from eomc.derive.graph.node import ZERO, Graph
from eomc.derive.graph.traverse import dependents, reachable

ENDING = frozenset({"sqrt", "pow", "log", "div", "asin", "acos", "acosh", "atanh", "atan2"})
"""Operations with derivatives that grow without bound towards an end of the domain."""

_LARGEST = 1e38
"""Of a derivative that counts as finite; within the range of all scalar types."""
_FLAT = frozenset({"const", "sign", "floor", "lt", "le", "eq", "and", "or", "not"})
_ZERO_AT_ZERO = frozenset(
    {"neg", "sqrt", "abs", "sign", "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh"}
)


def ending(g: Graph, node: int, rests: Sequence[int], make: Callable[[], int]) -> int:
    """A partial derivative of `node`, or a factor of it, that `make` builds and that is infinite at
    an end of its domain: 0 where all of `rests` are constant."""
    first = len(g)
    found = make()
    constant = g.constant(1)
    for argument in rests:
        constant = g.logical_and(constant, _resting(g, argument)[0])
    if rests:
        found = g.select(constant, ZERO, found)
    if node in g.laws:
        owner = g.laws[node]
        remember(g, first, owner)
        if g.op[found] != "const":
            g.ends.setdefault(g.without_sign(found), owner)
    return found


def _plain(name: str) -> str:
    return re.sub("[^A-Za-z0-9_]", "_", name)


@contextmanager
def law_of(g: Graph, name: str) -> Iterator[None]:
    """Count what is read meanwhile as laws of the element `name`."""
    before, g.author = g.author, _plain(name)
    try:
        yield
    finally:
        g.author = before


def remember_law(g: Graph, first: int, name: str) -> None:
    """The nodes from `first` on belong to a law of the element of that name."""
    remember(g, first, _plain(name))


def remember(g: Graph, first: int, owner: str) -> None:
    """The nodes from `first` on belong to a law of the element `owner`."""
    for node in range(first, len(g)):
        if g.op[node] in ENDING:
            g.laws.setdefault(node, owner)


def root_of_squares(g: Graph, node: int) -> int | None:
    """The condition under which a sum of squares is 0; None of what is no such sum."""
    squared: list[int] = []
    plain = True
    stack = [node]
    while stack:
        term = stack.pop()
        if g.op[term] == "add":
            stack += g.args[term]
            continue
        if g.op[term] != "mul":
            return None
        a, b = g.args[term]
        if a != b:
            weight, square = (a, b) if _is_square(g, b) else (b, a)
            number = g.number(weight)
            if not _is_square(g, square) or (number is not None and number <= 0):
                return None
            plain = plain and number is not None
            a = g.args[square][0]
        if _is_square(g, a):
            return None  # of x^4 the second derivative at 0 would be lost
        squared.append(a)
    if plain:
        return g.equal(node, ZERO)
    together = g.constant(1)
    for a in squared:
        together = g.logical_and(together, g.equal(a, ZERO))
    return together


def _is_square(g: Graph, node: int) -> bool:
    return g.op[node] == "mul" and g.args[node][0] == g.args[node][1]


# -- where an expression is constant ---------------------------------------------------------------


def _resting(g: Graph, node: int) -> tuple[int, int]:
    """Conditions under which a node is constant, and constantly 0, whatever its symbols do."""
    known, stack = g.resting, [node]
    while stack:
        current = stack[-1]
        missing = [arg for arg in g.args[current] if arg not in known]
        if current in known or not missing:
            stack.pop()
            if current not in known:
                known[current] = _rule(g, current)
        else:
            stack += missing
    return known[node]


def _rule(g: Graph, node: int) -> tuple[int, int]:
    op, args, known = g.op[node], g.args[node], g.resting
    always = g.constant(1)
    if op in _FLAT or node in g.frozen:
        return always, always if node == ZERO else ZERO
    if op == "symbol":
        return ZERO, ZERO
    if op == "select":
        condition, *branches = args
        return _chosen(g, (condition, g.logical_not(condition)), branches)
    if op in ("min", "max"):
        a, b = args
        below, above = g.less_equal(a, b), g.less_equal(b, a)
        return _chosen(g, (below, above) if op == "min" else (above, below), args)
    constant = always
    for arg in args:
        constant = g.logical_and(constant, known[arg][0])
    zeros = [known[arg][1] for arg in args]
    zero = ZERO
    if op == "mul":
        zero = g.logical_or(*zeros)
    elif op in ("add", "sub"):
        zero = g.logical_and(*zeros)
    elif op in _ZERO_AT_ZERO or op in ("div", "pow"):
        zero = zeros[0]
    return g.logical_or(constant, zero), zero


def _chosen(g: Graph, conditions: Sequence[int], branches: Sequence[int]) -> tuple[int, int]:
    found = []
    for k in (0, 1):
        parts = [
            g.logical_and(condition, g.resting[branch][k])
            for condition, branch in zip(conditions, branches, strict=True)
        ]
        found.append(g.logical_or(*parts))
    return found[0], found[1]


# -- where there is no derivative ------------------------------------------------------------------


def end_guards(
    g: Graph, outputs: Iterable[Argument], inputs: Iterable[Argument]
) -> Iterator[Guard]:
    """Guards that fail where a derivative among `outputs` is not finite because a law ends there,
    by elements; an infinite factor that no entry takes over does no harm, nor does one that depends
    on none of `inputs`."""
    if not g.ends:
        return
    entries = [node for output in outputs for node in output.entries]
    order = reachable(g, entries)
    moving = dependents(g, order, [node for given in inputs for node in given.entries])
    ends = [node for node in order if node in g.ends and node in moving]
    if not ends:
        return
    dependent, total = dependents(g, order, ends), ZERO
    for node in dict.fromkeys(map(g.without_sign, entries)):
        if node in dependent:
            total = g.add(total, node)
    largest = g.constant(_LARGEST)
    room = g.sub(largest, g.unary("abs", total))
    for owner in dict.fromkeys(g.ends[node] for node in ends):
        size = g.total([g.unary("abs", node) for node in ends if g.ends[node] == owner])
        code = f"no_derivative_of_{owner}" if owner else "no_derivative"
        yield Guard(g.select(g.less_equal(size, largest), g.constant(1), room), code)
