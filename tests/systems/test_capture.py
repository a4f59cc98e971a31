"""Actuators and plans of free-flyers that capture an object."""

from dataclasses import replace

import numpy as np
import pytest

import eomc
from eomc.runtime.control.task_space import TransposeJacobian
from eomc.systems.free_flyer import PLANAR, SPATIAL, FreeFlyer, tree_model
from eomc_published.moosavian.capture import (
    PLANAR_CAPTURE,
    SPATIAL_CAPTURE,
    Actuators,
    Capture,
    fly,
    limited,
)
from eomc_published.moosavian.capture.maneuver import rotation
from eomc_published.moosavian.capture.run import compiled


@pytest.mark.parametrize("flyer", [PLANAR, SPATIAL], ids=lambda flyer: flyer.name)
def test_actuators_act_as_the_thrusters_of_the_model(flyer: FreeFlyer) -> None:
    model = compiled(flyer)
    pushed = eomc.build(tree_model(flyer, thrusters=True))
    actuators = Actuators(flyer, model)
    rng = np.random.default_rng(4)
    q = model.random_configuration(rng)
    forces = rng.uniform(-1, 1, model.nu)
    jets = forces[: len(actuators.rows)]
    given = actuators.generalized(q, forces)
    assert actuators.forces(q, given) == pytest.approx(forces, abs=1e-12)
    # c holds the inputs with the opposite sign.
    still = np.zeros(model.nu)
    expected = -pushed.bias(q, still, jets)
    expected[len(jets) :] += forces[len(jets) :]
    assert given == pytest.approx(expected, abs=1e-12)


def test_limits_are_those_of_the_tables() -> None:
    actuators = Actuators(PLANAR, compiled(PLANAR))
    assert actuators.names[:3] == ("f_x", "f_y", "n_z")
    assert actuators.limits.tolist() == [20, 20, 10, 7, 5, 7, 5, 7]

    class Strong:
        def torque(self, t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
            return np.full(8, 1e3)

    q = np.zeros(8)
    given = actuators.forces(q, limited(Strong(), actuators).torque(0.0, q, q))
    assert given == pytest.approx(actuators.limits)


@pytest.mark.parametrize("plan", [PLANAR_CAPTURE, SPATIAL_CAPTURE], ids=["planar", "spatial"])
def test_the_base_ends_beside_the_object(plan: Capture) -> None:
    x, v, _ = plan.base_position(plan.duration)
    goal = plan.object_at(plan.duration)[: len(x)]
    assert np.linalg.norm(goal - x) == pytest.approx(plan.standoff, abs=1e-12)
    assert v == pytest.approx(plan.object_rate[: len(x)], abs=1e-12)
    axis = rotation(plan.final_attitude)[:, 1 if plan.flyer.planar else 2]
    along = plan.object_rate / np.linalg.norm(plan.object_rate)
    assert axis == pytest.approx(along, abs=1e-12)


@pytest.mark.parametrize("t", [3.0, 30.0, 44.0, 50.0])
def test_both_descriptions_of_the_turn_agree(t: float) -> None:
    plan, h = SPATIAL_CAPTURE, 1e-4
    kappa, omega, turning = plan.base_attitude(t)
    assert rotation(plan.base_angles(t)[0])[:, 0] == pytest.approx(
        [
            1 - 2 * (kappa[2] ** 2 + kappa[3] ** 2),
            2 * (kappa[1] * kappa[2] + kappa[0] * kappa[3]),
            2 * (kappa[1] * kappa[3] - kappa[0] * kappa[2]),
        ],
        abs=1e-12,
    )
    R, ahead, behind = (rotation(plan.base_angles(t + k * h)[0]) for k in (0, 1, -1))
    spin = R.T @ (ahead - behind) / (2 * h)
    assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(omega, abs=1e-9)
    rate = (plan.base_attitude(t + h)[1] - plan.base_attitude(t - h)[1]) / (2 * h)
    assert turning == pytest.approx(rate, abs=1e-9)


def test_what_cannot_be_reached_is_said() -> None:
    with pytest.raises(ValueError, match="out of reach in 5 s"):
        _ = replace(PLANAR_CAPTURE, duration=5.0).approach
    with pytest.raises(ValueError, match="stays out of reach from 0 to 15 s"):
        _ = replace(PLANAR_CAPTURE, reach=0.5).switch


def test_a_flight_can_begin_on_its_plan() -> None:
    run = fly(
        PLANAR_CAPTURE,
        lambda task, motions: TransposeJacobian(task, motions, 80.0, 100.0),
        begin=10.5,
        until=12.0,
        method="LSODA",
    )
    assert run.chase.run.t[0] == 10.5
    assert np.abs(run.chase.error("base_x", "base_y")[0]).max() < 1e-12
    assert run.capture.run.t[-1] == 12.0
    assert 1e-6 < np.abs(run.capture.errors).max() < 0.1
