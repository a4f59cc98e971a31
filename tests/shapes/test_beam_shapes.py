"""Roots and shapes against the boundary value problem, 50-digit arithmetic and tables."""

from __future__ import annotations

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest
import sympy
from scipy.optimize import brentq

from eomc.derive.language.errors import ModelError
from eomc.derive.shapes import (
    BENDING,
    ROD,
    ModeShape,
    clamped_clamped,
    clamped_free,
    clamped_free_root,
    clamped_pinned,
    clamped_pinned_root,
    family_shapes,
    fixed_fixed_rod,
    fixed_free_rod,
    free_free,
    free_free_rod,
    free_free_root,
    integrate,
    pinned_pinned,
    user_shape,
)

RATIOS = (0, 1, 2, 3, 4, 5)
# thesis of M. Caron (1996), table of eigenvalues: rows are the ratios 0 ... 5
TIP_MASS_TABLE = (
    (1.88, 4.69, 7.85, 11.00),
    (1.25, 4.03, 7.13, 10.26),
    (1.08, 3.98, 7.10, 10.23),
    (0.98, 3.96, 7.09, 10.23),
    (0.92, 3.96, 7.09, 10.22),
    (0.87, 3.95, 7.08, 10.22),
)
TIP_MASS_EXACT = (
    (1.8751, 4.6941, 7.8548, 10.9955),
    (1.2479, 4.0311, 7.1341, 10.2566),
    (1.0762, 3.9826, 7.1027, 10.2340),
    (0.9812, 3.9648, 7.0916, 10.2262),
    (0.9174, 3.9556, 7.0860, 10.2223),
    (0.8700, 3.9500, 7.0825, 10.2199),
)


def exact_root(equation: Callable[[mpmath.mpf], mpmath.mpf], near: float) -> float:
    with mpmath.workdps(60):
        return float(mpmath.findroot(equation, near))


@pytest.mark.parametrize("j", [1, 2, 3, 4, 12, 40])
def test_roots_solve_their_equations(j: int) -> None:
    cos, cosh, sin, sinh = mpmath.cos, mpmath.cosh, mpmath.sin, mpmath.sinh
    root = free_free_root(j)
    assert abs(root - exact_root(lambda x: cos(x) - 1 / cosh(x), root)) <= 1e-14 * root
    root = clamped_pinned_root(j)
    exact = exact_root(lambda x: sin(x) / cos(x) - sinh(x) / cosh(x), root)
    assert abs(root - exact) <= 1e-14 * root
    for ratio in (0.0, 0.3, 7.0, 1e4):
        root = clamped_free_root(j, ratio)

        def equation(x: mpmath.mpf, ratio: float = ratio) -> mpmath.mpf:
            free = cos(x) + 1 / cosh(x)
            return free - ratio * x * (sin(x) - cos(x) * sinh(x) / cosh(x))

        assert abs(root - exact_root(equation, root)) <= 1e-14


def test_roots_of_the_thesis() -> None:
    for j, (rounded, exact) in enumerate(
        zip((4.73, 7.85, 11.00, 14.14), (4.730041, 7.853205, 10.995608, 14.137165), strict=True)
    ):
        assert free_free_root(j + 1) == pytest.approx(rounded, abs=0.006)
        assert free_free_root(j + 1) == pytest.approx(exact, abs=5e-7)
    for i, ratio in enumerate(RATIOS):
        for j in range(4):
            root = clamped_free_root(j + 1, ratio)
            assert root == pytest.approx(TIP_MASS_TABLE[i][j], abs=0.006)
            assert root == pytest.approx(TIP_MASS_EXACT[i][j], abs=1e-4)


def test_nodes_of_the_first_free_free_shape() -> None:
    shape = free_free(1)
    node = brentq(shape.value, 0.5, 1.0, xtol=1e-14)
    assert 120 * (node - 0.5) == pytest.approx(33.10, abs=0.01)
    assert shape.value(0.0) == pytest.approx(2, abs=1e-9)
    assert shape.value(1.0) == pytest.approx(2, abs=1e-9)


ENDS: list[tuple[Callable[[int], ModeShape], tuple[int, int], tuple[int, int]]] = [
    (clamped_free, (0, 1), (2, 3)),
    (free_free, (2, 3), (2, 3)),
    (clamped_clamped, (0, 1), (0, 1)),
    (clamped_pinned, (0, 1), (0, 2)),
    (pinned_pinned, (0, 2), (0, 2)),
]


@pytest.mark.parametrize("j", [1, 2, 3, 8, 40])
@pytest.mark.parametrize(
    ("family", "root", "tip"), ENDS, ids=lambda item: getattr(item, "__name__", str(item))
)
def test_shapes_solve_the_beam_equation(
    family: Callable[[int], ModeShape], root: tuple[int, int], tip: tuple[int, int], j: int
) -> None:
    shape = family(j)
    rate = shape.wave_number
    assert rate is not None
    for order in root:
        assert abs(shape.derivative(0.0, order)) < 2e-13 * rate**order
    for order in tip:
        assert abs(shape.derivative(1.0, order)) < 2e-13 * rate**order
    s = np.linspace(0, 1, 57)
    np.testing.assert_allclose(shape.derivative(s, 4) / rate**4, shape.value(s), rtol=0, atol=3e-13)
    # Sturm: j-th mode, so many sign changes inside
    signs = np.sign(shape.value(np.linspace(0.0007, 0.9993, 4001)))
    changes = int(np.count_nonzero(np.diff(signs)))
    assert changes == (j + 1 if family is free_free else j - 1)


@pytest.mark.parametrize("ratio", [0.0, 0.4, 5.0, 300.0, 1e5])
@pytest.mark.parametrize("j", [1, 2, 6, 30])
def test_tip_mass_shapes(j: int, ratio: float) -> None:
    shape = clamped_free(j, ratio)
    rate = shape.wave_number
    assert rate is not None
    curve, bound = shape.curvature(np.linspace(0, 1, 99)), 1e-11
    size = float(np.max(np.abs(curve)))
    for order in (0, 1):
        assert abs(shape.derivative(0.0, order)) < bound
    assert abs(shape.curvature(1.0)) < bound * size
    inertia = ratio * rate**4 * shape.value(1.0)
    assert abs(shape.derivative(1.0, 3) + inertia) < bound * size * max(1, ratio * rate**4)
    assert shape.value(0.2) > 0 or j > 1
    other = clamped_free(j + 1, ratio)
    joint = integrate(lambda s: shape.value(s) * other.value(s), 0, 1)
    # orthogonal with the mass at the tip counted
    weighed = joint + ratio * shape.value(1.0) * other.value(1.0)
    assert abs(weighed) < 1e-10 * max(1, ratio * abs(shape.value(1.0) * other.value(1.0)))


@pytest.mark.parametrize(
    "family",
    [shape for known in (BENDING, ROD) for name, shape in known.items() if "poly" not in name],
    ids=[
        f"{sort} {name}"
        for sort, known in (("bending", BENDING), ("rod", ROD))
        for name in known
        if "poly" not in name
    ],
)
def test_shapes_are_orthonormal(family: Callable[[int], ModeShape]) -> None:
    shapes = [family(j) for j in (1, 2, 3, 4, 9)]
    for i, first in enumerate(shapes):
        for k, second in enumerate(shapes):
            product = first.closed_form() * second.closed_form()
            exact = product.integral(0.0, 1.0)
            numeric = integrate(lambda s, a=first, b=second: a.value(s) * b.value(s), 0, 1)
            assert exact == pytest.approx(float(i == k), abs=1e-12)
            assert numeric == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("j", [25, 60])
def test_high_modes_keep_their_digits(j: int) -> None:
    shape = clamped_free(j)
    with mpmath.workdps(120):
        cos, cosh, sin, sinh = mpmath.cos, mpmath.cosh, mpmath.sin, mpmath.sinh
        root = mpmath.findroot(lambda x: cos(x) + 1 / cosh(x), shape.wave_number)
        sigma = (cos(root) + cosh(root)) / (sin(root) + sinh(root))
        for s in (0.0, 0.013, 0.31, 0.5, 0.87, 0.999, 1.0):
            x = root * mpmath.mpf(s)
            exact = cosh(x) - cos(x) - sigma * (sinh(x) - sin(x))
            # the root itself is known to half an ulp
            assert shape.value(s) == pytest.approx(float(exact), abs=1e-13)


def test_rods() -> None:
    for shape, ends in (
        (fixed_free_rod(3), (0, 1)),
        (free_free_rod(2), (1, 1)),
        (fixed_fixed_rod(4), (0, 0)),
    ):
        assert abs(shape.derivative(0.0, ends[0])) < 1e-13
        assert abs(shape.derivative(1.0, ends[1])) < 1e-12
        assert shape.curvature(0.3) == pytest.approx(-(shape.wave_number**2) * shape.value(0.3))


def test_user_shapes() -> None:
    s = sympy.Symbol("s")
    shape = user_shape(s**2 * sympy.sin(3 * s) + sympy.cosh(2 * s), "y1")
    grid = np.linspace(0, 1, 7)
    np.testing.assert_allclose(
        shape.value(grid), grid**2 * np.sin(3 * grid) + np.cosh(2 * grid), rtol=1e-14
    )
    exact = float(sympy.integrate(s**2 * sympy.sin(3 * s) + sympy.cosh(2 * s), (s, 0, 0.7)))
    assert shape.closed_form().integral(0.0, 0.7) == pytest.approx(exact, rel=1e-13)
    rational = user_shape(s**2 / (1 + s), "y2")
    assert rational.slope(0.5) == pytest.approx(1.0 / 1.5 - 0.25 / 1.5**2)
    with pytest.raises(ModelError, match=r"y2: integrals with a variable limit"):
        rational.closed_form()


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("s*k", "unknown k; a shape is a function of s"),
        ("sqrt(s)", "has no finite value, slope and curvature"),
        ("1/s", "has no finite value"),
        ("0*s", "is zero everywhere"),
    ],
)
def test_bad_user_shapes(expression: str, message: str) -> None:
    with pytest.raises(ModelError, match=message) as caught:
        family_shapes([expression], 1, "y", BENDING)
    assert "y1" in str(caught.value)


def test_bad_families() -> None:
    with pytest.raises(ModelError, match="did you mean 'clamped-free'"):
        family_shapes("clamped-fre", 1, "y", BENDING)
    with pytest.raises(ModelError, match="mode y3 has no shape: 2 are given for 3 modes"):
        family_shapes(["s", "s**2"], 3, "y", BENDING)
    with pytest.raises(ModelError, match="more than the 100"):
        family_shapes("free-free", 101, "y", BENDING)
    assert math.isclose(family_shapes("free-free", 100, "y", BENDING)[-1].value(1.0), -2)
