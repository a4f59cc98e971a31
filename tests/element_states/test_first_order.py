"""Analysis of the first-order form with states of elements, against what is written by hand.

A mass m on a slide with a spring k, pulled by a lag of its own displacement:

    m x'' + k x = z + tau,    T z' = -g x + c - z,    T s (m s^2 + k) + (m s^2 + k) + g = 0.
"""

import numpy as np
import pytest
import scipy.linalg

import eomc
from eomc.runtime.control import LQR, StateFeedback
from eomc.runtime.linearization.sensitivity import sensitivities

M, K, T, G = 2.0, 5.0, 0.4, 3.0
A = np.array([[0, 1, 0], [-K / M, 0, 1 / M], [-G / T, 0, -1 / T]])
B = np.array([[0, 0], [1 / M, 0], [0, 1 / T]])


@pytest.fixture(scope="module")
def slide() -> eomc.CompiledModel:
    model = eomc.Model("slide", gravity=(0, 0, 0))
    model.input("c")
    for name, value in (("m", M), ("k", K), ("T", T), ("g", G)):
        model.parameter(name, value, tunable=True)
    model.body("mass", mass="m")
    model.joint("x", "prismatic", parent="world", child="mass", axis=(1, 0, 0))
    model.joint_spring("spring", joint="x", stiffness="k")
    model.lag("drive", speed="x", command="c - g*x", time_constant="T")
    return eomc.build(model)


def test_state_space_in_c(slide: eomc.CompiledModel) -> None:
    """States (x, x', z), inputs (tau, c), outputs with x'' behind the states."""
    a, b, c, d = slide.state_space([0.3], [0.1], [0.2], [0.0], [0.5])
    assert a == pytest.approx(A, abs=1e-14) and b == pytest.approx(B, abs=1e-14)
    assert c == pytest.approx(np.vstack([np.eye(3), A[1]]), abs=1e-14)
    assert d == pytest.approx(np.vstack([np.zeros((3, 2)), B[1]]), abs=1e-14)


def test_state_space_in_c_is_that_of_linearize(compiled_arm: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(0)
    q, u, tau = 0.3 * rng.normal(size=(3, 2))
    z, c = np.array([0.004, 0.3, -0.2]), [0.7]
    linear = eomc.linearize(compiled_arm, q=q, u=u, z=z, tau=tau, inputs=c)
    found = compiled_arm.state_space(q, u, z, tau, c)
    for got, expected in zip(found[:2], (linear.A, linear.B), strict=True):
        assert got == pytest.approx(expected, rel=1e-11, abs=1e-11)
    rows = compiled_arm.output_names("state_space")
    assert rows[:7] == linear.states


def test_modes_are_the_roots(slide: eomc.CompiledModel) -> None:
    roots = np.roots([T * M, M, T * K, K + G])
    found = eomc.linearize(slide).modes().eigenvalues
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(roots), rel=1e-12)


@pytest.mark.parametrize("at_rest", [True, False])
def test_sensitivities_are_those_of_the_polynomial(
    slide: eomc.CompiledModel, at_rest: bool
) -> None:
    """P(s, p) = 0: s' = -P_p / P_s."""
    state = eomc.equilibrium(slide) if at_rest else ([0.3], [0.1])
    found = sensitivities(slide, state, ["T", "k", "g"])
    s = found.eigenvalues
    slope = 3 * T * M * s**2 + 2 * M * s + T * K
    for row, by in zip(
        found.eigenvalue_rates, (s * (M * s**2 + K), T * s + 1, np.ones(3)), strict=True
    ):
        assert row == pytest.approx(-by / slope, rel=1e-8)
    assert found.mass.shape == (3, 0, 0)


def test_lqr_weighs_the_state_of_the_element(slide: eomc.CompiledModel) -> None:
    """The Riccati equation of the matrices by hand; a run is the exponential of A - B K."""
    weights = np.diag([4.0, 1.0, 0.5])
    law = LQR(slide, {"x": 0.0}, weights, 0.1)
    riccati = scipy.linalg.solve_continuous_are(A, B[:, :1], weights, [[0.1]])
    gain = B[:, :1].T @ riccati / 0.1
    assert pytest.approx(A) == law.A and law.gain == pytest.approx(gain, rel=1e-9)
    start = {"q": {"x": 0.3}, "u": {"x": -0.2}, "z": {"drive_effort": 0.7}}
    run = eomc.simulate(slide, **start, t_span=1.0, controller=law, rtol=1e-10, atol=1e-12)
    expected = scipy.linalg.expm(A - B[:, :1] @ gain) @ [0.3, -0.2, 0.7]
    assert np.concatenate(run.final) == pytest.approx(expected, abs=1e-8)


def test_lqr_rests_where_the_states_do(slide: eomc.CompiledModel) -> None:
    """z_0 = c - g x, tau_0 = k x - z_0."""
    law = LQR(slide, {"x": 0.2}, 1.0, 1.0, inputs={"c": 1.5})
    z = 1.5 - G * 0.2
    assert law.torque(0.0, np.array([0.2]), np.zeros(1), np.array([z])) == pytest.approx(
        [K * 0.2 - z], rel=1e-9
    )


def test_lqr_of_some_speeds_holds_the_others() -> None:
    """The same as of a model in which the other joint is locked."""

    def tower(locked: bool) -> eomc.CompiledModel:
        model = eomc.Model("tower")
        for name, parent, at in (("low", "world", (0, 0, 0)), ("high", "low", (0, 0, 1))):
            model.body(name, mass=1, com=(0.1, 0, 0.5), inertia=(0.1, 0.2, 0.1))
            model.joint(
                name,
                "revolute",
                parent=parent,
                child=name,
                axis=(0, 1, 0),
                placement={"xyz": at},
                locked=locked and name == "low",
            )
        model.lag("motor", speed="high", command="-3*high", time_constant=0.1)
        return eomc.build(model)

    one = LQR(tower(True), {"high": 0.4}, 1.0, 1.0)
    two = LQR(tower(False), {"high": 0.4}, 1.0, 1.0, speeds=["high"], actuators=["high"])
    assert pytest.approx(one.A, rel=1e-12, abs=1e-12) == two.A
    assert two.gain == pytest.approx(one.gain, rel=1e-9)


def test_what_stays_undefined_says_so(
    slide: eomc.CompiledModel, compiled_arm: eomc.CompiledModel
) -> None:
    with pytest.raises(eomc.runtime.errors.LinearizationError, match="states of their own"):
        _ = eomc.linearize(slide).mass
    # Bristles at rest hold wherever they are: nothing moves x - z.
    with pytest.raises(ValueError, match=r"rank 6 of 7.*mostly elbow"):
        LQR(compiled_arm, {"hinge": 0.0, "elbow": 0.0}, 1.0, 1.0)
    law = StateFeedback(slide, np.ones((1, 3)), {"x": 0.0})
    with pytest.raises(ValueError, match="states of their own"):
        law.torque(0.0, np.zeros(1), np.zeros(1))
    with pytest.raises(ValueError, match=r"gain has shape \(1, 2\), expected \(1, 3\)"):
        StateFeedback(slide, np.ones((1, 2)), {"x": 0.0})
