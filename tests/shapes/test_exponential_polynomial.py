"""Closed antiderivatives against Gauss-Legendre quadrature, expressions against values."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import sympy

from eomc.derive.shapes import ExponentialPolynomial, ModeShape, clamped_free, free_free, integrate
from eomc.derive.shapes.numeric_function import numeric_function

pytestmark = pytest.mark.variants

CASES = list(itertools.product((0, 1, 2), (0, 1, 2), (0, 1, 2)))


def function(a: int, first: ModeShape, m: int, second: ModeShape, n: int) -> ExponentialPolynomial:
    """s^a phi_i^(m) phi_j^(n)"""
    return ExponentialPolynomial.power(a) * first.closed_form(m) * second.closed_form(n)


@pytest.mark.parametrize(("a", "m", "n"), CASES)
def test_exact_integrals_agree_with_quadrature(a: int, m: int, n: int) -> None:
    for ratio, (i, j) in itertools.product((0.0, 1.0, 5.0, 400.0), ((1, 1), (1, 2), (2, 3))):
        first, second = clamped_free(i, ratio), clamped_free(j, ratio)
        exact = function(a, first, m, second, n)
        for lower, upper in ((0.0, 1.0), (0.0, 0.631), (0.375, 1.0)):

            def integrand(s, first=first, second=second):
                return s**a * first.derivative(s, m) * second.derivative(s, n)

            size = integrate(lambda s, f=integrand: np.abs(f(s)), 0, 1, tolerance=1e-3)
            got, numeric = exact.integral(lower, upper), integrate(integrand, lower, upper)
            assert abs(got - numeric) <= 1e-12 * size


@pytest.mark.parametrize("j", [1, 7, 50])
def test_the_expression_is_the_function(j: int) -> None:
    x = sympy.Symbol("x")
    for shape in (free_free(j), clamped_free(j, 2.0)):
        for order in range(3):
            f = shape.closed_form(order) * shape.closed_form(order)
            for f_ in (f, f.antiderivative()):
                written = numeric_function(f_.at(x / 3), x)
                size = float(np.max(np.abs(f_(np.linspace(0, 1, 50)))))
                # the argument of sin, cos and exp is rounded, and a product has twice the rate
                bound = 2.3e-16 * (50 + 4 * shape.wave_number) * size
                for value in (0.0, 0.4, 2.3, 3.0):
                    assert float(written(value)) == pytest.approx(f_(value / 3), abs=bound)


def test_an_integral_with_a_variable_limit_differentiates_to_its_integrand() -> None:
    x = sympy.Symbol("x")
    f = function(1, clamped_free(1), 0, clamped_free(2), 1)
    derivative = sympy.diff(f.integral(0.0, sympy.Rational(1, 2) * x), x)
    for value in (0.1, 0.9, 1.8):
        assert float(derivative.subs(x, value)) == pytest.approx(f(value / 2) / 2, abs=1e-12)


def test_expressions_are_read_back() -> None:
    s = sympy.Symbol("s")
    text = 3 * s**3 - sympy.sinh(2 * s) * sympy.cos(s) + s * sympy.exp(1 - 4 * s) * sympy.sin(5 * s)
    read = ExponentialPolynomial.from_expression(text, s)
    assert read is not None
    values = np.linspace(0, 1, 9)
    np.testing.assert_allclose(read(values), sympy.lambdify(s, text)(values), rtol=1e-13)
    exact = float(sympy.integrate(3 * s**3 - sympy.sinh(2 * s) * sympy.cos(s), (s, 0, 1)))
    rest = integrate(lambda t: t * np.exp(1 - 4 * t) * np.sin(5 * t), 0, 1)
    assert read.integral(0.0, 1.0) == pytest.approx(exact + rest, abs=1e-13)
    for other in (sympy.sqrt(s), 1 / (1 + s), sympy.exp(s**2), sympy.Symbol("k") * s):
        assert ExponentialPolynomial.from_expression(other, s) is None


def test_a_quadrature_that_does_not_converge_says_so() -> None:
    with pytest.raises(ValueError, match="does not converge"):
        integrate(lambda s: 1 / np.abs(s - 0.30001), 0, 1)
    kink = integrate(lambda s: np.abs(s - 0.3), 0, 1, breaks=[0.3])
    assert kink == pytest.approx(0.5 * (0.3**2 + 0.7**2), abs=1e-15)
