"""Constants of the graph: exactness, range and folding."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from eomc.derive.graph import Graph, GraphError


def test_constants_are_exact_where_the_input_is() -> None:
    g = Graph()
    assert g.value[g.constant(2.0)] == 2 and isinstance(g.value[g.constant(2.0)], int)
    assert g.value[g.constant(0.375)] == Fraction(3, 8)
    assert g.value[g.constant(np.float64(0.1))] == 0.1
    assert g.value[g.div(g.constant(1), g.constant(3))] == Fraction(1, 3)
    assert g.constant(True) == g.constant(1) == g.constant(np.int64(1))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, Fraction(10**400, 3)])
def test_constants_without_a_double_are_rejected(value: float) -> None:
    with pytest.raises(GraphError):
        Graph().constant(value)


@pytest.mark.parametrize("value", ["1", 1j, None])
def test_constants_are_real_numbers(value: object) -> None:
    with pytest.raises(GraphError, match="no real number"):
        Graph().constant(value)  # type: ignore[arg-type]


def test_fractions_do_not_grow_without_bound() -> None:
    g = Graph()
    node = g.constant(Fraction(1, 3))
    for _ in range(12):
        node = g.mul(node, node)
    assert g.number(node) == 0  # 3**-4096 underflows
    near_one = g.constant(Fraction(2**1000 + 1, 3**630))
    square = g.number(g.mul(near_one, near_one))
    assert isinstance(square, float)
    assert square == pytest.approx((2**1000 / 3**630) ** 2, rel=1e-15)


@pytest.mark.parametrize(
    ("base", "exponent", "expected"),
    [(-1, 101, -1), (-2, 65, -(2**65)), (2, -70, 2.0**-70), (4, Fraction(3, 2), 8), (0, 0.3, 0)],
)
def test_powers_of_numbers(base: int, exponent: float, expected: float) -> None:
    g = Graph()
    assert g.number(g.pow(g.constant(base), g.constant(exponent))) == expected


@pytest.mark.parametrize(("base", "exponent"), [(0, -1), (0, -0.3), (-2, 0.3), (10, 1000.3)])
def test_powers_without_a_finite_real_value(base: int, exponent: float) -> None:
    g = Graph()
    with pytest.raises(GraphError):
        g.pow(g.constant(base), g.constant(exponent))


@pytest.mark.parametrize(("op", "value"), [("log", 0), ("sqrt", -1), ("acosh", 0.5), ("exp", 1e5)])
def test_functions_outside_their_domain(op: str, value: float) -> None:
    g = Graph()
    with pytest.raises(GraphError, match=op):
        g.unary(op, g.constant(value))


def test_overflow_of_products_is_an_error() -> None:
    g = Graph()
    for factor in (1e300, 10**300):
        with pytest.raises(GraphError):
            g.mul(g.constant(factor), g.constant(factor))
