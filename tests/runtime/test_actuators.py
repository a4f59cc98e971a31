"""Laws act where there are actuators: on no free body by default, on declared inputs by name."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.control import (
    LQR,
    PD,
    PID,
    ComputedTorque,
    GravityCompensation,
    LinearLaw,
    ObservedRegulator,
    Sampled,
    StateFeedback,
    actuation,
)
from eomc.runtime.control.acting import UnactuatedBaseWarning
from eomc.runtime.control.task_space import (
    Coordinates,
    ModifiedTransposeJacobian,
    OperationalSpace,
    ResolvedAcceleration,
    ResolvedRate,
    Task,
    TransposeJacobian,
)


@functools.cache
def walker() -> Any:
    """A free base with two legs."""
    model = eomc.Model("walker")
    model.body("trunk", mass=5, inertia=(0.1, 0.2, 0.2))
    model.joint("root", "floating", parent="world", child="trunk")
    for name, x in (("front", 0.3), ("hind", -0.3)):
        model.body(name, mass=1, com=(0, 0, -0.2), inertia=(0.02, 0.02, 0.001))
        model.joint(
            f"{name}_hip",
            "revolute",
            parent="trunk",
            child=name,
            axis=(0, 1, 0),
            placement=(x, 0, 0),
        )
    return eomc.build(model)


HIPS = ("front_hip", "hind_hip")


def task(actuators: Any) -> Task:
    return Task(walker(), [Coordinates("front_hip")], actuators=actuators)


def feedback(actuators: Any) -> StateFeedback:
    rows = 8 if actuators == "all" else 2 if actuators is None else 1
    return StateFeedback(walker(), np.ones((rows, 16)), None, actuators=actuators)


NU = 8
LAWS: dict[str, Callable[[Any], Any]] = {
    "PD": lambda on: PD(walker(), {"root_z": 0.3}, 60, 3, gravity=True, actuators=on),
    "ComputedTorque": lambda on: ComputedTorque(walker(), {"root_z": 0.3}, 60, actuators=on),
    "GravityCompensation": lambda on: GravityCompensation(walker(), actuators=on),
    "PID": lambda on: PID(walker(), {"root_z": 0.3, "hind_hip": 0.1}, 60, 5, 3, actuators=on),
    "LinearLaw": lambda on: LinearLaw(
        walker(),
        {"root_z": 0.3},
        -np.eye(NU),
        np.eye(NU),
        np.ones((NU, NU)),
        np.ones((NU, NU)),
        actuators=on,
    ),
    "StateFeedback": feedback,
    "TransposeJacobian": lambda on: TransposeJacobian(task(on), [0.5], 9, 3),
    "ModifiedTransposeJacobian": lambda on: ModifiedTransposeJacobian(
        task(on), [0.5], 9, 3, e_max=1, rate_max=1, period=0.01
    ),
    "ResolvedRate": lambda on: ResolvedRate(task(on), [0.5], 9, 3, gravity=True),
    "ResolvedAcceleration": lambda on: ResolvedAcceleration(task(on), [0.5], 9, 3, damping=0.1),
    "OperationalSpace": lambda on: OperationalSpace(task(on), [0.5], 9, 3),
}


def forces(law: Any) -> np.ndarray:
    """At a state off the target, as a digital controller asks for them."""
    q = np.array(walker().neutral())
    q[-2:] = 0.2, -0.4
    u = np.linspace(0.1, 0.8, NU)
    at = law.at_samples(0.01) if hasattr(law, "at_samples") else law.torque
    return np.asarray(at(0.0, q, u))


@pytest.mark.parametrize("name", LAWS)
def test_nothing_acts_on_a_free_base_unless_told(name: str) -> None:
    with pytest.warns(UnactuatedBaseWarning, match=rf"{name}: .*'root'.*actuators="):
        free = forces(LAWS[name](None))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        every = forces(LAWS[name]("all"))
        one = forces(LAWS[name](["front_hip"]))
    assert not free[:6].any() and free[6:].any()
    # The same law, but where it acts; the laws of feedback have other rows.
    if name != "StateFeedback":
        assert np.allclose(free[6:], every[6:], rtol=1e-12)
        assert one[6] == free[6] and not np.delete(one, 6).any()
        if name not in ("TransposeJacobian", "ModifiedTransposeJacobian"):
            assert every[:6].any()
    with pytest.raises(ValueError, match=r"actuators: no .*'hip'"):
        LAWS[name](["hip"])


def test_a_body_alone_has_thrusters() -> None:
    """Where nothing else can be actuated laws act on all, without a word."""
    model = eomc.Model("satellite")
    model.body("bus", mass=10, inertia=(1, 2, 3))
    model.joint("root", "floating", parent="world", child="bus")
    built = eomc.build(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        law = PD(built, {"root_z": 0.3}, 60, 3)
    assert law.torque(0, np.array(built.neutral()), np.zeros(6))[2] == pytest.approx(18.0)


def test_actuation_counts_the_joints_of_a_walker() -> None:
    with pytest.warns(UnactuatedBaseWarning):
        found = actuation(walker())
    assert found.actuators == HIPS and found.kind == "under-actuated"
    assert actuation(walker(), actuators="all").kind == "properly actuated"


def cart_pole() -> eomc.Model:
    """A pole on a cart whose motor pulls with three times its input."""
    model = eomc.Model("cart_pole")
    model.input("motor")
    model.body("cart", mass=1)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.body("pole", mass=0.3, com=(0, 0, 0.5), inertia=(0.02, 0.02, 0.001))
    model.joint("swing", "revolute", parent="cart", child="pole", axis=(0, 1, 0))
    model.generalized_force("drive", speed="x", expression="3*motor")
    return model


@functools.cache
def driven_cart() -> Any:
    return eomc.build(cart_pole())


def test_a_regulator_acts_on_a_declared_input() -> None:
    """The law on the force and that on the motor are one: a gain of 3 costs 9 times as much."""
    model = driven_cart()
    by_force = LQR(model, {}, 1.0, 1.0, actuators=["x"])
    by_motor = LQR(model, {}, 1.0, 9.0, actuators=["motor"])
    assert by_motor.actuators == ("motor",)
    assert np.allclose(3 * by_motor.gain, by_force.gain, rtol=1e-9)
    q, u = np.array([0.1, -0.2]), np.array([0.3, 0.1])
    assert np.allclose(by_motor.torque(0, q, u), by_force.torque(0, q, u), rtol=1e-9)
    assert np.allclose(3 * by_motor.values(0, q, u), by_force.torque(0, q, u)[:1], rtol=1e-9)
    start = {"swing": 0.2}
    as_force = eomc.simulate(model, start, t_span=1.0, controller=by_motor, rtol=1e-10, atol=1e-12)
    as_input = eomc.simulate(
        model, start, t_span=1.0, inputs=by_motor.values, rtol=1e-10, atol=1e-12
    )
    assert np.allclose(as_force.q, as_input.q, atol=1e-8)
    seen = ObservedRegulator(by_motor, ["x", "swing"])
    run = eomc.simulate(model, start, t_span=3.0, controller=Sampled(seen, 0.01))
    assert abs(run["swing"][-1]) < 0.05
    with pytest.raises(ValueError, match="actuators: no input or speed 'moter'"):
        LQR(model, {}, 1.0, 1.0, actuators=["moter"])


def test_the_same_law_in_c() -> None:
    law = Sampled(LQR(driven_cart(), {}, 1.0, 9.0, actuators=["motor"]), 0.01)
    loop = eomc.sampled_loop(cart_pole(), law)
    run = loop.run({"swing": 0.2}, t_span=0.2, step=1e-3)
    same = eomc.simulate(
        driven_cart(), {"swing": 0.2}, t_span=run.t, controller=law, method="rk4", step=1e-3
    )
    assert np.abs(run.tau[:, 0]).max() > 1 and np.abs(run.q - same.q).max() < 1e-12
