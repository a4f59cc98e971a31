"""Feedback linearization of some coordinates against the error dynamics that it promises."""

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.control import (
    Combined,
    ComputedTorque,
    FeedbackLinearization,
    ServoConstraints,
    StateFeedback,
    settling_gains,
)
from eomc.runtime.control.settling import settling_product
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.model.errors import SimulationError
from eomc.runtime.trajectories import Quintic, SineRamp

TIGHT: dict[str, Any] = {"rtol": 1e-11, "atol": 1e-13}


def triple_pendulum(*, driven: bool = False) -> eomc.Model:
    """Three links in a plane, a spring at each of the outer joints."""
    model = eomc.Model("triple")
    parent = "world"
    for name in ("hip", "knee", "ankle"):
        model.body(name, mass=1.0, com=(0, 0, -0.2), inertia=(0.01, 0.01, 0.01))
        place = (0, 0, 0 if parent == "world" else -0.4)
        model.joint(
            name,
            "revolute",
            parent=parent,
            child=name,
            axis=(0, 1, 0),
            placement=eomc.Placement(xyz=place),
        )
        parent = name
    for name in ("knee", "ankle"):
        model.joint_spring(f"{name}_spring", joint=name, stiffness=3.0, damping=0.05)
    if driven:
        model.servo_constraint("knee")
    return model


@pytest.fixture(scope="module")
def triple() -> eomc.CompiledModel:
    return eomc.build(triple_pendulum())


def decaying(error: float, omega: float, t: np.ndarray) -> np.ndarray:
    """Critically damped from rest."""
    return error * (1 + omega * t) * np.exp(-omega * t)


@pytest.mark.parametrize("actuator", ["hip", "knee"])
def test_error_is_critically_damped_with_passive_joints(
    triple: eomc.CompiledModel, actuator: str
) -> None:
    motion = Quintic(0.1, 0.8, duration=1.0)
    law = FeedbackLinearization(triple, {"hip": motion}, 36.0, actuators=[actuator])
    start = motion(0.0).position - 0.2
    run = eomc.simulate(triple, {"hip": start}, t_span=0.4, controller=law, **TIGHT)
    error = motion(run.t).position - run["hip"]
    assert error == pytest.approx(decaying(0.2, 6.0, run.t), abs=1e-8)
    assert np.ptp(run["ankle"]) > 0.01  # which the law leaves to itself
    others = [i for i, name in enumerate(triple.speeds) if name != actuator]
    assert not run.tau[:, others].any()


def test_all_coordinates_controlled_is_computed_torque(triple: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(3)
    q, u, goal = rng.uniform(-1, 1, (3, 3))
    named = dict(zip(triple.coordinates, goal, strict=True))
    kp, kd = rng.uniform(1, 9, (2, 3))
    partial = FeedbackLinearization(triple, named, kp, kd).torque(0.0, q, u)
    full = ComputedTorque(triple, goal, kp, kd).torque(0.0, q, u)
    assert partial == pytest.approx(full, rel=1e-11)


def test_specified_coordinates_are_left_to_their_constraints() -> None:
    model = eomc.build(triple_pendulum(driven=True))
    ramp = SineRamp(0.0, 0.9, duration=0.5)
    law = FeedbackLinearization(model, {"hip": 0.3}, 25.0, specified={"knee": ramp})
    run = eomc.simulate(
        model,
        t_span=0.8,
        controller=ServoConstraints(model, {"knee": ramp}, controller=law),
        **TIGHT,
    )
    assert run["knee"] == pytest.approx(ramp(run.t).position, abs=1e-8)
    assert 0.3 - run["hip"] == pytest.approx(decaying(0.3, 5.0, run.t), abs=1e-8)
    # Without knowing of the motion, the law misses its target on the way.
    ignorant = FeedbackLinearization(model, {"hip": 0.3}, 25.0)
    run = eomc.simulate(
        model,
        t_span=0.8,
        controller=ServoConstraints(model, {"knee": ramp}, controller=ignorant),
        **TIGHT,
    )
    assert np.abs(0.3 - run["hip"] - decaying(0.3, 5.0, run.t)).max() > 1e-3


def test_controllers_model_may_know_less_than_the_plant(triple: eomc.CompiledModel) -> None:
    stiff = eomc.Model("stiff")
    stiff.body("hip", mass=3.0, com=(0, 0, -0.5), inertia=(0.2, 0.2, 0.01))
    stiff.joint("hip", "revolute", parent="world", child="hip", axis=(0, 1, 0))
    model = eomc.build(stiff)
    seen = StateMap(triple, model)
    state = seen.state(np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0]))
    assert (state.q.tolist(), state.u.tolist()) == ([0.1], [1.0])
    law = FeedbackLinearization(model, {"hip": 0.3}, 25.0, plant=seen)
    run = eomc.simulate(triple, t_span=3.0, controller=law)
    assert run["hip"][-1] == pytest.approx(0.3, abs=0.1)
    assert np.abs(0.3 - run["hip"] - decaying(0.3, 5.0, run.t)).max() > 1e-3
    assert not run.tau[:, 1:].any()

    told = StateMap(triple, model, coordinates={"hip": lambda q, u: q.sum()}, speeds={"hip": 0.0})
    assert told.state(np.array([0.1, 0.2, 0.3]), np.ones(3)).q == pytest.approx([0.6])
    with pytest.raises(ValueError, match="'knee' of the controller's model is none of the plant's"):
        StateMap(model, triple)
    with pytest.raises(ValueError, match=r"coordinate 'hip'.* not finite"):
        StateMap(triple, model, coordinates={"hip": float("nan")})
    with pytest.raises(ValueError, match="speeds: give a mapping of names to laws, not list"):
        StateMap(triple, model, speeds=[0.0])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no coordinate 'hop'; did you mean 'hip'"):
        StateMap(triple, model, coordinates={"hop": 0.0})


def test_holding_law_knows_what_the_regulator_does(triple: eomc.CompiledModel) -> None:
    regulator = StateFeedback(
        triple, [[40.0, 5.0]], {"knee": 0.5}, speeds=["knee"], actuators=["knee"]
    )
    hold = FeedbackLinearization(triple, {"hip": 0.0}, 25.0)
    law = Combined(None, hold, regulator)
    run = eomc.simulate(triple, {"hip": 0.2}, t_span=1.0, controller=law, **TIGHT)
    assert -run["hip"] == pytest.approx(decaying(-0.2, 5.0, run.t), abs=1e-8)
    assert np.ptp(run["knee"]) > 0.2


def test_switchover(triple: eomc.CompiledModel) -> None:
    maneuver = FeedbackLinearization(triple, {"hip": 0.3, "knee": 0.5}, 25.0)
    hold = FeedbackLinearization(triple, {"hip": 0.3}, 25.0)
    regulator = StateFeedback(
        triple, [[40.0, 5.0]], {"knee": 0.5}, speeds=["knee"], actuators=["knee"]
    )
    q, u = np.array([0.1, 0.3, 0.0]), np.array([0.0, 1.0, 0.0])
    for switch in (1.0, lambda t, q, u: t >= 1.0):
        law = Combined(maneuver, hold, regulator, switch)
        assert law.torque(0.5, q, u) == pytest.approx(maneuver.torque(0.5, q, u))
        after = law.torque(1.0, q, u)
        assert after[1] == pytest.approx(40.0 * 0.2 - 5.0)
        assert triple.forward_dynamics(q, u, after)[0] == pytest.approx(25.0 * 0.2)
    with pytest.raises(ValueError, match="both the regulator and the holding law act on 'knee'"):
        Combined(None, maneuver, regulator)
    with pytest.raises(ValueError, match="switch is nan"):
        Combined(maneuver, hold, regulator, float("nan"))
    with pytest.raises(ValueError, match="without a maneuvering law"):
        Combined(None, hold, regulator, 1.0)


@pytest.mark.parametrize("actuator", ["hip", "ankle"])
def test_constraints_are_no_obstacle(actuator: str) -> None:
    coupled = triple_pendulum()
    coupled.constraint("gear", "coupling", first="ankle", second="hip", ratio=2.0)
    model = eomc.build(coupled)
    law = FeedbackLinearization(model, {"hip": 0.3}, 25.0, actuators=[actuator])
    start = {"hip": 0.1, "ankle": 0.2}
    run = eomc.simulate(model, start, t_span=1.0, controller=law, **TIGHT)
    assert 0.3 - run["hip"] == pytest.approx(decaying(0.2, 5.0, run.t), abs=1e-8)
    assert run["ankle"] == pytest.approx(2 * run["hip"], abs=1e-8)


def test_actuators_out_of_reach_are_told() -> None:
    model = eomc.Model("apart", gravity=(0, 0, 0))
    for name in ("left", "right"):
        model.body(name, mass=1)
        model.joint(name, "prismatic", parent="world", child=name, axis=(1, 0, 0))
    law = FeedbackLinearization(eomc.build(model), {"left": 1.0}, 1.0, actuators=["right"])
    with pytest.raises(SimulationError, match="right do not reach 'left': rank 0 of 1"):
        eomc.simulate(law.model, t_span=1.0, controller=law)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target": {"hop": 0.0}}, "target: no speed 'hop'; did you mean 'hip'"),
        ({"target": {"hip": [0.0, 1.0]}}, "target of 'hip' has shape"),
        ({"target": {"hip": np.nan}}, "target of 'hip'.* is not finite"),
        ({"actuators": ["hip", "knee"]}, "2 actuators for 1 controlled"),
        ({"specified": {"hip": 0.0}}, "specified: 'hip' is controlled"),
        ({"target": 3.0}, "target: give a mapping of names to profiles or numbers, not float"),
        ({"specified": [1.0]}, "target: give a mapping"),
        ({"kp": -1.0}, "kp is not positive semidefinite"),
        ({"kp": [1.0, 2.0]}, "kp has shape"),
    ],
)
def test_wrong_arguments_are_named(
    triple: eomc.CompiledModel, options: dict[str, Any], message: str
) -> None:
    arguments: dict[str, Any] = {"target": {"hip": 0.0}, "kp": 1.0} | options
    with pytest.raises(ValueError, match=message):
        FeedbackLinearization(triple, **arguments)


@pytest.mark.parametrize("remaining", [1e-9, 0.02, 0.5, 0.999])
def test_settling(remaining: float) -> None:
    x = settling_product(remaining)
    assert (1 + x) * np.exp(-x) == pytest.approx(remaining, rel=1e-12)
    kp, kd = settling_gains(3.0, product=x)
    assert decaying(1.0, kd / 2, np.array(3.0)) == pytest.approx(remaining, rel=1e-12)
    assert kp == pytest.approx((kd / 2) ** 2)
    with pytest.raises(ValueError, match="remaining"):
        settling_product(1.0)
    for time in (0.0, float("nan"), "soon"):
        with pytest.raises(ValueError, match="settling_time"):
            settling_gains(time)  # type: ignore[arg-type]
