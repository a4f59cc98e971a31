"""The whitelist grammar: meaning, exactness, errors with positions, and no text that hangs."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
from ending import ending
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from model.random_models import expressions

from eomc.derive.language.grammar import ExpressionError
from eomc.derive.language.printer import canonical_expression
from eomc.derive.language.value import value_of
from eomc.derive.model import ModelError, expression_text, parse_expression

x, y, k = sympy.symbols("x y k")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("1/3", sympy.Rational(1, 3)),
        ("-x**2", -(x**2)),
        ("2**-3", sympy.Rational(1, 8)),
        ("2**3**2", sympy.Integer(512)),
        ("x - y - 1", x - y - 1),
        ("x/y/2", x / y / 2),
        ("x/(y/2)", 2 * x / y),
        ("-(x + y)*k", -(x + y) * k),
        ("sqrt(8)", 2 * sympy.sqrt(2)),
        ("sin(pi/3)", sympy.sqrt(3) / 2),
        ("atan2(y, x)", sympy.atan2(y, x)),
        ("0.1*x", sympy.Float(0.1) * x),
        (".5e1*x", 5.0 * x),
        ("abs(x)*sign(y)", sympy.Abs(x) * sympy.sign(y)),
        ("heaviside(x)", sympy.Heaviside(x)),
        ("heaviside(x, 0)", sympy.Heaviside(x, 0)),
        ("'left hip'*2", 2 * sympy.Symbol("left hip")),
        ("'it''s'", sympy.Symbol("it's")),
        ("'pi'", sympy.Symbol("pi")),
        ("speed(hinge)**2", sympy.Symbol("speed(hinge)") ** 2),
        ("speed('left hip')", sympy.Symbol("speed(left hip)")),
        ("lambda", sympy.Symbol("lambda")),
        ("__import__", sympy.Symbol("__import__")),
    ],
)
def test_text_means_what_it_says(text: str, meaning: sympy.Expr) -> None:
    assert parse_expression(text) == meaning


@pytest.mark.parametrize(
    ("text", "at", "value"),
    [
        ("min(x, 2, -x)", 3, -3),
        ("max(x, 2, -x)", 1, 2),
        ("where(x > 1, x, x <= -1, -x, 0)", 2, 2),
        ("where(x > 1, x, x <= -1, -x, 0)", -4, 4),
        ("where(x > 1, x, x <= -1, -x, 0)", 0, 0),
        ("where(x > 1 and not x > 3 or x == 7, 1, 2)", 2, 1),
        ("where(x > 1 and not x > 3 or x == 7, 1, 2)", 4, 2),
        ("where(x > 1 and not x > 3 or x == 7, 1, 2)", 7, 1),
        ("where(x != 0, 1/x, 0)", 4, sympy.Rational(1, 4)),
    ],
)
def test_switches(text: str, at: int, value: int) -> None:
    assert parse_expression(text).subs(x, at).doit() == value


@pytest.mark.parametrize(
    ("text", "position", "part"),
    [
        ("", 0, "the end"),
        ("x +", 3, "the end"),
        ("2 x", 2, "operator expected"),
        ("x*lenght", 2, "did you mean 'length'?"),
        ("speed(angel)", 6, "did you mean 'speed(angle)'"),
        ("sine(x)", 0, "did you mean 'sin'"),
        ("sin", 0, "needs arguments"),
        ("sin(x, x)", 0, "takes 1 arguments, not 2"),
        ("where(x, 1, 2)", 0, "a condition"),
        ("where(x > 1, 1)", 0, "condition, value"),
        ("x > 1", 0, "a number is needed"),
        ("(x > 1) + 1", 0, "a number is needed"),
        ("x.real", 1, "unexpected '.'"),
        ("x[0]", 1, "unexpected '['"),
        ("f'{x}'", 0, "unknown name 'f'"),
        ("x; y", 1, "unexpected ';'"),
        ('"x"', 0, "unexpected"),
        ("(x", 2, "')' expected"),
        ("1e400", 0, "beyond double precision"),
        ("''", 0, "empty"),
    ],
)
def test_errors_name_position_and_way_out(text: str, position: int, part: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse_expression(text, ["x", "length", "speed(angle)"])
    assert part in str(caught.value)
    assert caught.value.position == position


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9",
        "(2*x)**1000000000",
        "((2*x)**1000)**1000",
        "((x**1000)**1000)**1000",
        "1" * 5000,
        "1" * 90000,
        "exp(exp(1e300))",
        "exp(exp(exp(exp(100))))",
        "sinh(10**300)",
        "10**300*10**300",
        "0.1**100000",
        "2**(1/99999999)*x + 3**(1/99999)/0",
        "(10**300)**(1/3)/0",
        "sqrt(-1)",
        "asin(2)",
        "sqrt(1 - pi)",
        "1/0",
        "x/0",
        "log(0)",
        "atan2(0, 0)",
        "acosh(0)*x",
        "(" * 5000,
        "-" * 5000 + "x",
        "not " * 5000 + "x",
        "2**" * 5000 + "x",
        "sin(" * 5000,
        "where(" * 5000,
        "x+" * 60000,
        "x*" * 30000 + "?",
        "'" * 9999,
        "min(" + "x," * 5000 + "x)",
        "\x00",
        "\ud800",
        "x" * 200000,
    ],
    ids=lambda text: text[:12],
)
def test_hostile_text_is_refused_quickly(text: str) -> None:
    with ending(), pytest.raises(ExpressionError):
        parse_expression(text)


@pytest.mark.parametrize(
    "text",
    [
        "+".join(f"x{i}" for i in range(5000)),
        "*".join(f"x{i}" for i in range(3000)),
        "+".join(f"sin(x{i})*cos(x{i})" for i in range(1000)),
        "sin(" * 60 + "x" + ")" * 60,
        "exp(" * 60 + "x" + ")" * 60,
        "abs(1 + " * 60 + "x" + ")" * 60,
        "atan2(x, 1 + " * 60 + "x" + ")" * 60,
        "where(x > 0, " * 60 + "x" + ", 1)" * 60,
        "sqrt(1 + " * 60 + "x" + ")" * 60,
        "min(" + ",".join(f"x{i} + y" for i in range(60)) + ")",
    ],
    ids=lambda text: text[:14],
)
def test_long_expressions_are_read_and_written_quickly(text: str) -> None:
    with ending():
        expression = parse_expression(text)
        assert parse_expression(expression_text(expression)) == expression


@pytest.mark.slow
@settings(max_examples=300)
@given(expressions(["x", "y", "left hip", "speed(k)", "pi", "and", "it's"], size=12))
def test_every_expression_is_written_so_that_it_reads_back(expression: sympy.Expr) -> None:
    try:
        canonical = canonical_expression(expression)
    except ModelError:
        return  # not real, not finite or beyond double precision
    text = expression_text(canonical)
    again = parse_expression(text)
    assert again == canonical
    assert expression_text(again) == text


def near_values(expression: sympy.Expr, point: dict[str, float]) -> list[float]:
    """Values at points that differ by 1e-12 of themselves."""
    nudges = 1 + 1e-12 * np.random.default_rng(0).normal(size=(8, len(point)))
    return [
        value_of(expression, {k: v * n for (k, v), n in zip(point.items(), nudge, strict=True)})
        for nudge in nudges
    ]


@settings(max_examples=150)
@given(expressions(["x", "y"], size=8), st.floats(0.2, 1.5), st.floats(-1.5, -0.2))
def test_canonical_form_keeps_the_value(expression: sympy.Expr, a: float, b: float) -> None:
    """Where rounding in another order cannot matter: not beside jumps, poles and cancellation."""
    point = {"x": a, "y": b}
    try:
        canonical = canonical_expression(expression)
        before, around = value_of(expression, point), near_values(expression, point)
    except ModelError:
        return  # not real
    scale = max(1.0, abs(before))
    assume(all(abs(before - value) < 1e-10 * scale for value in around))
    assert abs(before - value_of(canonical, point)) <= 1e-9 * scale


@settings(max_examples=400)
@given(st.text(alphabet="xyt0123456789.e+-*/()<>=!,' sincolgexpwheramd\"[]\\\n", max_size=60))
def test_any_text_is_an_expression_or_a_model_error(text: str) -> None:
    try:
        with ending():
            parse_expression(text)
    except ExpressionError as error:
        assert 0 <= error.position <= len(text)


@pytest.mark.parametrize(
    "expression",
    [
        sympy.gamma(x),
        sympy.Function("q")(sympy.Symbol("t")),
        sympy.Function("q")(sympy.Symbol("t")).diff(),
        sympy.I * x,
        sympy.oo,
        sympy.nan,
        sympy.Max(x, sympy.Float("1e400")),
        sympy.exp(sympy.Float(4.7e18)),
        sympy.Piecewise((x, x > 0)),
        sympy.Integral(x, x),
        x ** sympy.Integer(5000),
    ],
    ids=str,
)
def test_unsupported_expressions_are_named(expression: sympy.Expr) -> None:
    with pytest.raises(ModelError):
        canonical_expression(expression)


def test_symbols_lose_assumptions() -> None:
    positive = sympy.Symbol("x", positive=True)
    assert canonical_expression(positive + 1) == x + 1
