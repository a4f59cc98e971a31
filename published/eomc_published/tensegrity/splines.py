"""Cases of cubic Hermite splines: 1 to 7.

A curve is written P(t) = C M_H phi(t), phi_k = t^k/k!, with the control matrix C of values and
rates at both ends; on [t0, t1] it is C D M_H psi, psi_k = phi_k((t - t0)/T), D = diag(1, T, 1, T).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.trajectories import (
    CubicSpline,
    HermiteSpline,
    Profile,
    ProfileSample,
    UniformHermiteSpline,
)
from eomc_published.case import Case, CaseCheck, agrees, at_most

EXACT = 1e-12
PHI_C = np.array([[1, 0, 1, 0], [0, 1, 1, 1], [0, 0, 1 / 2, 1], [0, 0, 1 / 6, 1 / 2]])
M_H = np.array([[1, 0, -6, 12], [0, 1, -4, 6], [0, 0, 6, -12], [0, 0, -2, 6]])
#: Height from which the end-effector of the manipulator starts [m].
HEIGHT = (1 + np.sqrt(2 / 3)) / np.sqrt(2)


def example() -> HermiteSpline:
    """Table 4.1."""
    return HermiteSpline([0, 2, 4, 6], [[0, 0], [4, 0], [0, 3], [0, 0]], np.zeros((4, 2)))


def swing(amplitude: float = np.pi / 6) -> HermiteSpline:
    """Table 5.6: (phi, psi) of the single strut."""
    points = np.array([[0, 0], [0, 0], [0, 1], [1, 0], [0, 0]]) * amplitude
    return HermiteSpline([0, 1, 3, 7, 9], points, np.zeros((5, 2)))


def reach(axis: int) -> HermiteSpline:
    """Tables 5.8 (axis 2) and 5.9 (axis 1, or 0): the end-effector of the manipulator."""
    points = np.tile([0, 0, HEIGHT], (4, 1))
    points[1:3, axis] += (-0.5, 0.25) if axis == 2 else (-0.35, 0.35)
    return HermiteSpline([0, 5, 15, 20], points, np.zeros((4, 3)))


def curve(control: Any, t0: float = 0.0, t1: float = 1.0) -> HermiteSpline:
    """The curve of a control matrix (k, 4)."""
    c = np.atleast_2d(np.asarray(control, dtype=float))
    return HermiteSpline([t0, t1], c[:, [0, 2]].T, c[:, [1, 3]].T)


def beside(profile: Profile, t: float) -> tuple[Array, Array]:
    """The acceleration before and after a knot: straight on from the intervals beside it."""
    return tuple(  # type: ignore[return-value]
        2 * profile(t + side).acceleration - profile(t + 2 * side).acceleration
        for side in (-0.25, 0.25)
    )


def _matrix() -> Iterator[CaseCheck]:
    # Unit control matrices; derivatives at 0 are the coefficients of phi_k.
    basis = curve(np.eye(4))
    at, end = basis(0.0), basis(1.0)
    got = np.stack([*at, end.acceleration - at.acceleration], axis=1)
    yield agrees("M_H", M_H, got, EXACT, relative=True)
    yield agrees("M_H Phi_C", np.eye(4), got @ PHI_C, EXACT)


def _uniform() -> Iterator[CaseCheck]:
    for name, made in (
        ("by times", HermiteSpline([0, 1], [1, -1], [2, 0.5])),
        ("uniform", UniformHermiteSpline([1, -1], 1.0, [2, 0.5])),
    ):
        found = [entry for t in (0.0, 1.0) for entry in made(t)[:2]]
        yield agrees(f"{name}: control values", [1, 2, -1, 0.5], found, EXACT)


def _not_uniform() -> Iterator[CaseCheck]:
    t0, t1 = 2.0, 5.0
    control, span = np.array([1, 2, -1, 0.5]), t1 - t0
    made = curve(control, t0, t1)
    found = [entry[0] for t in (t0, t1) for entry in made(t)[:2]]
    yield agrees("control values", control, found, EXACT)
    t = np.linspace(t0, t1, 13)
    psi = np.array([((t - t0) / span) ** k / factorial(k) for k in range(4)])
    scale = np.diag([1, span, 1, span])
    places = made(t).position[:, 0]
    yield agrees("C D M_H psi", control @ scale @ M_H @ psi, places, EXACT)
    wrong = float(np.abs(control @ M_H @ scale @ psi - places).max())
    yield at_most("1e-2 / deviation of C M_H D psi", 1e-2 / wrong, 1.0)
    ends = np.column_stack([rate for s in (0.0, 1.0) for rate in _monomials(s, span)])
    yield agrees("Psi_C", PHI_C @ np.linalg.inv(scale), ends, EXACT)
    unit = np.linspace(0, 1, 9)
    uniform = UniformHermiteSpline([1, -1], 1.0, [2, 0.5])(unit).position
    yield agrees("uniform on [0, 1]", uniform, curve(control)(unit).position[:, 0], EXACT)


def _monomials(s: float, span: float) -> tuple[Array, Array]:
    """psi and its rate at t0 + s T, of curves that the profile makes of M_H^-1 D^-1."""
    basis = curve(PHI_C / np.array([1, span, 1, span]), 0.0, span)(s * span)
    return basis.position, basis.rate


def _example() -> Iterator[CaseCheck]:
    spline = example()
    got = spline([1, 3, 5]).position
    yield agrees("P at 1, 3, 5", [[2.0, 0.0], [2.0, 1.5], [0.0, 1.5]], got, EXACT)
    yield agrees("peak rate of x", 3, spline(1).rate[0], EXACT)
    rates = spline([2 - 1e-13, 2 + 1e-13, 4 - 1e-13, 4 + 1e-13]).rate
    yield agrees("rates at knots", np.zeros((4, 2)), rates, EXACT)
    jump = np.stack(beside(spline, 2))
    yield agrees("acceleration before and after 2", [[-6.0, 0.0], [-6.0, 4.5]], jump, EXACT)


def _vertical() -> Iterator[CaseCheck]:
    spline = reach(2)
    z: dict[float, ProfileSample] = {
        t: ProfileSample(*(r[2] for r in spline(t))) for t in (2.5, 10, 17.5)
    }
    got = np.array([z[2.5].position, z[2.5].rate, z[10].position, z[10].rate, z[17.5].rate])
    yield agrees(
        "z and its rates", [HEIGHT - 0.25, -0.15, HEIGHT - 0.125, 0.1125, -0.075], got, EXACT
    )
    got = np.array(
        [beside(spline, 0)[1], *beside(spline, 5), *beside(spline, 15), beside(spline, 20)[0]]
    )
    expected = [-0.12, 0.12, 0.045, -0.045, -0.06, 0.06]
    yield agrees("accelerations at knots", expected, got[:, 2], EXACT)


def _horizontal() -> Iterator[CaseCheck]:
    spline = reach(1)
    rates = [spline(t).rate[1] for t in (2.5, 10, 17.5)]
    yield agrees("peak rates of y", [-0.105, 0.105, -0.105], rates, EXACT)
    for amplitude in (np.pi / 6, np.pi / 4):
        rates = [np.abs(swing(amplitude)(t).rate).max() / amplitude for t in (2, 5, 8)]
        yield agrees("peak rates of the strut / X", [0.75, 0.375, 0.75], rates, EXACT)


def _smooth() -> Iterator[CaseCheck]:
    knots = np.array([0, 0.7, 1.5, 4, 4.4, 6])
    points = np.random.default_rng(5).normal(size=(6, 2))
    ends = np.array([[0.3, -1], [2, 0.5]])
    clamped = CubicSpline(knots, points, start_rate=ends[0], end_rate=ends[1])
    for name, spline in (("clamped", clamped), ("natural", CubicSpline(knots, points))):
        rates = _tridiagonal(knots, points, ends if name == "clamped" else None)
        yield agrees(f"{name}: rates", rates, spline(knots).rate, EXACT)
        near = 1e-13
        jump = spline(knots[1:-1] + near).acceleration - spline(knots[1:-1] - near).acceleration
        yield at_most(f"{name}: jumps of acceleration", float(np.abs(jump).max()), 1e-10)


def _tridiagonal(knots: Array, points: Array, ends: Array | None) -> Array:
    """Rates by the equations of continuous acceleration, with rates `ends` or natural ends."""
    n, h = len(knots), np.diff(knots)
    matrix, right = np.eye(n), np.zeros_like(points)
    slopes = np.diff(points, axis=0) / h[:, None]
    for i in range(1, n - 1):
        matrix[i, i - 1 : i + 2] = 1 / h[i - 1], 2 / h[i - 1] + 2 / h[i], 1 / h[i]
        right[i] = 3 * (slopes[i - 1] / h[i - 1] + slopes[i] / h[i])
    if ends is None:
        matrix[0, :2], matrix[-1, -2:] = (2, 1), (1, 2)
        right[0], right[-1] = 3 * slopes[0], 3 * slopes[-1]
    else:
        right[0], right[-1] = ends
    return np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)


CASES = (
    Case(1, "The Hermite matrix", "4.1", "derivatives of the four basis curves at 0", _matrix),
    Case(2, "A uniform curve", "4.1", "values and rates at both ends", _uniform),
    Case(
        3,
        "A curve on [2, 5]",
        "4.1",
        "against C D M_H psi",
        _not_uniform,
        note="The source prints M_H D for the segment; only D M_H meets the end values.",
    ),
    Case(
        4,
        "The example spline",
        "table 4.1",
        "values, rates, accelerations",
        _example,
        provenance="reconstructed",
    ),
    Case(5, "The vertical motion", "table 5.8", "values, rates, accelerations", _vertical),
    Case(6, "The horizontal motion and the strut's", "tables 5.9, 5.6", "peak rates", _horizontal),
    Case(
        7,
        "Continuous accelerations",
        "beyond the source",
        "a tridiagonal system of equations",
        _smooth,
    ),
)
