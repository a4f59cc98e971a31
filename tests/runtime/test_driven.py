"""Motion kept by multipliers during runs: that of elimination, with the same forces."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.runtime.control import PD, ServoConstraints
from eomc.runtime.trajectories import KeplerOrbit, SineRamp
from eomc.systems.satellite import EARTH_MU, hinged_rods

RADIUS = 6778e3
RATE = float(np.sqrt(EARTH_MU / RADIUS**3))
RAMP = SineRamp(0.0, 0.8, duration=60.0)


@pytest.fixture(scope="module")
def driven() -> eomc.CompiledModel:
    model = hinged_rods(2)
    model.servo_constraint("beta1")
    return eomc.build(model)


@pytest.fixture(scope="module")
def eliminated() -> eomc.CompiledModel:
    model = hinged_rods(2)
    model.prescribed("beta1")
    return eomc.build(model)


START = {"orbit_r": RADIUS, "orbit_psi": 0.2, "beta2": 0.1}


def test_multipliers_and_elimination_move_alike(
    driven: eomc.CompiledModel, eliminated: eomc.CompiledModel
) -> None:
    """A sine ramp of a hinge in orbit: all other coordinates, and the moment that it takes."""
    t = np.linspace(0, 80, 161)
    controller = ServoConstraints(driven, {"beta1": RAMP})
    options = {"t_span": t, "rtol": 1e-12, "atol": 1e-13}
    q, u = controller.start()
    a = eomc.simulate(
        driven, START | q, {"orbit_theta": RATE} | u, controller=controller, **options
    )
    b = eomc.simulate(
        eliminated, START, {"orbit_theta": RATE}, prescribed={"beta1": RAMP}, **options
    )
    for name in ("orbit_psi", "beta2"):
        assert a[name] == pytest.approx(b[name], abs=1e-8), name
    assert a["beta1"] == pytest.approx(RAMP(t).position, abs=1e-9)
    forces = b.evaluate("prescribed_forces")[:, 0]
    assert a["tau(beta1)"] == pytest.approx(forces, abs=1e-5 * np.abs(forces).max())
    assert np.abs(forces).max() > 10
    other = [name for name in driven.speeds if name != "beta1"]
    assert all(not a[f"tau({name})"].any() for name in other)


def test_a_wrong_start_is_led_to_the_motion(driven: eomc.CompiledModel) -> None:
    """The error decays as (1 + omega t) exp(-omega t)."""
    omega = 0.5
    controller = ServoConstraints(driven, {"beta1": 0.3}, frequency=omega)
    start = START | {"beta1": 0.35}
    run = eomc.simulate(
        driven,
        start,
        {"orbit_theta": RATE},
        t_span=20,
        controller=controller,
        rtol=1e-10,
        atol=1e-12,
    )
    error = 0.05 * (1 + omega * run.t) * np.exp(-omega * run.t)
    assert run["beta1"] - 0.3 == pytest.approx(error, abs=1e-8)


def test_other_forces_are_taken_into_account(driven: eomc.CompiledModel) -> None:
    """Beside a controller of other joints the given motion is kept."""
    inner = PD(driven, {**START, "beta2": 0.0}, kp=[0, 0, 0, 0, 50], kd=[0, 0, 0, 0, 900])
    controller = ServoConstraints(driven, {"beta1": RAMP}, controller=inner)
    t = np.linspace(0, 60, 61)
    run = eomc.simulate(
        driven,
        START,
        {"orbit_theta": RATE},
        t_span=t,
        controller=controller,
        rtol=1e-10,
        atol=1e-11,
    )
    assert run["beta1"] == pytest.approx(RAMP(t).position, abs=1e-8)
    assert np.abs(run["tau(beta2)"]).max() > 1


def test_a_specified_orbit_by_multipliers() -> None:
    """The orbit of a Kepler ellipse takes no force but what the size of the body makes."""
    model = hinged_rods(0)
    model.servo_constraint("orbit_theta")
    model.servo_constraint("orbit_r")
    built = eomc.build(model)
    orbit = KeplerOrbit(EARTH_MU, RADIUS, 0.02, mean_anomaly=np.pi)
    motion = {"orbit_theta": orbit.true_anomaly, "orbit_r": orbit.radius}
    controller = ServoConstraints(built, motion)
    q, u = controller.start()
    t = np.linspace(0, orbit.period, 51)
    run = eomc.simulate(
        built, q | {"orbit_psi": 0.1}, u, t_span=t, controller=controller, rtol=1e-11, atol=1e-9
    )
    assert run["orbit_r"] == pytest.approx(orbit.radius(t).position, abs=1e-2)
    weight = 120e3 * EARTH_MU / RADIUS**2
    assert np.abs(run["tau(orbit_r)"]).max() < 10 * (120 / RADIUS) ** 2 * weight + 1e-8 * weight


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        ({"beta9": 0.0, "beta1": 0.0}, "target of 'beta9'.*'beta1'"),
        ({}, "target of the driven speed 'beta1' is missing"),
    ],
)
def test_refusals(driven: eomc.CompiledModel, motion: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ServoConstraints(driven, motion)
    with pytest.raises(ValueError, match="frequency is -1"):
        ServoConstraints(driven, {"beta1": 0.0}, frequency=-1)


def test_models_without_drives_are_refused(eliminated: eomc.CompiledModel) -> None:
    with pytest.raises(ValueError, match="has no servo constraints"):
        ServoConstraints(eliminated, {}, prescribed={"beta1": 0.0})
