"""Orthogonal polynomials and hub-loaded shapes: end conditions, orthogonality, digits."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
import sympy

import eomc
from eomc import Model, ModelError
from eomc.derive.bodies import Beam
from eomc.derive.shapes import BENDING, ROD, family_shapes, gauss_points, hub_root, pinned_free

POINTS, WEIGHTS = gauss_points([0.0, 1.0], 32)
KNOWN = [("bending", BENDING, name) for name in BENDING if "polynomials" in name]
KNOWN += [("rod", ROD, name) for name in ROD if "polynomials" in name]


def table(shapes, order=0):
    return np.stack([shape.derivative(POINTS, order) for shape in shapes])


@pytest.mark.parametrize(("sort", "known", "name"), KNOWN)
def test_polynomials_are_orthonormal_and_meet_their_ends(sort, known, name) -> None:
    shapes = family_shapes(name, 30, "y", known)
    values = table(shapes)
    assert np.allclose((values * WEIGHTS) @ values.T, np.eye(30), atol=2e-14)
    for place, end in zip((0.0, 1.0), name.removesuffix(" polynomials").split("-"), strict=True):
        conditions = {"free": 0, "pinned": 1, "fixed": 1, "clamped": 2}[end]
        for shape in shapes:
            size = np.abs(shape.derivative(POINTS, conditions)).max()
            for order in range(conditions):
                assert abs(shape.derivative(place, order)) < 1e-12 * size
    rigid = {"pinned-free": [POINTS], "free-free": [POINTS**0, POINTS]}
    for motion in rigid.get(name.removesuffix(" polynomials"), [])[: 1 if sort == "rod" else 2]:
        assert np.abs((values * WEIGHTS) @ motion).max() < 1e-14


def test_values_are_those_of_rational_arithmetic() -> None:
    """s^2 P_n(s) at s = 9/10, n = 24, where powers of s have no digit left."""
    s, n = sympy.Rational(9, 10), 24
    exact = s**2 * sympy.jacobi(n, 0, 4, 2 * s - 1) * sympy.sqrt(2 * n + 5)
    (*_, shape) = family_shapes("clamped-free polynomials", n + 1, "y", BENDING)
    assert shape.value(0.9) == pytest.approx(float(exact), rel=1e-12)
    assert shape.value(0.9) == pytest.approx(float(Fraction(str(exact**2))) ** 0.5 * np.sign(exact))


def test_powers_are_refused_where_they_have_no_digits() -> None:
    x = sympy.Symbol("x")
    low, *_, high = family_shapes("clamped-free polynomials", 7, "y", BENDING)
    exact = low.product_integral(low, 0.0, x).subs(x, 0.3)
    assert float(exact) == pytest.approx(low.product_integral(low, 0.0, 0.3), rel=1e-12)
    with pytest.raises(ModelError, match="lose their digits at stations that vary"):
        high.value(x)


@pytest.mark.parametrize("ratio", [0.0, 1e-9, 1e-3, 0.1, 1.0, 30.0, 1e9])
def test_shapes_with_a_hub(ratio: float) -> None:
    """Orthogonal with the hub's inertia, to each other and to the rigid turn; free at the tip."""
    shapes = [pinned_free(j, ratio) for j in range(1, 9)]
    values, slopes = table(shapes), np.array([shape.slope(0.0) for shape in shapes])
    mass = (values * WEIGHTS) @ values.T + ratio * np.outer(slopes, slopes)
    size = np.sqrt(np.diag(mass))
    assert np.allclose(mass / np.outer(size, size), np.eye(8), atol=1e-11)
    turn = (values * WEIGHTS) @ POINTS + ratio * slopes
    assert np.abs(turn).max() < 1e-11 * max(1.0, ratio)
    for j, shape in enumerate(shapes, 1):
        root = hub_root(j, ratio)
        assert abs(shape.value(0.0)) < 1e-13
        assert abs(shape.curvature(0.0) + ratio * root**4 * shape.slope(0.0)) < 1e-10 * max(
            root**4, ratio * root**4
        )
        assert abs(shape.curvature(1.0)) < 1e-11 * root**2
        assert abs(shape.derivative(1.0, 3)) < 1e-11 * root**3
    with pytest.raises(ModelError, match="hub_inertia_ratio is -1"):
        Beam(length=1, mass_per_length=1, EI=1, shapes="hub", hub_inertia_ratio=-1)


def cantilever(modes, shapes):
    model = Model("cantilever", gravity=(0, 0, 0))
    form = Beam(length=1, mass_per_length=1, EI=1, modes=(modes, 0), shapes=shapes)
    model.deformable("beam", form)
    model.joint("clamp", "fixed", parent="world", child="beam")
    return model


def frequencies(model):
    return np.unique(np.round(eomc.linearize(eomc.build(model)).modes().natural_frequency, 12))


EXACT = np.array([1.8751040687, 4.6940911330, 7.8547574382]) ** 2 / (2 * np.pi)
S = sympy.Symbol("s")


def test_orthogonal_shapes_of_the_user_are_accepted() -> None:
    """Products of shapes that are zero but for rounding are judged by the diagonal."""
    own = [sympy.expand(S**2 * sympy.jacobi(n, 0, 4, 2 * S - 1)) for n in range(6)]
    legendre = [sympy.expand(S**2 * sympy.legendre(n, 2 * S - 1)) for n in range(6)]
    for shapes in ({"y": own}, {"y": legendre}, "clamped-free polynomials"):
        assert frequencies(cantilever(6, shapes))[:3] == pytest.approx(EXACT, rel=4e-4)


@pytest.mark.slow
def test_ten_polynomials_are_well_conditioned_and_ten_monomials_say_why_not() -> None:
    assert frequencies(cantilever(10, "clamped-free polynomials"))[:3] == pytest.approx(
        EXACT, rel=1e-8
    )
    with pytest.warns(UserWarning, match="'beam': its mass matrix is ill-conditioned.*'y10'"):
        model = cantilever(10, {"y": [S ** (j + 2) for j in range(10)]})
        model.validate()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = eomc.build(model)
    with pytest.raises(eomc.runtime.errors.LinearizationError, match="an ill-conditioned choice"):
        eomc.linearize(compiled)
    with pytest.warns(UserWarning, match="orthogonal ones"):
        cantilever(14, {"y": [S ** (j + 2) for j in range(14)]}).validate()
