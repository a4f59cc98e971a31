"""Derivatives of Runge-Kutta and midpoint steps against complex steps of the step, and numbers
computed with other programs."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest
from dynamics.evaluation import value
from dynamics.test_adjoints import SUBJECTS, H, agree, equations, exact, state

import eomc

NAMES = ("loads of speeds", "quaternion, inputs, parameters", "Lagrange")
STEP = {"h": 0.05}
SHORT = {"h": 0.01}
"""Over which the steps of Newton's method of the midpoint rule settle to rounding."""
METHODS = pytest.mark.parametrize(
    ("step", "given"),
    [("rk4_step", STEP), pytest.param("midpoint_step", SHORT, marks=pytest.mark.slow)],
)


def real(entries: list[Any]) -> np.ndarray:
    return np.array([float(mpmath.re(x)) for x in entries])


def change(entries: list[Any]) -> np.ndarray:
    """Derivative by a complex step."""
    return np.array([float(mpmath.im(x) / H) for x in entries])


def rows(found: dict[str, list[Any]], name: str, n: int) -> np.ndarray:
    return real(found[name]).reshape(n, -1)


@METHODS
@pytest.mark.parametrize("name", NAMES)
def test_derivatives(name: str, step: str, given: dict[str, float]) -> None:
    """A, B and B_p along a direction of everything, b_h; quaternions in tangent directions."""
    e, at = equations(name), state(name)
    nx = 2 * len(e.speeds)
    found = exact(name, f"{step}_derivatives", **given)
    v = [at[f"along_{x}"] for x in ("tau", "r") if f"along_{x}" in at]
    dx = rows(found, "A", nx) @ np.concatenate([at["along_q"], at["along_u"]])
    dx = dx + rows(found, "B", nx) @ np.concatenate(v)
    if "B_p" in found:
        dx = dx + rows(found, "B_p", nx) @ at["along_p"]
    with mpmath.workdps(40):
        at.setdefault("along_h", np.ones(1))
        pushed = exact(name, step, mpmath.mpc(0, H), ("h",), **given)
        by_h = exact(name, step, mpmath.mpc(0, H), ("q", "u", "tau", "r", "p"), **given)
    plain = exact(name, step, **given)
    for ends, dx_next in ((pushed, dx), (by_h, real(found["b_h"]))):
        q = real(plain["q_next"])
        agree(real(found["q_next"]), q)
        at_end = {"q": q, "t": np.zeros(0)}
        dq = value(e, "coordinate_rates", u=dx_next[: nx // 2], **at_end)
        agree(dq, change(ends["q_next"]))
        agree(dx_next[nx // 2 :], change(ends["u_next"]))


@METHODS
@pytest.mark.parametrize("name", ["loads of speeds", "Lagrange"])
def test_hessian(name: str, step: str, given: dict[str, float]) -> None:
    """H times a direction is the change of [A B]^T w; symmetric. Zero weights give zero."""
    e, at = equations(name), state(name)
    nx = 2 * len(e.speeds)
    w = np.random.default_rng(2).normal(size=nx)
    found = exact(name, f"{step}_hessian", weights=w, **given)["H"]
    hessian = real(found).reshape(int(np.sqrt(len(found))), -1)
    np.testing.assert_array_equal(hessian, hessian.T)
    along = ("along_q", "along_u", "along_tau", "along_r")
    direction = np.concatenate([at[x] for x in along if x in at])
    with mpmath.workdps(40):
        ends = exact(name, f"{step}_derivatives", mpmath.mpc(0, H), ("p", "h"), **given)
    slopes = np.hstack([change(ends[x]).reshape(nx, -1) for x in ("A", "B")])
    agree(hessian @ direction, w @ slopes)
    nothing = exact(name, f"{step}_hessian", weights=0 * w, **given)["H"]
    assert not any(nothing)


def damped_pendulum() -> eomc.Model:
    model = eomc.Model("damped_pendulum", gravity=(0, 0, -9.81))
    model.body("bob", mass=4, com=(0, 0, -0.5))
    model.joint("pivot", "revolute", parent="world", child="bob", axis=(0, -1, 0), damping=0.1)
    return model


def test_pendulum_sample() -> None:
    """th'' = -(g/l) sin th - c th' + v, by complex steps of NumPy code."""
    e = eomc.equations(damped_pendulum())
    given = {"q": [1.0], "u": [0.5], "tau": [0.3], "h": 0.1}
    parts = value(e, "rk4_step_derivatives", **given)[:4]
    expected = (
        [0.96882097],
        [-1.11508328],
        [[0.94791363, 0.09775689], [-1.03934453, 0.93726403]],
        [[0.00493813], [0.09767879]],
    )
    for got, known in zip(parts, expected, strict=True):
        np.testing.assert_allclose(np.reshape(got, np.shape(known)), known, atol=5e-9)


@pytest.mark.slow
def test_panda_sample() -> None:
    """By Pinocchio's derivatives of forward dynamics, chained, and differences of these."""
    e = equations("panda")
    i = np.arange(1, 15)
    x, tau = 0.3 * np.sin(i), 3 * np.cos(np.arange(1, 8) - 0.5)
    given = {"q": x[:7], "u": x[7:], "tau": tau, "h": 0.025}
    A, B = value(e, "rk4_step_derivatives", **given)[2:4]
    norms = np.linalg.norm(A), np.linalg.norm(B)
    np.testing.assert_allclose(norms, (15.141109726331, 7.304514994460), rtol=1e-11)
    entries = A[7, 1], A[13, 6], B[7, 0]
    np.testing.assert_allclose(
        entries, (-5.549320999087, 0.500472693793, 0.212107610903), rtol=1e-11
    )
    H = value(e, "rk4_step_hessian", weights=np.cos(2 * (i - 1)), **given)
    entries = np.linalg.norm(H), H[1, 1], H[1, 3], H[7, 8], H[1, 14], np.trace(H)
    known = (42.89967122, -6.42712691, 3.61384791, -0.009798408, 0.998631456, 37.16052551)
    np.testing.assert_allclose(entries, known, rtol=2e-8)


def test_operations() -> None:
    """Four times the parts and the products between them."""
    program = equations("panda").program(
        functions=["forward_dynamics", "forward_dynamics_derivatives", "rk4_step_derivatives"]
    )
    from eomc.derive.graph import flops

    value_, slopes, step = (flops(program.graph, f.nodes) for f in program.functions)
    n = 7
    products = 3 * 2 * n * (2 * n) * (3 * n)
    assert step <= 4 * (value_ + slopes) + products


@pytest.mark.parametrize("name", ["loop", "quaternion, inputs, parameters"])
def test_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"rk4_step_hessian'?.*(constraints|quaternions)"):
        equations(name).program(functions=["rk4_step_hessian"])
    assert name in SUBJECTS
