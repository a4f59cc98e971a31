"""Slider-crank and four-bar by SymPy's Lagrange equations with multipliers, derived by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
import sympy as sp
from constraints.four_bars import BASE, COUPLER, CRANK, ROCKER, planar
from constraints.test_c_solvers import slider_crank
from constraints.values import Array, Values, near
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

GRAVITY = sp.Float("9.81", 30)
Point = sp.Matrix


def _planar(angle: sp.Expr, local: Sequence[float], origin: Point) -> Point:
    """A point of a body turned by `angle`."""
    x, y = (sp.nsimplify(entry) for entry in local)
    turned = sp.Matrix([[sp.cos(angle), -sp.sin(angle)], [sp.sin(angle), sp.cos(angle)]])
    return origin + turned * sp.Matrix([x, y])


def _energy(mass: float, inertia: float, at: Point, angle: sp.Expr) -> sp.Expr:
    """Kinetic less potential energy of a body with its centre of mass `at`, the second entry
    upwards."""
    t = dynamicsymbols._t
    v = at.diff(t)
    m, j = sp.nsimplify(mass), sp.nsimplify(inertia)
    return m * v.dot(v) / 2 + j * angle.diff(t) ** 2 / 2 - m * GRAVITY * at[1]


def _slider_crank(q: Sequence[sp.Expr]) -> tuple[sp.Expr, list[sp.Expr]]:
    """About y a turn takes x towards -z: angles enter with the opposite sign."""
    turn, knee, slide = q
    zero = sp.zeros(2, 1)
    elbow = _planar(-turn, (1, 0), zero)
    energy = _energy(1, 0.1, _planar(-turn, (0.5, 0), zero), -turn)
    energy += _energy(2, 0.7, _planar(-turn - knee, (1, 0), elbow), -turn - knee)
    energy += _energy(3, 0, sp.Matrix([slide, 0]), sp.S.Zero * turn)
    return energy, list(_planar(-turn - knee, (2, 0), elbow) - sp.Matrix([slide, 0]))


def _four_bar(q: Sequence[sp.Expr]) -> tuple[sp.Expr, list[sp.Expr]]:
    """About x a turn takes y towards z; the constraint in the axes of the coupler."""
    a, b, d = q
    zero, base = sp.zeros(2, 1), sp.Matrix([sp.nsimplify(BASE), 0])
    elbow = _planar(a, (CRANK, 0), zero)
    energy = _energy(1.2, 0.02, _planar(a, (CRANK / 2, 0.03), zero), a)
    energy += _energy(2.1, 0.02, _planar(a + b, (COUPLER / 2, 0.03), elbow), a + b)
    energy += _energy(1.7, 0.02, _planar(d, (ROCKER / 2, 0.03), base), d)
    gap = _planar(d, (ROCKER, 0), base) - _planar(a + b, (COUPLER, 0), elbow)
    axes = [_planar(a + b, axis, zero) for axis in ((1, 0), (0, 1))]
    return energy, [axis.dot(gap) for axis in axes]


CASES = {
    "slider_crank": (
        slider_crank, _slider_crank, ("turn", "knee", "slide"), ("pin.force_x", "pin.force_z"),
        (0.8, -1.2, 2.5),
    ),
    "four_bar": (planar, _four_bar, ("a", "b", "d"), ("c.force_y", "c.force_z"), (0.7, -0.4, 1.2)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_textbook(name: str) -> None:
    """Accelerations and multipliers, residuals, rates: M a + c = tau + G^T lambda, to 1e-12."""
    build, derive, coordinates, rows, start = CASES[name]
    values = Values(build())
    assert values.equations.coordinates == coordinates
    assert values.equations.system(()).constraints.names == rows
    q = dynamicsymbols(" ".join(coordinates))
    energy, gaps = derive(q)
    method = LagrangesMethod(energy, q, hol_coneqs=gaps)
    method.form_lagranges_equations()
    rng = np.random.default_rng(8)
    at = values.closed(np.array(start))
    u = values.consistent(at, rng.normal(size=3))
    tau = rng.normal(size=3)
    numbers = dict(zip(q, at, strict=True))
    rates = dict(zip((x.diff() for x in q), u, strict=True))
    matrix = _numbers(method.mass_matrix_full[3:, 3:], rates, numbers)
    right = _numbers(method.forcing_full[3:, :], rates, numbers)[:, 0]
    right[:3] += tau
    expected = np.linalg.solve(matrix, right)
    a, multipliers = values("constrained_dynamics", q=at, u=u, tau=tau, stabilization=[0.0])
    assert near(a, expected[:3], 1e-11)
    # SymPy writes its constraints as M a + ... = f + G^T lambda too.
    assert near(multipliers, expected[3:], 1e-11)
    closed = _numbers(sp.Matrix(gaps), rates, numbers)[:, 0]
    assert near(values("constraint_residual", q=at), closed, 1e-13)
    slopes = _numbers(sp.Matrix(gaps).jacobian(list(q)), rates, numbers)
    assert near(values("constraint_jacobian", q=at), slopes, 1e-13)


def _numbers(
    matrix: sp.Matrix, rates: dict[sp.Expr, float], numbers: dict[sp.Expr, float]
) -> Array:
    found = matrix.subs(rates).subs(numbers).evalf()
    return np.array(found.tolist(), dtype=float)
