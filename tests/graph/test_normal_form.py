"""Random programs of graph operations: the stored graph is in normal form and keeps every value."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eomc.derive.graph import (
    Expression,
    Graph,
    GraphError,
    evaluate_mp,
    operation_count,
    product_sum,
)

COMMUTATIVE = ("add", "mul", "min", "max", "eq", "and", "or")
ARITHMETIC = ("add", "sub", "mul", "div", "neg")
INPUTS = 3

numbers = st.one_of(st.integers(-3, 3), st.fractions(-2, 2, max_denominator=5))
steps = st.lists(
    st.tuples(
        st.sampled_from(ARITHMETIC),
        st.integers(0, 200),
        st.integers(0, 200),
        numbers,
        st.booleans(),
    ),
    max_size=30,
)
values = st.tuples(*[st.fractions(-3, 3, max_denominator=11) for _ in range(INPUTS)])
Steps = list[tuple[str, int, int, Fraction, bool]]


def run(g: Graph, start: list[int], program: Steps) -> list[int]:
    """Apply the steps to the nodes made so far; a division by the constant zero is left out."""
    made = list(start)
    for op, i, j, number, use_number in program:
        a = made[i % len(made)]
        b = g.constant(number) if use_number else made[j % len(made)]
        try:
            made.append(g.neg(a) if op == "neg" else getattr(g, op)(a, b))
        except GraphError:
            made.append(g.constant(0))
    return made


def rational(
    start: tuple[Fraction, ...], program: Steps, shape: list[int], g: Graph
) -> list[Fraction | None]:
    """The same program in exact arithmetic; None where it divides by zero.

    Where the graph refused a division (its divisor is identically zero) the result is zero too.
    """
    made: list[Fraction | None] = list(start)
    for step, (op, i, j, number, use_number) in enumerate(program):
        a = made[i % len(made)]
        b = Fraction(number) if use_number else made[j % len(made)]
        if op == "div" and g.is_zero(shape[len(start) + step]) and b == 0:
            made.append(Fraction(0))
        elif a is None or (op != "neg" and b is None) or (op == "div" and b == 0):
            made.append(None)
        elif op == "neg":
            made.append(-a)
        else:
            assert b is not None
            made.append(
                {"add": a + b, "sub": a - b, "mul": a * b}.get(op) if op != "div" else a / b
            )
    return made


def symbols(g: Graph) -> list[int]:
    return [g.symbol(f"s{i}") for i in range(INPUTS)]


@pytest.mark.slow
@settings(max_examples=300)
@given(steps)
def test_no_operation_is_stored_twice_and_signs_are_outside(program: Steps) -> None:
    g = Graph()
    run(g, symbols(g), program)
    seen = set()
    for node, (op, args) in enumerate(zip(g.op, g.args, strict=True)):
        assert all(arg < node for arg in args)
        if op in ("const", "symbol"):
            assert (op, g.value[node]) not in seen
            seen.add((op, g.value[node]))
            continue
        assert (op, args) not in seen
        seen.add((op, args))
        assert not all(g.op[arg] == "const" for arg in args)
        if op in COMMUTATIVE:
            assert args[0] <= args[1] or (op == "mul" and g.op[args[0]] == "const")
        if op == "sub":
            assert ("sub", args[::-1]) not in seen
        if op in ("add", "sub", "mul", "div", "neg"):
            assert all(g.op[arg] != "neg" for arg in args)
        if op in ("mul", "div"):
            assert all(g.op[a] != "const" or g.value[a] > 0 for a in args)  # type: ignore[operator]
        if op == "mul" and g.op[args[0]] == "const":
            assert g.value[args[0]] not in (0, 1)
            inner = g.args[args[1]]
            assert g.op[args[1]] != "mul" or g.op[inner[0]] != "const"
        if op in ("add", "sub"):
            assert not any(g.is_zero(arg) for arg in args)


@pytest.mark.slow
@settings(max_examples=300)
@given(steps, values)
def test_values_are_those_of_rational_arithmetic(
    program: Steps, start: tuple[Fraction, ...]
) -> None:
    g = Graph()
    made = run(g, symbols(g), program)
    expected = rational(start, program, made, g)
    given_values = {f"s{i}": value for i, value in enumerate(start)}
    for node, value in zip(made, expected, strict=True):
        if value is None or max(abs(value.numerator), value.denominator) > 10**15:
            continue
        with mpmath.workdps(120):
            exact = mpmath.mpf(value.numerator) / value.denominator
        try:
            (got,) = evaluate_mp(g, [node], given_values, 120)
        except ZeroDivisionError:
            continue  # a subexpression that cancels in exact arithmetic
        assert mpmath.isfinite(got)
        assert abs(got - exact) <= mpmath.mpf(10) ** -60 * (1 + abs(exact))


@pytest.mark.slow
@settings(max_examples=200)
@given(steps, values)
def test_constants_fold_exactly(program: Steps, start: tuple[Fraction, ...]) -> None:
    g = Graph()
    made = run(g, [g.constant(value) for value in start], program)
    expected = rational(start, program, made, g)
    for node, value in zip(made, expected, strict=True):
        assert g.op[node] == "const"
        if value is not None and max(abs(value.numerator), value.denominator) < 2**1000:
            assert g.number(node) == value


@given(steps)
def test_swapping_commutative_arguments_gives_the_same_nodes(program: Steps) -> None:
    g = Graph()
    made = run(g, symbols(g), program)
    for a in made:
        for b in made:
            assert g.add(a, b) == g.add(b, a)
            assert g.mul(a, b) == g.mul(b, a)
            assert g.sub(a, b) == g.neg(g.sub(b, a))
            assert g.mul(g.neg(a), b) == g.neg(g.mul(a, b))


def test_sine_and_cosine_stand_next_to_each_other() -> None:
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    angle = g.sub(x, y)
    cosine = g.unary("cos", angle)
    assert g.unary("sin", angle) == cosine - 1
    assert g.unary("sin", g.sub(y, x)) == g.neg(cosine - 1)
    assert g.unary("cos", g.sub(y, x)) == cosine


def test_like_terms_combine() -> None:
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    three_x = g.mul(g.constant(3), x)
    assert g.sub(three_x, x) == g.add(x, x)
    assert g.is_zero(g.sub(g.add(x, g.add(x, x)), three_x))
    assert g.add(three_x, g.neg(g.mul(g.constant(4), x))) == g.neg(x)
    assert g.op[g.add(three_x, y)] == "add"


def test_operation_counts() -> None:
    g = Graph()
    x, y = g.symbol("x"), g.symbol("y")
    power = g.pow(x, g.constant(7))
    assert operation_count(g, [power]) == {"mul": 4}
    assert operation_count(g, [g.pow(x, g.constant(-2))]) == {"div": 1, "mul": 1}
    assert operation_count(g, [g.pow(x, g.constant(1.5))]) == {"mul": 1, "sqrt": 1}
    shared = g.unary("sin", g.mul(x, y))
    assert operation_count(g, [g.neg(shared), g.mul(shared, x)]) == {"mul": 2, "sin": 1}


@pytest.mark.parametrize("op", ["gamma", "", "add"])
def test_unknown_functions_are_named(op: str) -> None:
    g = Graph()
    with pytest.raises(GraphError, match=f"unknown function '{op}'"):
        g.unary(op, g.symbol("x"))
    with pytest.raises(GraphError, match=f"unknown function '{op}'"):
        g.binary(op, g.symbol("x"), g.symbol("y"))


def test_a_sum_of_products_that_cancels() -> None:
    """As in a dot product of orthogonal vectors, without any factor that is zero."""
    g = Graph()
    x, y = (Expression(g, g.symbol(name)) for name in "xy")
    assert product_sum((x, y), (-y, x)).is_zero
    assert product_sum((x, x * 0), (y, y * 0)).is_zero
    assert product_sum((x, y), (x * 0, y)).node == (x * y).node
