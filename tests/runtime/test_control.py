"""Closed loops against the error dynamics that their laws promise."""

import numpy as np
import pytest

import eomc
from eomc.runtime.control import PD, ComputedTorque, GravityCompensation
from eomc.runtime.trajectories import Quintic

TARGET = {"shoulder": 0.6, "elbow": -0.9}


def critically_damped(e: np.ndarray, rate: np.ndarray, kp: np.ndarray, t: np.ndarray) -> np.ndarray:
    """e'' + 2 sqrt(kp) e' + kp e = 0 from (e, rate), at times t."""
    w = np.sqrt(kp)
    return (e + np.outer(t, rate + w * e)) * np.exp(-np.outer(t, w))


def test_computed_torque_makes_the_error_linear(chain: eomc.CompiledModel) -> None:
    motion = Quintic([0.1, -0.2], [1.0, 0.7], duration=1.5)
    kp = np.array([30.0, 80.0])
    law = ComputedTorque(chain, motion, kp)
    error, rate = np.array([0.3, -0.4]), np.array([-1.0, 2.0])
    q, u = motion(0.0).position - error, motion(0.0).rate - rate
    run = eomc.simulate(chain, q, u, t_span=2, controller=law, rtol=1e-10, atol=1e-12)
    expected = critically_damped(error, rate, kp, run.t)
    assert motion(run.t).position - run.q == pytest.approx(expected, abs=1e-8)
    assert np.ptp(run.tau) > 1


def test_computed_torque_with_coupled_gains(chain: eomc.CompiledModel) -> None:
    kp, kd = [[40.0, 10.0], [10.0, 60.0]], [[9.0, 2.0], [1.0, 12.0]]
    law = ComputedTorque(chain, TARGET, kp, kd)
    run = eomc.simulate(chain, t_span=1, controller=law, rtol=1e-10, atol=1e-12)
    wanted = np.array([0.6, -0.9])
    matrix = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.array(kp), -np.array(kd)]])
    values, vectors = np.linalg.eig(matrix)
    start = np.linalg.solve(vectors, np.concatenate([wanted, np.zeros(2)]))
    expected = (vectors @ (np.exp(np.outer(values, run.t)) * start[:, None])).real[:2].T
    assert wanted - run.q == pytest.approx(expected, abs=1e-8)


def test_computed_torque_turns_a_free_body_to_any_attitude(tumbler: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(6)
    start, goal = tumbler.random_configuration(rng, 2)
    law = ComputedTorque(tumbler, goal, 4.0)
    run = eomc.simulate(tumbler, start, t_span=12, controller=law)
    error = tumbler.difference(run.q, np.broadcast_to(goal, run.q.shape))
    assert np.abs(error[-1]).max() < 1e-8
    assert np.abs(error[0]).max() > 0.1
    # Near the goal the error is that of e'' + 4 e' + 4 e = 0.
    near = goal.copy()
    tumbler.integrate(goal, np.full(6, 1e-5), out=near)
    run = eomc.simulate(tumbler, near, t_span=3, controller=law, rtol=1e-10, atol=1e-14)
    error = tumbler.difference(run.q, np.broadcast_to(goal, run.q.shape))
    expected = critically_damped(np.full(6, -1e-5), np.zeros(6), np.full(6, 4.0), run.t)
    assert error == pytest.approx(expected, abs=1e-9)


def test_pd_with_gravity_reaches_the_target_and_without_sags(chain: eomc.CompiledModel) -> None:
    kp = 50.0
    wanted = np.array([0.6, -0.9])
    for gravity in (True, False):
        law = PD(chain, TARGET, kp, 8.0, gravity=gravity)
        end = eomc.simulate(chain, t_span=15, controller=law).final
        assert end.u == pytest.approx(0, abs=1e-6)
        sag = np.zeros(2) if gravity else chain.gravity(end.q) / kp
        assert wanted - end.q == pytest.approx(sag, abs=1e-6)
    assert np.abs(sag).max() > 0.01


@pytest.mark.slow
def test_pd_follows_a_motion_better_than_a_point(chain: eomc.CompiledModel) -> None:
    motion = Quintic([0.0, 0.0], [0.6, -0.9], duration=2.0)
    law = PD(chain, motion, 400.0, 40.0, gravity=True)
    run = eomc.simulate(chain, t_span=2, controller=law)
    assert np.abs(motion(run.t).position - run.q).max() < 0.02


def test_gravity_compensation_holds_any_configuration(chain: eomc.CompiledModel) -> None:
    run = eomc.simulate(chain, [0.7, -0.4], t_span=2, controller=GravityCompensation(chain))
    assert run.q == pytest.approx(np.broadcast_to([0.7, -0.4], run.q.shape), abs=1e-9)
    still = eomc.simulate(chain, [0.7, -0.4], t_span=2).final.q
    assert np.abs(still - [0.7, -0.4]).max() > 0.1


def test_the_controllers_model_has_parameters_of_its_own(swing: eomc.CompiledModel) -> None:
    right = GravityCompensation(swing, parameters={"m": 3.0})
    run = eomc.simulate(swing, [0.5], t_span=1, controller=right, parameters={"m": 3.0})
    assert run.q == pytest.approx(np.full((1001, 1), 0.5), abs=1e-9)
    wrong = eomc.simulate(
        swing, [0.5], t_span=1, controller=GravityCompensation(swing), parameters={"m": 3.0}
    )
    assert abs(wrong.final.q[0] - 0.5) > 0.1


def test_controllers_of_driven_models_know_inputs_and_motion(driven: eomc.CompiledModel) -> None:
    known = {"inputs": {"thrust": 0.4}, "prescribed": {"table": lambda t: (t, 1.0, 0.0)}}
    law = ComputedTorque(driven, {"arm": 0.3}, 25.0, **known)
    run = eomc.simulate(driven, t_span=1, controller=law, rtol=1e-10, atol=1e-12, **known)
    kp, start = np.array([25.0]), np.array([0.3])
    expected = critically_damped(start, np.zeros(1), kp, run.t)
    assert 0.3 - run.q == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kp": -1.0}, "kp is not positive semidefinite"),
        ({"kp": [1.0, 2.0, 3.0]}, "kp has shape"),
        ({"kd": np.nan}, "kd is not finite"),
        ({"kd": "much"}, "kd: give a number"),
        ({"target": [0.0]}, "q has shape"),
        ({"target": {"knee": 0.0}}, "q has no entry 'knee'"),
        ({"kp": [[1.0, 9.0], [9.0, 1.0]]}, "kp is not positive semidefinite"),
        ({"parameters": {"m": 1.0}}, "no tunable parameter"),
    ],
)
def test_wrong_arguments_are_named(
    chain: eomc.CompiledModel, options: dict[str, object], message: str
) -> None:
    for law in (PD, ComputedTorque):
        arguments: dict[str, object] = {"target": TARGET, "kp": 1.0, "kd": 1.0} | options
        with pytest.raises(ValueError, match=message):
            law(chain, **arguments)  # type: ignore[arg-type]


def test_wrong_motions_are_named_at_their_time(chain: eomc.CompiledModel) -> None:
    laws = [lambda t: [0.0, 0.0], lambda t: (np.zeros(2), np.zeros(3), np.zeros(2))]
    for target, message in zip(laws, ["give .q, u, a.", "reference: u at t = 0.5 s"], strict=True):
        law = PD(chain, target, 1.0, 1.0)  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=message):
            law.torque(0.5, np.zeros(2), np.zeros(2))
    with pytest.raises(ValueError, match="kd: give it"):
        ComputedTorque(chain, TARGET, [[4.0, 1.0], [1.0, 4.0]])
