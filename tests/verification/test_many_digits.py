"""Arithmetic in many digits: the same numbers by balls and by mpmath."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import pytest
import sympy

import eomc
from eomc.derive.graph import Graph, evaluate_mp
from eomc.verifier.arithmetic import many_digits as arithmetic
from eomc.verifier.arithmetic.exact_function import exact_function
from eomc.verifier.arithmetic.many_digits import DIGITS, many, many_digits, working

ONE = ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh")
ONE += ("asinh", "atanh", "abs", "sign", "floor")
TWO = ("atan2", "min", "max")

with_balls = pytest.mark.skipif(arithmetic.flint is None, reason="python-flint is not installed")


def without_balls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic, "flint", None)


@pytest.fixture
def graph() -> Graph:
    return Graph()


def every_operation(g: Graph) -> list[int]:
    x, y = g.symbol("x"), g.symbol("y")
    found = [g.unary(name, x) for name in ONE]
    found += [g.binary(name, x, y) for name in TWO]
    found += [g.neg(x), g.sqrt(x), g.add(x, y), g.sub(x, y), g.mul(x, y), g.div(x, y), g.pow(x, y)]
    found += [g.unary("acosh", g.add(x, g.constant(1))), g.mul(x, g.constant(Fraction(1, 3)))]
    either = g.logical_or(g.less(x, y), g.logical_not(g.equal(y, g.constant(2))))
    both = g.logical_and(g.less_equal(y, x), either)
    return [*found, g.select(both, x, y), g.select(either, g.unary("sin", x), y)]


@with_balls
@pytest.mark.parametrize("y", [2.0, -3.0, 0.1])
def test_every_operation(graph: Graph, y: float) -> None:
    nodes = every_operation(graph)
    values = {"x": 0.7, "y": y}
    with mpmath.workdps(DIGITS):
        for got, expected in zip(
            many_digits(graph, nodes, values),
            evaluate_mp(graph, nodes, values, DIGITS),
            strict=True,
        ):
            assert abs(got - expected) <= mpmath.mpf(10) ** -47 * (1 + abs(expected))


@pytest.mark.parametrize("is_plain", [True, False])
def test_what_cancels(graph: Graph, is_plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty digits are lost, twenty stay."""
    if is_plain:
        without_balls(monkeypatch)
    x, large = graph.symbol("x"), graph.constant(10**30)
    (got,) = many_digits(graph, [graph.sub(graph.add(graph.sqrt(x), large), large)], {"x": 2.0})
    assert float(got) == math.sqrt(2.0)


@with_balls
def test_undecided_balls_are_left_to_numbers(graph: Graph) -> None:
    """The square of a root less its number: below zero, or above?"""
    x = graph.symbol("x")
    same = graph.sub(graph.mul(graph.sqrt(x), graph.sqrt(x)), x)
    nodes = [
        graph.select(graph.less(same, graph.constant(0)), x, graph.neg(x)),
        graph.unary("sign", same),
    ]
    assert len(many_digits(graph, nodes, {"x": 2.0})) == 2
    assert many_digits(graph, [graph.unary("floor", x)], {"x": -2.5}) == [-3]


@pytest.mark.parametrize("is_plain", [True, False])
def test_where_there_is_no_number(
    graph: Graph, is_plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_plain:
        without_balls(monkeypatch)
    x = graph.symbol("x")
    (root,) = many_digits(graph, [graph.sqrt(x)], {"x": -1.0})
    assert not (isinstance(root, mpmath.mpf) and mpmath.isfinite(root))
    (quotient,) = many_digits(graph, [graph.div(graph.constant(1), x)], {"x": 0.0})
    assert not mpmath.isfinite(quotient)


@pytest.mark.parametrize("is_plain", [True, False])
def test_functions_of_sympy(is_plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers keep all their digits, a third and pi among them."""
    if is_plain:
        without_balls(monkeypatch)
    x = sympy.Symbol("x")
    expression = sympy.sin(x) / 3 + sympy.pi * x ** sympy.Rational(5, 2) + sympy.Float(0.1) * x
    function = exact_function([x], expression)
    with working(40):
        got = function(many(0.5))
        number = got if is_plain else mpmath.mpf(got.mid())
    half = sympy.Rational(1, 2)
    exact = sympy.sin(half) / 3 + sympy.pi * sympy.sqrt(half) / 4 + sympy.Rational(0.1) * half
    assert abs(sympy.N(sympy.Float(number, 45) - exact, 50)) < 1e-37


def test_reports_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """A verification without python-flint says the same."""
    model = eomc.Model("pendulum", gravity=(0, 0, -9.81))
    model.body("rod", mass=2.0, com=(0.4, 0.1, 0), inertia=(0.1, 0.2, 0.3))
    model.joint("hinge", "revolute", axis=(0, 1, 0), parent="world", child="rod")
    checks = ["emitted C", "Lagrange"]
    told = [str(eomc.verify(model, checks=checks, states=3))]
    without_balls(monkeypatch)
    told.append(str(eomc.verify(model, checks=checks, states=3)))
    assert told[0] == told[1]


@with_balls
def test_powers_about_zero(graph: Graph) -> None:
    """Of a ball that holds zero, too."""
    x = graph.symbol("x")
    nothing = graph.sub(graph.mul(graph.sqrt(x), graph.sqrt(x)), x)
    nodes = [graph.pow(nothing, graph.constant(k)) for k in (2, 3, 7)]
    assert all(abs(value) < 1e-45 for value in many_digits(graph, nodes, {"x": 2.0}))
    with working(DIGITS):
        small = many(2) * many(3) - 6
        assert [float(arithmetic.power(many(3), n)) for n in range(1, 6)] == [3, 9, 27, 81, 243]
        assert float(arithmetic.power(small, 2)) == 0
