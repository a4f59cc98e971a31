"""Generated SymPy expressions: the graph agrees with SymPy in value, derivative and way back."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from eomc.derive.graph import (
    Graph,
    evaluate,
    evaluate_mp,
    forward_derivative,
    from_sympy,
    reachable,
    reverse_gradient,
    to_sympy,
    to_sympy_cse,
)

SYMBOLS = sp.symbols("x y z", real=True)
NAMES = {symbol.name: symbol for symbol in SYMBOLS}
DIGITS = 50
KINKS = ("abs", "sign", "min", "max", "lt", "le", "eq", "floor")

numbers = st.one_of(
    st.integers(-4, 4).map(sp.Integer),
    st.fractions(-3, 3, max_denominator=7).map(lambda f: sp.Rational(f.numerator, f.denominator)),
)
leaves = st.one_of(st.sampled_from(SYMBOLS), st.sampled_from(SYMBOLS), numbers)
FUNCTIONS = [
    sp.sin,
    sp.cos,
    sp.tanh,
    sp.atan,
    sp.asinh,
    sp.Abs,
    sp.sech,
    lambda e: sp.exp(sp.sin(e)),
    lambda e: sp.cosh(sp.cos(e)),
    lambda e: sp.sqrt(1 + e**2),
    lambda e: sp.log(2 + e**2),
    lambda e: (1 + e**2) ** sp.Rational(-3, 2),
    lambda e: (2 + sp.cos(e)) ** sp.Rational(1, 3),
    lambda e: sp.acosh(2 + e**2),
    lambda e: sp.acot(2 + e**2),
    lambda e: sp.sec(sp.tanh(e)),
    lambda e: sp.tan(sp.tanh(e)),
    lambda e: sp.asin(sp.tanh(e) / 2),
    lambda e: sp.acos(sp.tanh(e) / 2),
    lambda e: sp.atanh(sp.tanh(e) / 2),
    lambda e: sp.sinh(sp.sin(e)),
    sp.Heaviside,
    sp.sign,
]


def composites(inner: st.SearchStrategy[sp.Expr]) -> st.SearchStrategy[sp.Expr]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        pairs.map(lambda p: p[0] + p[1]),
        pairs.map(lambda p: p[0] - p[1]),
        pairs.map(lambda p: p[0] * p[1]),
        pairs.map(lambda p: p[0] / (1 + p[1] ** 2)),
        pairs.map(lambda p: p[0] * (2 + p[1] ** 2) ** -2),
        st.tuples(inner, st.integers(2, 4)).map(lambda p: p[0] ** p[1]),
        pairs.map(lambda p: sp.atan2(p[0], 1 + p[1] ** 2)),
        pairs.map(lambda p: sp.Max(*p)),
        pairs.map(lambda p: sp.Min(*p)),
        pairs.map(lambda p: (2 + sp.sin(p[0])) ** sp.tanh(p[1])),
        st.tuples(inner, inner, inner).map(
            lambda p: sp.Piecewise((p[0], p[1] < p[2]), (p[1] * p[2], True))
        ),
        st.tuples(inner, inner, inner).map(
            lambda p: sp.Piecewise(
                (p[0], sp.And(p[1] > 0, p[2] >= -1)), (p[1], p[2] > 1), (p[2], True)
            )
        ),
        st.tuples(st.sampled_from(FUNCTIONS), inner).map(lambda p: p[0](p[1])),
    )


expressions = st.recursive(leaves, composites, max_leaves=8)
points = st.tuples(
    st.sampled_from([Fraction(13, 37), Fraction(-41, 43), Fraction(59, 47)]),
    st.sampled_from([Fraction(17, 53), Fraction(-61, 29), Fraction(97, 67)]),
    st.sampled_from([Fraction(71, 83), Fraction(-19, 31), Fraction(-109, 73)]),
)
generated = settings(
    max_examples=150, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


def read(expr: sp.Expr) -> tuple[Graph, dict[sp.Basic, int], int]:
    g = Graph()
    symbols = {symbol: g.symbol(symbol.name) for symbol in SYMBOLS}
    return g, symbols, from_sympy(g, expr, symbols)


def mp_values(point: tuple[Fraction, ...]) -> dict[str, Any]:
    with mpmath.workdps(DIGITS):
        return {
            s.name: mpmath.mpf(v.numerator) / v.denominator
            for s, v in zip(SYMBOLS, point, strict=True)
        }


def witness(expr: sp.Expr, point: tuple[Fraction, ...]) -> Any:
    """SymPy's own value, by exact substitution."""
    values = {
        s: sp.Rational(v.numerator, v.denominator) for s, v in zip(SYMBOLS, point, strict=True)
    }
    value = sp.sympify(expr).subs(values).evalf(DIGITS, maxn=400)
    with mpmath.workdps(DIGITS):
        return mpmath.mpf(str(value)) if value.is_Float else mpmath.mpf(int(value.p)) / int(value.q)


def off_the_kinks(g: Graph, nodes: list[int], point: tuple[Fraction, ...]) -> bool:
    """False where a switch is so near its threshold that either side is right."""
    where = [n for n in reachable(g, nodes) if g.op[n] in KINKS]
    args = [arg for n in where for arg in g.args[n]]
    values = dict(zip(args, evaluate_mp(g, args, mp_values(point), DIGITS), strict=True))
    for n in where:
        first, *second = (values[arg] for arg in g.args[n])
        if abs(first - (second[0] if second else 0)) < 1e-9:
            return False
    return True


def close(expr: sp.Basic, got: Any, expected: Any) -> bool:
    """Agreement to 40 digits, or to double precision where `expr` or its derivative holds an
    irrational constant, such as the logarithm of 2 that the derivative of 2**x does."""
    parts = [part for part in sp.preorder_traversal(expr) if isinstance(part, sp.Expr)]
    rounded = any(
        (part.is_number and not part.is_Rational) or (part.is_Pow and part.base.is_number)
        for part in parts
    )
    return bool(abs(got - expected) <= (1e-11 if rounded else 1e-40) * (1 + abs(expected)))


@pytest.mark.slow
@generated
@given(expressions, points)
def test_value_agrees_with_sympy(expr: sp.Expr, point: tuple[Fraction, ...]) -> None:
    g, _, node = read(expr)
    assume(off_the_kinks(g, [node], point))
    (value,) = evaluate_mp(g, [node], mp_values(point), DIGITS)
    assert close(expr, value, witness(expr, point))


@pytest.mark.slow
@generated
@given(expressions, points)
def test_derivatives_agree_with_sympy(expr: sp.Expr, point: tuple[Fraction, ...]) -> None:
    g, symbols, node = read(expr)
    one = g.constant(1)
    assume(off_the_kinks(g, [node], point))
    forward = [forward_derivative(g, [node], {symbols[s]: one})[0] for s in SYMBOLS]
    reverse = reverse_gradient(g, node, [symbols[s] for s in SYMBOLS])
    values = evaluate_mp(g, [*forward, *reverse], mp_values(point), DIGITS)
    for i, symbol in enumerate(SYMBOLS):
        assert close(expr, values[i], values[i + 3])
        expected = sp.diff(expr, symbol).replace(sp.DiracDelta, lambda *args: sp.Integer(0))
        assert close(sp.Tuple(expr, expected), values[i], witness(expected, point))


@generated
@given(expressions, points)
def test_doubles_agree_with_fifty_digits_to_round_off(
    expr: sp.Expr, point: tuple[Fraction, ...]
) -> None:
    """First-order bound of accumulated rounding: sum over nodes of |adjoint * value| * 4 eps."""
    g, _, node = read(expr)
    assume(off_the_kinks(g, [node], point))
    inner = [
        n for n in reachable(g, [node]) if g.op[n] not in ("lt", "le", "eq", "and", "or", "not")
    ]
    adjoints = reverse_gradient(g, node, inner)
    exact = evaluate_mp(g, [*inner, *adjoints], mp_values(point), DIGITS)
    bound = sum(abs(v * b) for v, b in zip(exact, exact[len(inner) :], strict=False)) * 4 * 2.0**-52
    batch = {s.name: np.full((2, 3), float(v)) for s, v in zip(SYMBOLS, point, strict=True)}
    (values,) = evaluate(g, [node], batch)
    assert values.shape in ((), (2, 3))
    assert np.all(np.abs(values - float(exact[inner.index(node)])) <= float(bound))


@generated
@given(expressions, points)
def test_there_and_back(expr: sp.Expr, point: tuple[Fraction, ...]) -> None:
    """Writing and reading keeps the value, however often: a sign may stand inside or outside."""
    g, symbols, node = read(expr)
    assume(off_the_kinks(g, [node], point))
    again = from_sympy(g, to_sympy(g, node, NAMES), symbols)
    settled = from_sympy(g, to_sympy(g, again, NAMES), symbols)
    before, *after = evaluate_mp(g, [node, again, settled], mp_values(point), DIGITS)
    assert all(close(expr, before, value) for value in after)
    # It comes to an end: what was written twice is one of two forms.
    third = from_sympy(g, to_sympy(g, settled, NAMES), symbols)
    fourth = from_sympy(g, to_sympy(g, third, NAMES), symbols)
    assert fourth in (settled, third)


@pytest.mark.slow
@generated
@given(st.lists(expressions, min_size=1, max_size=3), points)
def test_cse_is_the_same_value(exprs: list[sp.Expr], point: tuple[Fraction, ...]) -> None:
    g = Graph()
    symbols: dict[sp.Basic, int] = {symbol: g.symbol(symbol.name) for symbol in SYMBOLS}
    nodes = [from_sympy(g, expr, symbols) for expr in exprs]
    assume(off_the_kinks(g, nodes, point))
    replacements, reduced = to_sympy_cse(g, nodes, NAMES)
    for symbol, expr in replacements:
        symbols[symbol] = from_sympy(g, expr, symbols)
    again = [from_sympy(g, expr, symbols) for expr in reduced]
    values = evaluate_mp(g, [*nodes, *again], mp_values(point), DIGITS)
    for before, after in zip(values, values[len(nodes) :], strict=False):
        assert close(sp.Tuple(*exprs), before, after)


@pytest.mark.slow
@generated
@given(st.lists(expressions, min_size=1, max_size=3))
def test_numbering_is_deterministic(exprs: list[sp.Expr]) -> None:
    first, second = Graph(), Graph()
    for g in (first, second):
        for expr in exprs:
            from_sympy(g, expr, {symbol: g.symbol(symbol.name) for symbol in SYMBOLS})
    assert (first.op, first.args, first.value) == (second.op, second.args, second.value)
