"""Libration of satellites against closed forms."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from dynamics.evaluation import value
from scipy.integrate import solve_ivp

import eomc
from eomc.runtime import CompiledModel
from eomc.runtime.trajectories import KeplerOrbit
from eomc.systems.satellite import EARTH_MU, dumbbell, rigid_satellite

RADIUS = 6778e3
RATE = float(np.sqrt(EARTH_MU / RADIUS**3))
INERTIA = (40.0, 70.0, 90.0)


def periods(model: CompiledModel, start: dict[str, float], u: dict[str, float], name: str) -> float:
    """Mean time between rising zeros of a coordinate over three orbits."""
    place = model.coordinates.index(name)

    def rising(t: float, q: np.ndarray, speeds: np.ndarray) -> float:
        return float(q[place])

    rising.direction = 1  # type: ignore[attr-defined]
    run = eomc.simulate(
        model, start, u, t_span=3 * 2 * np.pi / RATE, rtol=1e-12, atol=1e-13, events=rising
    )
    (zeros,) = run.events
    return float(np.mean([b - a for a, b in pairwise(zeros.t)]))


def test_a_dumbbell_librates_in_plane_with_root_three() -> None:
    """psi'' + 3 n^2 sin psi cos psi = 0; the orbit feels it to (half/R)^2."""
    amplitude = 1e-3
    model = eomc.build(dumbbell())
    start = {"orbit_r": RADIUS, "orbit_psi": amplitude}
    period = periods(model, start, {"orbit_theta": RATE}, "orbit_psi")
    # doubled, the angle is that of a pendulum: the period grows by (2 psi)^2/16
    expected = 2 * np.pi / (np.sqrt(3) * RATE) * (1 + (2 * amplitude) ** 2 / 16)
    assert period == pytest.approx(expected, rel=1e-8)


def test_a_dumbbell_librates_out_of_plane_at_twice_the_rate() -> None:
    model = eomc.build(dumbbell(spatial=True))
    start = {"orbit_r": RADIUS, "tilt_2": 1e-4}
    period = periods(model, start, {"orbit_longitude": RATE}, "tilt_2")
    assert period == pytest.approx(2 * np.pi / (2 * RATE), rel=1e-7)


def closed_form(inertia: tuple[float, ...]) -> list[complex]:
    """Eigenvalues over n: pitch, and the quartic of roll and yaw (DeBra and Delp 1961).

    (s/n)^4 + (1 + 3 sigma_R + sigma_R sigma_Y) (s/n)^2 + 4 sigma_R sigma_Y = 0
    """
    yaw, roll, pitch = inertia
    sigma_r, sigma_y = (pitch - yaw) / roll, (pitch - roll) / yaw
    squares = np.roots([1, 1 + 3 * sigma_r + sigma_r * sigma_y, 4 * sigma_r * sigma_y])
    roots = [np.emath.sqrt(-3 * (roll - yaw) / pitch), *np.emath.sqrt(squares)]
    return sorted((complex(s) * sign for s in roots for sign in (1, -1)), key=_order)


def _order(s: complex) -> tuple[float, float]:
    return round(s.imag, 9), round(s.real, 9)


def eigenvalues(model: eomc.Model) -> list[complex]:
    """Of the exact linearization about the orbital frame, over n."""
    rest = dict.fromkeys(("q", "u", "tau"), np.zeros(3))
    orbit = {"s": [0.0, RADIUS], "s_rate": [RATE, 0.0], "s_acceleration": [0.0, 0.0]}
    by_q, by_u, _ = value(eomc.equations(model), "forward_dynamics_derivatives", **rest, **orbit)
    # in units of the orbit
    a = np.block([[np.zeros((3, 3)), np.eye(3)], [by_q / RATE**2, by_u / RATE]])
    return sorted((complex(x) for x in np.linalg.eigvals(a)), key=_order)


@pytest.mark.parametrize(
    "inertia",
    [INERTIA, (50.0, 80.0, 100.0), (60.0, 90.0, 50.0), (80.0, 60.0, 70.0)],
    ids=["stable", "stable, larger", "DeBra-Delp region", "unstable"],
)
def test_frequencies_of_a_general_satellite(inertia: tuple[float, float, float]) -> None:
    model = rigid_satellite(inertia, specified_orbit=True)
    assert np.allclose(eigenvalues(model), closed_form(inertia), atol=1e-10)


@pytest.mark.slow
def test_pitch_in_an_elliptic_orbit_follows_beletsky() -> None:
    """(1 + e cos v) psi'' - 2 e psi' sin v + 3 K sin psi cos psi = 2 e sin v by the true anomaly.

    Reference: Beletsky, *Motion of an Artificial Satellite about its Center of Mass* (1966).
    """
    e, k = 0.1, (70.0 - 40.0) / 90.0
    orbit = KeplerOrbit(EARTH_MU, 7500e3, e)
    model = eomc.build(rigid_satellite(INERTIA, specified_orbit=True))
    anomaly = orbit.true_anomaly(0.0)
    run = eomc.simulate(
        model,
        {"attitude_a1": 0.3},
        {"attitude_a1": 0.2 * float(anomaly.rate)},
        t_span=2 * orbit.period,
        prescribed={"orbit_theta": orbit.true_anomaly, "orbit_r": orbit.radius},
        rtol=1e-11,
        atol=1e-12,
    )

    def beletsky(v: float, y: np.ndarray) -> list[float]:
        psi, rate = y
        force = 2 * e * np.sin(v) * (1 + rate) - 3 * k * np.sin(psi) * np.cos(psi)
        return [rate, force / (1 + e * np.cos(v))]

    angles = orbit.true_anomaly(run.t).position
    reference = solve_ivp(
        beletsky,
        (0, angles[-1]),
        [0.3, 0.2],
        t_eval=np.clip(angles, 0, angles[-1]),
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
    )
    assert run["attitude_a1"] == pytest.approx(reference.y[0], abs=1e-8)
    assert np.abs(run["attitude_a2"]).max() < 1e-12


def test_the_orbit_is_held_by_what_gravity_leaves() -> None:
    """On a Kepler ellipse a small body needs no force; 2nd-order terms are (size/R)^2 of mu m/r^2.

    The force is what prescribing the orbit takes.
    """
    orbit = KeplerOrbit(EARTH_MU, 7500e3, 0.1)
    model = eomc.build(rigid_satellite(INERTIA, specified_orbit=True))
    t = 0.37 * orbit.period
    theta, r = orbit.true_anomaly(t), orbit.radius(t)
    s, rate, acceleration = (np.array(pair) for pair in zip(theta, r, strict=True))
    zero = np.zeros(3)
    torque, force = model.function("prescribed_forces")(zero, zero, zero, s, rate, acceleration)
    weight = 200 * EARTH_MU / s[1] ** 2
    assert abs(force) < 1e-12 * weight
    assert abs(torque) < 1e-9 * weight * s[1] * 1e-3
