"""Linear quadratic regulation: closed forms, costs along runs, what cannot be controlled."""

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import eomc
from eomc.runtime.control import LQR, StateFeedback, controllability, regulator
from eomc.runtime.control.controllability import ControllabilityError


def cart(*, passive: bool = False) -> eomc.Model:
    """A pole on a cart, upright at zero; with a second pole that nothing moves if `passive`."""
    model = eomc.Model("cart")
    model.body("cart", mass=1.0)
    model.joint("slide", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.body("pole", mass=0.3, com=(0, 0, 0.5), inertia=(0.01, 0.01, 0.01))
    model.joint("pole", "revolute", parent="cart", child="pole", axis=(0, 1, 0))
    if passive:
        model.body("clock", mass=0.2, com=(0, 0, -0.3))
        model.joint("clock", "revolute", parent="world", child="clock", axis=(0, 1, 0))
    return model


@pytest.fixture(scope="module")
def pole() -> eomc.CompiledModel:
    return eomc.build(cart())


def test_oscillator_in_closed_form() -> None:
    # x'' + w^2 x = v with weights a on x, b on x': P from its quadratic equations.
    w2, a, b, r = 3.0, 5.0, 2.0, 0.5
    p12 = r * (-w2 + np.sqrt(w2**2 + a / r))
    p22 = np.sqrt(r * (b + 2 * p12))
    design = regulator([[0, 1], [-w2, 0]], [[0], [1]], [a, b], r)
    assert design.gain == pytest.approx(np.array([[p12, p22]]) / r)
    assert design.open_loop_poles == pytest.approx([-1j * np.sqrt(w2), 1j * np.sqrt(w2)])
    assert design.poles.real.max() < 0


def test_no_other_gain_costs_less() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
    weights, costs = np.diag(rng.uniform(0.1, 3, 5)), np.diag([0.4, 2.0])
    design = regulator(a, b, weights, costs)

    def cost(gain: np.ndarray, x: np.ndarray) -> float:
        t = np.linspace(0, 40, 8001)
        step = expm((a - b @ gain) * t[1])
        states = [x]
        for _ in t[1:]:
            states.append(step @ states[-1])
        rows = np.array(states)
        inputs = rows @ gain.T
        rate = np.einsum("ki,ij,kj->k", rows, weights, rows)
        rate += np.einsum("ki,ij,kj->k", inputs, costs, inputs)
        return float(np.trapezoid(rate, t)) / 2

    x = rng.normal(size=5)
    best = cost(design.gain, x)
    assert best == pytest.approx(x @ design.riccati @ x / 2, rel=1e-4)
    for _ in range(3):
        assert cost(design.gain + 0.02 * rng.normal(size=(2, 5)), x) > best


def test_pole_is_caught_and_brought_home(pole: eomc.CompiledModel) -> None:
    law = LQR(pole, {"slide": 0.5}, [1, 10, 1, 1], 0.1, actuators=["slide"])
    assert law.design.controllability.is_controllable
    assert law.design.open_loop_poles.real.max() > 1  # the pole falls by itself
    run = eomc.simulate(pole, {"pole": 0.4}, t_span=15, controller=law)
    assert run.final.q == pytest.approx([0.5, 0.0], abs=1e-5)
    assert not run.tau[:, 1].any()
    # Near the target the run is that of the linear closed loop.
    small = eomc.simulate(
        pole, {"slide": 0.5, "pole": 1e-5}, t_span=2, controller=law, rtol=1e-10, atol=1e-14
    )
    expected = expm(2 * (law.A - law.B @ law.design.gain)) @ [0, 1e-5, 0, 0]
    final = np.concatenate([small.final.q - [0.5, 0.0], small.final.u])
    assert final == pytest.approx(expected, abs=1e-12)


def test_held_coordinates_drop_out(pole: eomc.CompiledModel) -> None:
    law = LQR(pole, None, [1, 1], 1, speeds=["pole"], actuators=["pole"])
    inertia = 0.3 * 0.25 + 0.01
    np.testing.assert_allclose(law.A, [[0, 1], [0.3 * 9.81 * 0.5 / inertia, 0]])
    np.testing.assert_allclose(law.B, [[0], [1 / inertia]])


def test_forces_that_hold_the_target(pole: eomc.CompiledModel) -> None:
    law = LQR(pole, {"pole": 0.7}, 1.0, 1.0)
    assert law.forces == pytest.approx([0.0, -0.3 * 9.81 * 0.5 * np.sin(0.7)])
    run = eomc.simulate(pole, {"pole": 0.6}, t_span=20, controller=law)
    assert run.final.q == pytest.approx([0.0, 0.7], abs=1e-6)
    with pytest.raises(ValueError, match=r"no equilibrium: it takes -0.9.* on 'pole'"):
        LQR(pole, {"pole": 0.7}, 1.0, 1.0, actuators=["slide"])


def test_attitude_of_a_free_body(tumbler: eomc.CompiledModel) -> None:
    start, goal = tumbler.random_configuration(np.random.default_rng(9), 2)
    law = LQR(tumbler, goal, 1.0, 1.0)
    run = eomc.simulate(tumbler, start, t_span=40, controller=law)
    assert np.abs(tumbler.difference(run.q[-1], goal)).max() < 1e-6


def test_modes_out_of_reach_are_refused_with_rank_and_name() -> None:
    model = eomc.build(cart(passive=True))
    with pytest.raises(ControllabilityError, match=r"rank 4 of 6; .* 0 \+- 5.718\d*i 1/s, mostly"):
        LQR(model, None, 1.0, 1.0, actuators=["slide"])
    law = LQR(model, None, 1.0, 1.0, speeds=["slide", "pole"], actuators=["slide"])
    assert law.design.controllability.rank == 4


def test_rank_of_lightly_coupled_modes_of_different_speeds() -> None:
    """Frequencies far apart: powers of the fastest one bury the others in [B, AB, ...]."""
    stiffness = np.diag([0.1, 30.0, 1e3, 1e4]) ** 2
    stiffness[0, 1] = stiffness[1, 0] = -1e-3
    zero, one = np.zeros((4, 4)), np.eye(4)
    a = np.block([[zero, one], [-stiffness, zero]])
    b = np.repeat([0.0, 1.0], 4)[:, None]
    krylov = np.hstack([np.linalg.matrix_power(a, k) @ b for k in range(8)])
    assert np.linalg.matrix_rank(krylov) < 8
    assert controllability(a, b).rank == 8


def test_modes_that_decay_by_themselves_may_be_accepted() -> None:
    a, b = np.diag([-1.0, 2.0]), [[0.0], [1.0]]
    with pytest.raises(ControllabilityError, match=r"the mode at -1 1/s, mostly heat"):
        regulator(a, b, 1.0, 1.0, states=["heat", "flow"])
    assert regulator(a, b, 1.0, 1.0, stabilizable=True).poles.real.max() < 0
    with pytest.raises(ControllabilityError):
        regulator(-a, b, 1.0, 1.0, stabilizable=True)


def linkage() -> eomc.Model:
    """Two pendulums on parallel axes, the second geared to the first."""
    model = eomc.Model("linkage")
    for k, name in enumerate(("left", "right")):
        model.body(name, mass=1.0 + k, com=(0, 0, 0.3), inertia=(0.02, 0.02, 0.02))
        model.joint(
            name, "revolute", parent="world", child=name, axis=(0, 1, 0), placement=(k, 0, 0)
        )
    model.constraint("gear", "coupling", first="right", second="left", ratio=-0.5)
    return model


def test_coordinates_that_constraints_leave_free() -> None:
    model = eomc.build(linkage())
    law = LQR(model, None, [10, 1], 0.1, speeds=["left"], actuators=["left"])
    # One inverted pendulum: the inertia and the weight of the other by the square of the ratio.
    inertia = 0.09 + 0.02 + 0.25 * (2 * 0.09 + 0.02)
    stiffness = -(0.3 + 0.25 * 0.6) * 9.81
    np.testing.assert_allclose(law.A, [[0, 1], [-stiffness / inertia, 0]], atol=1e-12)
    np.testing.assert_allclose(law.B, [[0], [1 / inertia]])
    run = eomc.simulate(model, {"left": 0.2, "right": -0.1}, t_span=8, controller=law)
    assert np.abs(run.q[-1]).max() < 1e-4
    by_the_other = LQR(model, None, [10, 1], 0.1, speeds=["left"], actuators=["right"])
    np.testing.assert_allclose(by_the_other.B, -0.5 * law.B)
    with pytest.raises(ValueError, match="'right' follows the others"):
        LQR(model, None, 1, 1, speeds=["left", "right"])


def test_weights_are_those_of_the_named_coordinate() -> None:
    """right = -left/2: A in terms of either; B and the weight by the ratio and its square."""
    model = eomc.build(linkage())
    left, right = (
        LQR(model, None, weights, 0.1, speeds=[name], actuators=["left"])
        for name, weights in (("left", [10, 1]), ("right", [40, 4]))
    )
    np.testing.assert_allclose(right.A, left.A, atol=1e-12)
    np.testing.assert_allclose(right.B, -0.5 * left.B, atol=1e-12)
    np.testing.assert_allclose(right.design.gain, -2 * left.design.gain, rtol=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1]], [[1]], 1, 1), "A has shape"),
        (([[0.0]], [[1], [1]], 1, 1), "B has shape"),
        (([[0.0]], [[1]], -1, 1), "Q is not positive semidefinite: it would weight"),
        (([[0.0]], [[1]], 1, 0), "R is not positive definite"),
        (([[np.inf]], [[1]], 1, 1), "must be finite"),
        (([["a"]], [[1]], 1, 1), "give matrices of numbers"),
        (([[0, 1], [-1, 0]], [[0], [1]], 0, 1), "does Q see every mode"),
    ],
)
def test_wrong_systems_are_named(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        regulator(*arguments)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gain": [[1.0]]}, "gain has shape"),
        ({"gain": np.full((2, 4), np.nan)}, "gain is not finite"),
        ({"speeds": ["pule"]}, "no speed 'pule'; did you mean 'pole'"),
        ({"actuators": ["pole", "pole"]}, "'pole' is named twice"),
        ({"target": {"pole": np.inf}}, "target"),
        ({"forces": {"slid": 1.0}}, "no entry 'slid'"),
    ],
)
def test_wrong_feedback_is_named(
    pole: eomc.CompiledModel, options: dict[str, Any], message: str
) -> None:
    arguments: dict[str, Any] = {"gain": np.zeros((2, 4)), "target": None} | options
    with pytest.raises(ValueError, match=message):
        StateFeedback(pole, **arguments)
