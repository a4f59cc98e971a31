"""Derivatives at the ends of domains, against one-sided differences in 200 digits.

The witness evaluates the same tree of functions by mpmath, which knows no derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eomc.derive.graph import ForwardSweep, Graph, evaluate, reverse_gradient
from eomc.derive.graph.sympy_reader import from_sympy
from eomc.derive.language.grammar import parse_expression

Number = Any
Tree = tuple[str, Callable[[Number], Number]]
"""Text of the grammar, and the function of x in many digits; None where it has no real value."""

STEPS = ("1e-60", "1e-80")


def slopes_of(text: str, **at: float) -> tuple[list[list[float]], list[float]]:
    """First derivatives by all symbols, forward and reverse; the second one by the first symbol."""
    g, names = Graph(), list(at)
    g.author = ""
    nodes = {sympy.Symbol(name): g.symbol(name) for name in names}
    f, one = from_sympy(g, parse_expression(text, names), nodes), g.constant(1)
    forward = [ForwardSweep(g, [f])({node: one})[0] for node in nodes.values()]
    reverse = reverse_gradient(g, f, list(nodes.values()))
    first = next(iter(nodes.values()))
    second = [ForwardSweep(g, [d[0]])({first: one})[0] for d in (forward, reverse)]
    values = [float(x) for x in evaluate(g, [*forward, *reverse, *second], at)]
    n = len(names)
    return [values[:n], values[n : 2 * n]], values[2 * n :]


def limits(f: Callable[[Number], Number], x: Number) -> tuple[float | None, float | None]:
    """Limits of the slope from below and from above; None where there is none."""
    found: list[float | None] = []
    with mpmath.workdps(200):
        for side in (-1, 1):
            slopes = []
            for step in STEPS:
                h = side * mpmath.mpf(step)
                here, there = f(mpmath.mpf(x)), f(mpmath.mpf(x) + h)
                slopes.append(None if here is None or there is None else (there - here) / h)
            a, b = slopes
            is_known = a is not None and b is not None and abs(a - b) < mpmath.mpf("1e-10")
            found.append(float(b) if is_known else None)
    return found[0], found[1]


# -- laws by name ----------------------------------------------------------------------------------

OFF = [
    ("max(x,0)**1.5", -1.0),
    ("max(x,0)**1.5", 0.0),
    ("sqrt(max(x,0))", -1.0),
    ("sqrt(max(x,0))", 0.0),
    ("max(x,0)**1.2", 0.0),
    ("acos(min(1,x))", 2.0),
    ("acos(min(1,x))", 1.0),
    ("asin(max(-1,min(1,x)))", -3.0),
    ("acosh(max(x,1))", 0.5),
    ("sqrt(1-min(x,1)**2)", 2.0),
    ("where(x>0,sqrt(x),0)", -1.0),
    ("where(x>0,1/x,0)", 0.0),
    ("where(x>0,log(x),0)", 0.0),
    ("where(x>0,x**1.5,0)", -1.0),
    ("max(sqrt(x),1)", 0.0),
    ("atan2(max(x,0),max(x,0))", -1.0),
    ("max(min(x,0)+1,1)**0.5", -2.0),
]


@pytest.mark.parametrize(("text", "x"), OFF)
def test_a_law_that_is_off_has_the_slope_zero(text: str, x: float) -> None:
    first, second = slopes_of(text, x=x)
    assert first == [[0.0], [0.0]]
    assert second == [0.0, 0.0]


@pytest.mark.parametrize("x", [-1.0, 0.0])
def test_parameters_of_a_law_that_is_off(x: float) -> None:
    first, _ = slopes_of(
        "k*max(x,0)**p + sqrt(2*k*max(x,0)) + where(x>0,k*x*sqrt(x),0)", x=x, k=3.0, p=1.5
    )
    assert first == [[0.0] * 3] * 2


THROUGH_ZERO = [
    ("abs(x)**1.5*sign(x)", 0.0),
    ("(x**2)**0.75", 0.0),
    ("x*sqrt(abs(x))", 0.0),
    ("k*x*abs(x)**p", 0.0),
    ("k*sign(x)*abs(x)", 2.0),
    ("sqrt(x**2+y**2)*x", 0.0),
    ("(x**2+y**2)**0.75", 0.0),
    ("(x**2+y**2)**1.5", 0.0),
    ("x**1.5", 0.0),
    ("x**2.5", 0.0),
    ("sqrt(x**2)", 0.0),
    ("abs(x)", 0.0),
    ("sqrt(k*x**2)", 0.0),
    ("sqrt(x**6)", 0.0),
]


@pytest.mark.parametrize(("text", "slope"), THROUGH_ZERO)
def test_slopes_at_zero(text: str, slope: float) -> None:
    """Limits by hand; at a kink the mean of both sides."""
    first, _ = slopes_of(text, x=0.0, y=0.0, k=2.0, p=0.5)
    assert [row[0] for row in first] == [slope, slope]


@pytest.mark.parametrize(
    ("text", "bend"),
    [
        ("sqrt(x**4)", 2.0),
        ("abs(x)**2", 2.0),
        ("abs(x)**p", 2.0),
        ("x**2.5", 0.0),
        ("(x**2+y**2)**1.5", 0.0),
        ("max(x,0)**2.5", 0.0),
    ],
)
def test_second_slopes_at_zero(text: str, bend: float) -> None:
    _, second = slopes_of(text, x=0.0, y=0.0, p=2.0)
    assert second == [bend, bend]


@pytest.mark.parametrize(
    "text",
    [
        "sqrt(x)",
        "sqrt(abs(x))",
        "abs(x)**0.3",
        "acos(1+x)",
        "asin(x-1)",
        "log(x)",
        "1/x",
        "acosh(1-x)",
        "atanh(1-x)",
        "sign(x)*sqrt(abs(x))",
        "min(sqrt(x),1)",
        "atan2(x,abs(x))",
    ],
)
def test_no_slope_is_made_up_where_there_is_none(text: str) -> None:
    first, second = slopes_of(text, x=0.0)
    assert not np.isfinite([*first[0], *first[1], *second]).any()


# -- laws at random --------------------------------------------------------------------------------


def _real(function: Callable[..., Number]) -> Callable[..., Number]:
    def total(*values: Number) -> Number:
        if None in values:
            return None
        try:
            value = function(*values)
        except (ArithmeticError, ValueError):
            return None
        return value if isinstance(value, mpmath.mpf) else None

    return total


def _combined(text: str, function: Callable[..., Number], *trees: Tree) -> Tree:
    total, parts = _real(function), [f for _, f in trees]
    return text.format(*(t for t, _ in trees)), lambda x: total(*(f(x) for f in parts))


class Ties:
    """How many bounds are met exactly: of two that are, no slope is right on both sides."""

    met = 0

    @classmethod
    def between(cls, a: Number, b: Number) -> None:
        cls.met += a == b


def _max(a: Number, b: Number) -> Number:
    Ties.between(a, b)
    return mpmath.mpf(max(a, b))


def _min(a: Number, b: Number) -> Number:
    Ties.between(a, b)
    return mpmath.mpf(min(a, b))


def _abs(a: Number) -> Number:
    Ties.between(a, 0)
    return abs(a)


def _where(bound: float, a: Tree, b: Tree) -> Tree:
    def chosen(x: Number) -> Number:
        Ties.between(x, bound)
        return (a if x > bound else b)[1](x)

    return f"where(x > {bound}, {a[0]}, {b[0]})", chosen


ONE = [
    ("sin({})", mpmath.sin),
    ("exp({})", mpmath.exp),
    ("atan({})", mpmath.atan),
    ("abs({})", _abs),
    ("max({}, 0)", lambda v: _max(v, 0)),
    ("min({}, 1)", lambda v: _min(v, 1)),
    ("({})**2", lambda v: v * v),
    ("(1 + ({})**2)", lambda v: 1 + v * v),
    ("-({})", lambda v: -v),
    ("2*({})", lambda v: 2 * v),
    ("log(1 + abs({}))", lambda v: mpmath.log(1 + _abs(v))),
]
ENDED = [
    ("sqrt(max({}, 0))", lambda v: mpmath.sqrt(_max(v, 0))),
    ("max({}, 0)**1.5", lambda v: _max(v, 0) ** 1.5),
    ("max({}, 0)**2.5", lambda v: _max(v, 0) ** 2.5),
    ("abs({})**1.5", lambda v: _abs(v) ** 1.5),
    ("(({})**2)**0.75", lambda v: _abs(v) ** 1.5),
    ("acos(min(1, max(-1, {})))", lambda v: mpmath.acos(_min(1, _max(-1, v)))),
    ("acosh(max({}, 1))", lambda v: mpmath.acosh(_max(v, 1))),
    ("sqrt({})", mpmath.sqrt),
    ("abs({})**0.5", lambda v: _abs(v) ** 0.5),
    ("asin({})", mpmath.asin),
]
TWO = [
    ("({} + {})", lambda a, b: a + b),
    ("({} - {})", lambda a, b: a - b),
    ("({} * {})", lambda a, b: a * b),
    ("min({}, {})", _min),
    ("max({}, {})", _max),
]
PLACES = (-1.0, -0.5, 0.0, 0.5, 1.0, 2.0)


def _grown(trees: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    def one(words: tuple[str, Any], a: Tree) -> Tree:
        return _combined(*words, a)

    def two(words: tuple[str, Any], a: Tree, b: Tree) -> Tree:
        return _combined(*words, a, b)

    return st.one_of(
        st.builds(one, st.sampled_from([*ONE, *ENDED]), trees),
        st.builds(two, st.sampled_from(TWO), trees, trees),
        st.builds(_where, st.sampled_from(PLACES), trees, trees),
    )


LEAVES: st.SearchStrategy[Tree] = st.sampled_from(
    [
        ("x", lambda x: x),
        ("x", lambda x: x),
        ("(x - 1)", lambda x: x - 1),
        ("0.5", lambda x: mpmath.mpf(0.5)),
    ]
)
TREES = st.recursive(LEAVES, _grown, max_leaves=3)


@given(TREES, st.sampled_from(PLACES))
@settings(max_examples=80, deadline=None)
def test_random_laws_have_one_sided_slopes(tree: Tree, x: float) -> None:
    """A finite slope is that of one of both sides, or their mean; forward and reverse agree."""
    text, f = tree
    Ties.met = 0
    assume(f(mpmath.mpf(x)) is not None and Ties.met < 2)
    below, above = limits(f, x)
    try:
        (forward, reverse), _ = slopes_of(text, x=x)
    except Exception as error:
        assume(type(error).__name__ not in ("GraphError", "ExpressionError"))
        raise
    for slope in (*forward, *reverse):
        known = [side for side in (below, above) if side is not None]
        if np.isfinite(slope):
            mean = [sum(known) / 2] if len(known) == 2 else []
            assert any(abs(slope - s) < 1e-7 * (1 + abs(s)) for s in (*known, *mean)), text
        else:
            assert len(known) < 2 or abs(known[0] - known[1]) > 1e-7, text
