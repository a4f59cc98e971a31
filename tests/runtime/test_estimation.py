"""Kalman filters against Riccati's equations, and against the statistics that they promise."""

import numpy as np
import pytest
from scipy.linalg import solve_continuous_are, solve_discrete_are

import eomc
from eomc.runtime.control import PD, Sampled, zero_order_hold
from eomc.runtime.control.controllability import ControllabilityError
from eomc.runtime.control.signal import Noise
from eomc.runtime.estimation import ExtendedKalmanFilter, OutputFeedback, kalman_gain
from eomc.runtime.linearization.discretization import gathered


def test_stationary_gain_is_that_of_riccatis_equation() -> None:
    rng = np.random.default_rng(0)
    a, c = rng.normal(size=(4, 4)), rng.normal(size=(2, 4))
    w, v = np.diag([1.0, 2.0, 0.5, 0.1]), np.array([[1.0, 0.2], [0.2, 0.5]])
    p = solve_continuous_are(a.T, c.T, w, v)
    assert kalman_gain(a, c, w, v) == pytest.approx(p @ c.T @ np.linalg.inv(v), rel=1e-9)
    with pytest.raises(ControllabilityError, match="do not see the mode at -2 1/s"):
        kalman_gain([[-1, 0], [0, -2]], [[1, 0]], 1, 1)


def test_covariance_of_a_linear_plant_settles_where_riccati_says() -> None:
    model = eomc.Model("cart", gravity=(0, 0, 0))
    model.body("cart", mass=2.0)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    cart = eomc.build(model)
    estimator = ExtendedKalmanFilter(cart, ["x"], 0.4, 0.01)
    estimate = estimator.begin()
    for k in range(200):
        estimate = estimator.corrected(estimate, 0.1 * k, np.zeros(1), np.zeros(1))
        estimate = estimator.predicted(estimate, 0.1 * k, [0.0], 0.1)
    a = np.array([[0.0, 1.0], [0.0, 0.0]])
    step, _ = zero_order_hold(a, [[0], [1]], 0.1)
    grown = gathered(a, np.diag([0.0, 0.4]), 0.1)
    expected = solve_discrete_are(step.T, np.array([[1.0], [0.0]]), grown, [[0.01]])
    assert estimate.covariance == pytest.approx(expected, rel=1e-9)


def test_an_estimate_moves_by_a_step_of_runge_and_kutta(chain: eomc.CompiledModel) -> None:
    """That of the model in C, which is a method of its own."""
    estimator = ExtendedKalmanFilter(chain, ["shoulder"], 0.1, 0.01, q=[0.4, -0.3], u=[1.0, 2.0])
    moved = estimator.predicted(estimator.begin(), 0.0, [0.5, -0.2], 0.05)
    q, u = chain.rk4([0.4, -0.3], [1.0, 2.0], [0.5, -0.2], h=0.05, steps=1)
    assert moved.q == pytest.approx(q[-1], rel=1e-13) and moved.u == pytest.approx(u[-1], rel=1e-13)


def test_errors_are_as_large_as_the_filter_says(chain: eomc.CompiledModel) -> None:
    """x^T P^-1 x over many runs is that of a normal error: its mean is the number of states."""
    period, deviation, shares = 0.02, 0.02, []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        start = np.array([0.4, -0.3, 0.0, 0.0]) + 0.1 * rng.standard_normal(4)
        estimator = ExtendedKalmanFilter(
            chain, ["shoulder", "elbow"], 1e-9, deviation**2, q=[0.4, -0.3], covariance=0.01
        )
        feedback = OutputFeedback(idle(chain), estimator)
        law = Sampled(feedback, period, sensors={"q": [Noise(deviation)]}, seed=seed)
        run = eomc.simulate(
            chain, start[:2], start[2:], t_span=np.arange(26) * period, controller=law, method="rk4"
        )
        t, estimate = feedback.estimates[-1]
        k = int(np.argmin(np.abs(run.t - t)))
        x = np.concatenate([run.q[k] - estimate.q, run.u[k] - estimate.u])
        shares.append(x @ np.linalg.solve(estimate.covariance, x))
    # The mean of 30 chi-squares of 4 degrees has the deviation sqrt(8/30).
    assert np.mean(shares) == pytest.approx(4.0, abs=4 * np.sqrt(8 / 30))


def idle(model: eomc.CompiledModel) -> PD:
    """A law that does nothing."""
    return PD(model, {}, 0.0, 0.0)


def test_angular_velocity_is_seen_in_attitudes_alone(tumbler: eomc.CompiledModel) -> None:
    """A tumbling body by a star tracker: quaternions with noise, no gyroscope."""
    rng = np.random.default_rng(5)
    start, _ = tumbler.random_configuration(rng, 2)
    spin = np.array([0.0, 0.0, 0.0, 0.8, -0.5, 1.1])
    measured = list(tumbler.displacements)
    estimator = ExtendedKalmanFilter(
        tumbler, measured, 1e-8, 1e-6, q=start, covariance=np.repeat([0.01, 4.0], 6)
    )
    feedback = OutputFeedback(idle(tumbler), estimator)
    law = Sampled(feedback, 0.05, sensors={"q": [Noise(1e-3)]}, seed=2)
    run = eomc.simulate(
        tumbler, start, spin, t_span=np.arange(201) * 0.05, controller=law, method="rk4"
    )
    first, last = feedback.estimates[0][1], feedback.estimates[-1][1]
    k = len(feedback.estimates) - 1
    assert np.abs(first.u - run.u[0]).max() > 0.3
    assert np.abs(last.u - run.u[k]).max() < 5e-3
    assert np.linalg.norm(last.q[-4:]) == pytest.approx(1, abs=1e-12)


def test_feedback_of_estimates_holds_a_pendulum_whose_speed_nobody_measures(
    swing: eomc.CompiledModel,
) -> None:
    law = PD(swing, [0.5], 60.0, 12.0, gravity=True)
    estimator = ExtendedKalmanFilter(swing, list(swing.displacements), 1e-2, 1e-6)
    feedback = Sampled(
        OutputFeedback(law, estimator), 0.02, sensors={"q": [Noise(1e-3)], "u": [Noise(1e3)]}
    )
    run = eomc.simulate(swing, t_span=4.0, controller=feedback, method="dopri")
    assert run.q[-1] == pytest.approx([0.5], abs=0.02)


def test_what_the_filter_cannot_take_is_named(swing: eomc.CompiledModel) -> None:
    with pytest.raises(ValueError, match="measured: no state 'speed'"):
        ExtendedKalmanFilter(swing, ["speed"], 1.0, 1.0)
    with pytest.raises(ValueError, match="noise is not positive semidefinite"):
        ExtendedKalmanFilter(swing, list(swing.displacements), 1.0, -1.0)
    four_bar = eomc.build("examples/models/four_bar.toml")
    with pytest.raises(ValueError, match="has constraints, which the filter does not take"):
        ExtendedKalmanFilter(four_bar, [], 1.0, 1.0)
