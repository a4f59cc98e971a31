"""Sampled systems: exact holds, the cost between the samples, poles where they were wanted."""

import numpy as np
import pytest
from scipy.integrate import quad_vec
from scipy.linalg import expm
from scipy.signal import cont2discrete

import eomc
from eomc.runtime.control import (
    Sampled,
    StateFeedback,
    pole_placement,
    regulator,
    sampled_regulator,
    zero_order_hold,
)
from eomc.runtime.control.controllability import ControllabilityError
from eomc.runtime.linearization.discretization import gathered

control = pytest.importorskip("control", reason="the package control is not installed")

A = np.array([[0.0, 1.0, 0.0], [-4.0, -0.2, 1.0], [0.0, 0.0, -3.0]])
B = np.array([[0.0], [0.5], [2.0]])


def test_held_inputs_as_scipy_holds_them() -> None:
    step, effect, *_ = cont2discrete((A, B, np.eye(3), np.zeros((3, 1))), 0.2)
    found = zero_order_hold(A, B, 0.2)
    assert found[0] == pytest.approx(step, abs=1e-14)
    assert found[1] == pytest.approx(effect, abs=1e-14)


def test_gathered_covariance_is_the_integral() -> None:
    w = np.diag([0.0, 2.0, 0.5])
    expected, _ = quad_vec(lambda s: expm(A * s) @ w @ expm(A * s).T, 0, 0.7, epsabs=1e-13)
    assert gathered(A, w, 0.7) == pytest.approx(expected, abs=1e-12)


def test_the_sampled_gain_is_the_best_of_all_held_ones() -> None:
    """The cost of a run from x0, added up by quadrature, against neighbouring gains."""
    period, q, r = 0.5, np.diag([10.0, 1.0, 0.0]), np.array([[0.3]])
    design = sampled_regulator(A, B, q, r, period)
    x0 = np.array([1.0, -0.5, 0.2])

    nodes, shares = np.polynomial.legendre.leggauss(12)
    within = [
        (zero_order_hold(A, B, period * (1 + x) / 2), period * w / 2)
        for x, w in zip(nodes, shares, strict=True)
    ]
    step, effect = zero_order_hold(A, B, period)

    def cost(gain: np.ndarray) -> float:
        total, x = 0.0, x0
        for _ in range(60):
            v = -gain @ x
            for (a, b), share in within:
                now = a @ x + b @ v
                total += share * float(now @ q @ now + v @ r @ v) / 2
            x = step @ x + effect @ v
        return total

    best = cost(design.gain)
    assert best == pytest.approx(x0 @ design.riccati @ x0 / 2, rel=1e-8)
    for k in range(3):
        for change in (-0.05, 0.05):
            assert cost(design.gain + change * np.eye(3)[k]) > best
    assert best > x0 @ regulator(A, B, q, r).riccati @ x0 / 2  # which samples at all times


def test_python_control_finds_the_same_gain_of_the_sampled_matrices() -> None:
    period = 0.3
    whole = np.block([[A, B], [np.zeros((1, 4))]])
    cost = gathered(whole.T, np.diag([1.0, 2.0, 3.0, 0.5]), period)
    step, effect = zero_order_hold(A, B, period)
    gain, _, _ = control.dlqr(step, effect, cost[:3, :3], cost[3:, 3:], cost[:3, 3:])
    found = sampled_regulator(A, B, [1.0, 2.0, 3.0], 0.5, period)
    assert found.gain == pytest.approx(gain, rel=1e-9)
    poles = np.sort_complex(np.exp(found.poles * period))
    assert poles == pytest.approx(
        np.sort_complex(np.linalg.eigvals(step - effect @ gain)), rel=1e-9
    )


def test_a_period_of_the_vibration_reaches_nothing() -> None:
    with pytest.raises(ControllabilityError, match=r"no regulator at a period of 3\.14159 s"):
        sampled_regulator([[0, 1], [-4, 0]], [[0], [1]], 1, 1, np.pi)


def test_poles_are_placed() -> None:
    wanted = np.array([-1 + 2j, -1 - 2j, -5.0])
    gain = pole_placement(A, B, wanted)
    assert np.sort_complex(np.linalg.eigvals(A - B @ gain)) == pytest.approx(
        np.sort_complex(wanted), rel=1e-9
    )
    with pytest.raises(ValueError, match="conjugate pairs"):
        pole_placement(A, B, [-1 + 2j, -1 - 1j, -5.0])
    with pytest.raises(ControllabilityError, match="do not move the mode at -2"):
        pole_placement([[-3, 0], [0, -2]], [[1], [0]], [-4, -5])


def test_a_placed_pendulum_stands_up_under_sampled_feedback(swing: eomc.CompiledModel) -> None:
    linear = eomc.linearize(swing, q=[np.pi])
    step, effect = zero_order_hold(linear.A, linear.B, 0.05)
    gain = pole_placement(step, effect, [0.7, 0.8])
    law = Sampled(StateFeedback(swing, gain, [np.pi]), 0.05)
    run = eomc.simulate(swing, [np.pi - 0.05], t_span=5.0, controller=law)
    assert run.q[-1] == pytest.approx([np.pi], abs=1e-5)
    assert np.ptp(run.tau) > 0.1
