"""Bodies in orbit over whole revolutions: energy, angular momentum, published motions."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import eomc
from eomc.derive.graph import Expression, evaluate_mp, forward_derivative
from eomc.runtime import CompiledModel
from eomc.systems.satellite import EARTH_MU, EARTH_RADIUS, dumbbell, hinged_rods

APOGEE, ECCENTRICITY = EARTH_RADIUS + 400e3, 0.01
PERIOD = 2 * np.pi * np.sqrt((APOGEE / (1 + ECCENTRICITY)) ** 3 / EARTH_MU)
TURN = np.sqrt(EARTH_MU * (1 - ECCENTRICITY) / APOGEE**3)
"""Rate of the anomaly in the apogee: 0.0645 degrees a second."""


@pytest.fixture(scope="module")
def chain() -> CompiledModel:
    return eomc.build(hinged_rods())


@pytest.fixture(scope="module")
def orbit(chain: CompiledModel) -> eomc.Trajectory:
    """One revolution from the apogee: chain straight at 30 degrees, the first rod not turning."""
    start = {"orbit_r": APOGEE, "orbit_psi": np.radians(30)}
    speeds = {"orbit_theta": TURN, "beta1": -TURN}
    return eomc.simulate(
        chain, start, speeds, t_span=np.linspace(0, PERIOD, 2001), rtol=1e-13, atol=1e-12
    )


def test_case_12_five_rigid_bodies_for_one_orbit(orbit: eomc.Trajectory) -> None:
    """Figure 3-2: the lowest altitude, libration and relative rotations."""
    assert (orbit["orbit_r"].min() - EARTH_RADIUS) / 1e3 == pytest.approx(265.8, abs=0.5)
    ranges = {
        "orbit_psi": (-30.7, 30.0),
        "beta1": (-18.5, 21.4),
        "beta2": (-3.7, 4.7),
        "beta3": (-5.3, 6.1),
        "beta4": (-6.8, 7.5),
    }
    for name, expected in ranges.items():
        degrees = np.degrees(orbit[name])
        assert (degrees.min(), degrees.max()) == pytest.approx(expected, abs=0.5), name
    assert np.degrees(TURN) == pytest.approx(0.0645, abs=5e-5)
    speed = APOGEE * TURN
    assert speed == pytest.approx(7630, abs=1)


def test_case_12_energy_varies_by_noise(orbit: eomc.Trajectory) -> None:
    """1e-11 percent, and no trend beyond it."""
    energy = orbit.energy
    assert energy[0] == pytest.approx(-3.6113e12, rel=1e-4)
    assert np.abs(energy / energy[0] - 1).max() < 1e-13


def test_case_12_energy_by_a_stiff_method(chain: CompiledModel) -> None:
    """1e-8 percent by backward differentiation."""
    start = {"orbit_r": APOGEE, "orbit_psi": np.radians(30)}
    speeds = {"orbit_theta": TURN, "beta1": -TURN}
    t = np.linspace(0, PERIOD, 101)
    run = eomc.simulate(chain, start, speeds, t_span=t, method="BDF", rtol=1e-10, atol=1e-10)
    assert np.abs(run.energy / run.energy[0] - 1).max() < 1e-10
    assert np.degrees(run["orbit_psi"]).min() == pytest.approx(-30.7, abs=0.5)


def test_case_15_angular_momentum_about_the_earth(orbit: eomc.Trajectory) -> None:
    momentum = orbit.evaluate("momentum")[:, 5]
    assert np.abs(momentum / momentum[0] - 1).max() < 1e-11
    # theta is ignorable: its own momentum is the same, and all of it
    mass = orbit.evaluate("mass_matrix")
    conjugate = np.einsum("tj,tj->t", mass[:, 0], orbit.u)
    assert conjugate == pytest.approx(momentum, rel=1e-13)


def test_the_point_of_expansion_hardly_matters(
    chain: CompiledModel, orbit: eomc.Trajectory
) -> None:
    """About each body's own frame instead of the platform's centre: a third-order difference."""
    other = eomc.build(hinged_rods(about="body"))
    forces = []
    for model in (chain, other):
        rest = np.zeros(model.nu)
        forces.append(model.function("bias")(orbit.q[700], rest))
    # moments of the gradient are some 1e3 N m; their difference is size/R of that
    assert np.abs(forces[0][2:] - forces[1][2:]).max() < 1e-2
    assert np.abs(forces[0][2:]).max() > 1e2


def test_many_orbits_of_a_dumbbell() -> None:
    """Twenty revolutions, tumbling: energy and angular momentum within 1e-12."""
    model = eomc.build(dumbbell(500.0, 200.0))
    radius = 7000e3
    rate = np.sqrt(EARTH_MU / radius**3)
    run = eomc.simulate(
        model,
        {"orbit_r": radius, "orbit_psi": 0.4},
        {"orbit_theta": 1.02 * rate, "orbit_psi": 2.5 * rate},
        t_span=np.linspace(0, 20 * 2 * np.pi / rate, 401),
        rtol=3e-14,
        atol=1e-14,
    )
    assert np.abs(run.energy / run.energy[0] - 1).max() < 1e-12
    momentum = run.evaluate("momentum")[:, 5]
    assert np.abs(momentum / momentum[0] - 1).max() < 1e-12
    assert np.ptp(run["orbit_psi"]) > 2 * np.pi


def test_case_51_the_horizontal_platform_diverges() -> None:
    """From psi = -91 degrees the departure from -90 grows e-fold in 1/(sqrt(3) n) = 510 s."""
    model = eomc.build(hinged_rods(0))
    rate = np.sqrt(EARTH_MU / APOGEE**3)
    start = {"orbit_r": APOGEE, "orbit_psi": np.radians(-91)}
    run = eomc.simulate(
        model,
        start,
        {"orbit_theta": rate},
        t_span=np.linspace(0, 1200, 1201),
        rtol=1e-11,
        atol=1e-12,
    )
    departure = np.radians(-90) - run["orbit_psi"]
    growing = slice(800, 1200)  # where the decaying part, exp(-2 t/510), is below 5 %
    assert np.degrees(departure[1200]) < 6
    # the departure is cosh(t/T); its logarithm has the slope tanh(t/T)/T
    logarithm = np.gradient(np.log(departure), run.t)[growing]
    fold = np.tanh(run.t[growing] * np.sqrt(3) * rate) / logarithm
    assert 1 / (np.sqrt(3) * rate) == pytest.approx(510, abs=1)
    assert np.mean(fold) == pytest.approx(510, rel=0.03)


def platform_with_arm(expansion: str) -> eomc.Model:
    """Platform of 120 t and 120 m, an arm of two rods on it at 50 degrees, joint and payload."""
    model = eomc.Model("platform", gravity=(0, 0, 0))
    rods = {"platform": (60, 0, 0), "slewing": (3.75, 0, 0), "deployable": (3.75, 0, 0)}
    places = {"slewing": (3.75, 0, 0), "deployable": (6.25, 0, 0)}
    for name, mass in (("platform", 120e3), ("slewing", 200), ("deployable", 200)):
        across = mass * rods[name][0] ** 2 / 3
        model.body(name, mass=mass, inertia=(0, across, across))
    model.joint("orbit", "orbit_planar", parent="world", child="platform")
    model.body("arm", mass=20)
    base = {"xyz": (30, 1.5, 0), "rpy": (0, 0, np.radians(50))}
    model.joint("base", "fixed", parent="platform", child="arm", placement=base)
    model.body("payload", mass=400)
    places["payload"] = (10, 0, 0)
    for name, place in places.items():
        model.joint(name, "fixed", parent="arm", child=name, placement=place)
    if expansion == "exact":
        model.central_gravity("earth", mu=EARTH_MU, expansion="exact", rods=rods)
    else:
        model.central_gravity("earth", mu=EARTH_MU, about="platform")
    return model


def test_case_7_torque_of_the_second_order_field() -> None:
    """One unit, pitched by 28.6 degrees: -dV/dpsi to second order against the whole field."""
    torques = []
    for expansion in ("second_order", "exact"):
        system = eomc.equations(platform_with_arm(expansion)).system(())
        energy, one = system.loads.conservative.potential.node, (system.tree.zero + 1).node
        direction = {system.q[2].node: one}
        (slope,) = forward_derivative(system.graph, [energy], direction)
        moment = system.generalized(system.loads.conservative)[2]
        q = (mpmath.mpf("0.4"), mpmath.mpf(APOGEE), mpmath.radians(mpmath.mpf("28.6")))
        values = {entry.node: x for entry, x in zip(system.q, q, strict=True)}
        expressions = [-Expression(system.graph, slope), moment]
        by_energy, by_wrench = evaluate_mp(system.graph, [e.node for e in expressions], values, 50)
        assert abs(by_energy - by_wrench) < 1e-9
        torques.append(by_wrench)
    difference = float(torques[0] - torques[1])
    gradient = 3 * EARTH_MU / APOGEE**3 * 120e3 * 120**2 / 12 * np.sin(2 * np.radians(28.6)) / 2
    assert gradient == pytest.approx(230, rel=0.06)
    assert abs(difference) < 1e-6 * gradient
    assert abs(difference) == pytest.approx(1.3e-5, rel=0.05)
