"""What SymPy may say to the graph, what it may not, and what the graph says back."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy as sp
from sympy.physics.vector import dynamicsymbols

from eomc.derive.graph import (
    ForwardSweep,
    Graph,
    GraphError,
    evaluate,
    evaluate_mp,
    from_sympy,
    from_sympy_matrix,
    operation_count,
    to_sympy,
    to_sympy_cse,
)

x, y, z = sp.symbols("x y z")


def reading(expr: object) -> tuple[Graph, int]:
    g = Graph()
    return g, from_sympy(g, expr, {s: g.symbol(s.name) for s in (x, y, z)})


def value(expr: object, **values: float) -> float:
    g, node = reading(expr)
    return float(evaluate(g, [node], values)[0])


@pytest.mark.parametrize(
    "function",
    [
        *(sp.sin, sp.cos, sp.tan, sp.sec, sp.csc, sp.cot, sp.sinh, sp.cosh, sp.tanh, sp.coth),
        *(sp.sech, sp.csch, sp.asinh, sp.atan, sp.acot, sp.exp, sp.log, sp.sqrt, sp.Abs, sp.sign),
        *(sp.asin, sp.acos, sp.atanh, sp.asech, sp.acsch, sp.floor, sp.ceiling, sp.frac, sp.sinc),
        *(sp.cbrt, sp.Heaviside),
    ],
)
def test_functions_of_one_argument(function: sp.Function) -> None:
    with mpmath.workdps(30):
        for number in (Fraction(3, 7), Fraction(11, 13)):
            g, node = reading(function(x))
            (got,) = evaluate_mp(g, [node], {"x": number}, 30)
            expected = function(sp.Rational(number.numerator, number.denominator)).evalf(30)
            assert got == pytest.approx(mpmath.mpf(str(expected)), rel=1e-25)


@pytest.mark.parametrize("function", [sp.acosh, sp.acoth, sp.asec, sp.acsc])
def test_functions_beyond_one(function: sp.Function) -> None:
    assert value(function(x), x=1.7) == pytest.approx(float(function(sp.Float(1.7, 30))), rel=1e-14)


@pytest.mark.parametrize("number", [-2.5, -1.0, 0.0, 0.25, 3.0])
def test_switches(number: float) -> None:
    assert value(sp.Heaviside(x), x=number) == np.heaviside(number, 0.5)
    assert value(sp.Heaviside(x, 1), x=number) == np.heaviside(number, 1.0)
    assert value(sp.Mod(x, 2), x=number) == np.mod(number, 2)
    assert value(sp.sinc(x), x=number) == pytest.approx(np.sinc(number / np.pi), abs=1e-16)
    assert value(sp.Piecewise((x**2, x < 0), (-x, x >= 0)), x=number) == (
        number**2 if number < 0 else -number
    )
    assert value(sp.Piecewise((1, sp.Ne(x, 0.25)), (2, True)), x=number) == 1 + (number == 0.25)
    crossed = sp.Piecewise((1, sp.Xor(x > -1.5, x > 0.5)), (0, True))
    assert value(crossed, x=number) == float(-1.5 < number <= 0.5)
    nested = sp.Piecewise((1, sp.Or(sp.Not(sp.And(x > -2, x < 1)), sp.Eq(x, 0))), (0, True))
    assert value(nested, x=number) == float(not -2 < number < 1 or number == 0)


@pytest.mark.parametrize("number", [-2.0, 0.5, 2.0])
def test_a_default_that_sympy_leaves_out_is_put_back(number: float) -> None:
    inner = sp.Piecewise((x**2, x < -1), (3 * x, x > 1), (5, True))
    outer = sp.Piecewise((inner, x > 1), (7, True))
    assert outer.args[0].args[0].args[-1].args[1] is not sp.true  # the default is gone
    assert value(outer, x=number) == (3 * number if number > 1 else 7)


def test_real_quantities_have_no_imaginary_part() -> None:
    assert value(sp.re(x) + 5 * sp.im(x) + sp.conjugate(x), x=3.0) == 6.0


def test_numbers_are_exact_or_rounded_once() -> None:
    g, node = reading(sp.Rational(1, 3))
    assert g.number(node) == Fraction(1, 3)
    g, node = reading(sp.Float("0.1", 40))
    assert isinstance(g.number(node), Fraction)
    assert abs(Fraction(g.number(node)) - Fraction(1, 10)) < Fraction(1, 10**38)
    g, node = reading(0.1)
    assert g.number(node) == 0.1
    g, node = reading(sp.Mul(sp.sqrt(2), sp.pi, sp.exp(1), sp.Rational(1, 3), evaluate=False))
    assert g.number(node) == float(sp.N(sp.sqrt(2) * sp.pi * sp.E / 3, 40))
    g, node = reading(sp.sin(1) * x)
    assert g.number(g.args[node][0]) == float(sp.N(sp.sin(1), 40))


@pytest.mark.parametrize(
    ("expr", "count"),
    [
        (x / y / z, {"div": 1, "mul": 1}),
        (x**2 / y**2, {"div": 1, "mul": 2}),
        (1 / (x * y * z), {"div": 1, "mul": 2}),
        (x ** sp.Rational(-3, 2) * y, {"div": 1, "mul": 1, "sqrt": 1}),
        (3 / x, {"div": 1}),
        (y * sp.exp(-x), {"exp": 1, "mul": 1}),
        ((x - y) * (y - x), {"mul": 1, "sub": 1}),
        (sp.sec(x) * sp.cos(x), {"cos": 1, "div": 1, "mul": 1}),
        (x - y - z, {"sub": 2}),
    ],
)
def test_operation_counts(expr: sp.Expr, count: dict[str, int]) -> None:
    g, node = reading(expr)
    assert operation_count(g, [node]) == count


def test_functions_of_time_and_matrices() -> None:
    q, t = dynamicsymbols("q"), dynamicsymbols._t
    vector = sp.IndexedBase("v")
    a = sp.MatrixSymbol("A", 2, 2)
    g = Graph()
    nodes = {q: g.symbol("q"), q.diff(t): g.symbol("u"), vector[1]: g.symbol("v1")}
    nodes[a[0, 1]] = g.symbol("A01")
    assert from_sympy(g, sp.sin(q).diff(t), nodes) == g.mul(
        g.symbol("u"), g.unary("cos", g.symbol("q"))
    )
    matrix = sp.Matrix([[q, vector[1]], [a[0, 1], 2]])
    assert from_sympy_matrix(g, matrix, nodes) == [
        *(nodes[q], nodes[vector[1]], nodes[a[0, 1]]),
        g.constant(2),
    ]
    assert from_sympy_matrix(g, [[q], [1]], nodes) == [nodes[q], g.constant(1)]


def test_symbols_may_be_a_function_and_cover_whole_subexpressions() -> None:
    g = Graph()
    assert from_sympy(g, x + 1, lambda s: g.symbol(str(s)) if s.is_Symbol else None) == g.add(
        g.symbol("x"), g.constant(1)
    )
    assert from_sympy(g, sp.gamma(x) ** 2, {sp.gamma(x): g.symbol("G")}) == g.mul(
        g.symbol("G"), g.symbol("G")
    )


@pytest.mark.parametrize(
    ("expr", "message"),
    [
        (sp.gamma(x) + 1, r"'gamma' in gamma\(x\) is not supported; supported are .*atan2.*tanh"),
        (sp.besselj(0, x), "'besselj'"),
        (sp.Symbol("w") * x, "w has no meaning here; known are x, y, z"),
        (sp.Function("f")(x), r"f\(x\) has no meaning here"),
        (sp.Integral(sp.sin(x) / x, x), r"Integral.* not evaluated; apply .doit\(\)"),
        (sp.Derivative(sp.Function("f")(x), x), "has no meaning here"),
        (sp.Piecewise((x, x < 0), (y, x > 0)), "default branch"),
        (sp.oo * x, "not a finite real number"),
        (sp.zoo, "not a finite real number"),
        (sp.nan, "not a finite real number"),
        (sp.I * x, "I is not a finite real number"),
        (sp.sqrt(-2) * x, "is not a finite real number"),
        (sp.log(-3), "not a finite real number"),
        (x + sp.Mul(2, sp.Pow(0, -1, evaluate=False), evaluate=False), "not a finite real number"),
        (sp.Matrix([1, 2]), "is no scalar expression"),
    ],
)
def test_errors_name_the_offender(expr: sp.Basic, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        reading(expr)


def test_a_mapped_constant_makes_a_bad_operation_named() -> None:
    g = Graph()
    with pytest.raises(GraphError, match=r"1/x.*division by the constant zero"):
        from_sympy(g, 1 / x, {x: g.constant(0)})


@pytest.mark.slow
def test_deep_and_long_expressions() -> None:
    """Neither direction recurses, and both stay linear in the number of nodes."""
    g = Graph()
    node = g.symbol("x")
    for i in range(3000):
        node = g.unary("sin", g.add(node, g.symbol(f"s{i % 7}")))
    replacements, reduced = to_sympy_cse(g, [node])
    symbols = {sp.Symbol(name): g.symbol(name) for name in ["x", *(f"s{i}" for i in range(7))]}
    for symbol, expr in replacements:
        symbols[symbol] = from_sympy(g, expr, symbols)
    assert from_sympy(g, reduced[0], symbols) == node

    total = g.constant(0)
    for i in range(5000):
        total = g.add(total, g.mul(g.symbol(f"a{i}"), g.symbol("x")))
    closed = to_sympy(g, total)
    assert len(closed.args) == 5000

    deep = x
    for _ in range(2000):
        deep = sp.sin(deep, evaluate=False) + y
    assert g.op[from_sympy(g, deep, {x: g.symbol("x"), y: g.symbol("y")})] == "add"


def test_shared_growth_stays_linear() -> None:
    """Doubling forty times is 2**40 terms written out, 40 replacements shared."""
    g = Graph()
    node = g.symbol("x")
    for _ in range(40):
        node = g.add(g.mul(node, node), g.unary("sin", node))
    replacements, (reduced,) = to_sympy_cse(g, [node])
    assert len(replacements) == 39
    assert reduced.count_ops() == 3


def test_replacement_symbols_do_not_shadow_inputs() -> None:
    g = Graph()
    a = g.unary("exp", g.symbol("x0"))
    replacements, _ = to_sympy_cse(g, [g.mul(a, a), a], {"x0": "x1"})
    assert [str(symbol) for symbol, _ in replacements] == ["x0"]
    replacements, _ = to_sympy_cse(g, [g.mul(a, a), a])
    assert [str(symbol) for symbol, _ in replacements] == ["x1"]
    replacements, _ = to_sympy_cse(g, [g.mul(a, a), a], symbols=iter([sp.Symbol("w")]))
    assert replacements == [(sp.Symbol("w"), sp.exp(sp.Symbol("x0")))]


def test_negated_sharing_is_replaced_once() -> None:
    g = Graph()
    product = g.mul(g.symbol("x"), g.symbol("y"))
    minus = g.neg(product)
    replacements, reduced = to_sympy_cse(
        g, [g.unary("exp", minus), g.add(minus, g.symbol("z")), product]
    )
    w = sp.Symbol("x0")
    assert replacements == [(w, x * y)]
    assert reduced == [sp.exp(-w), z - w, w]


def test_directional_derivatives_are_sparse() -> None:
    """A direction costs only what depends on it: two independent blocks do not meet."""
    g = Graph()
    blocks = []
    for name in ("a", "b"):
        node = g.symbol(name)
        for _ in range(50):
            node = g.unary("sin", node)
        blocks.append(node)
    sweep = ForwardSweep(g, blocks)
    size = len(g)
    first, second = sweep({g.symbol("a"): g.constant(1)})
    assert g.is_zero(second) and not g.is_zero(first)
    assert len(g) - size <= 2 * 50 + 2
    size = len(g)
    assert sweep({g.symbol("c"): g.constant(1)}) == [g.constant(0)] * 2
    assert sweep({g.symbol("a"): g.constant(0)}) == [g.constant(0)] * 2
    assert len(g) <= size + 1


def test_missing_values_are_named() -> None:
    g = Graph()
    with pytest.raises(KeyError, match="no value given for symbol 'x'"):
        evaluate(g, [g.unary("sin", g.symbol("x"))], {"y": 1.0})


def test_the_graph_is_imported_without_sympy() -> None:
    program = "import sys, eomc.derive.graph; sys.exit('sympy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
