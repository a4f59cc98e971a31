"""The Kepler ellipse against extended precision and against Newton's law."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from orbit.satellites import MU, RADIUS

from eomc.runtime.trajectories import KeplerOrbit
from eomc.runtime.trajectories.kepler_orbit import kepler_equation

ECCENTRICITIES = (0.0, 1e-3, 0.1, 0.7, 0.97, 0.999999)


@pytest.mark.parametrize("e", ECCENTRICITIES)
def test_keplers_equation(e: float) -> None:
    """To rounding of E for its exact root, however flat the function at the perigee."""
    means = np.concatenate([[0.0], np.geomspace(1e-12, np.pi, 60)])
    got = kepler_equation(np.concatenate([means, -means]), e)
    with mpmath.workdps(40):
        for mean, anomaly in zip(means, got, strict=False):
            guess = mpmath.mpf(float(anomaly))
            f = lambda x, m=mean: x - mpmath.mpf(e) * mpmath.sin(x) - mpmath.mpf(float(m))  # noqa: E731
            root = mpmath.findroot(f, guess, tol=mpmath.mpf(10) ** -60) if anomaly else 0
            assert abs(root - guess) <= 4e-15 * abs(root)
    assert np.array_equal(got[len(means) :], -got[: len(means)])


@pytest.mark.parametrize("e", ECCENTRICITIES)
def test_rates_are_derivatives(e: float) -> None:
    """theta', r' and the accelerations are those of the coordinates, by extrapolated differences
    in the eccentric anomaly's own time scale; position obeys Newton's law."""
    orbit = KeplerOrbit(MU, RADIUS, e, mean_anomaly=0.3, epoch=17.0, perigee=0.4)
    t = np.linspace(-2, 3, 23) * orbit.period
    r, theta = orbit.radius(t), orbit.true_anomaly(t)
    # Newton's law in polar coordinates
    assert np.allclose(
        r.acceleration - r.position * theta.rate**2,
        -MU / r.position**2,
        rtol=1e-12,
        atol=1e-12 * MU / r.position**2,
    )
    coriolis = r.position * theta.acceleration + 2 * r.rate * theta.rate
    assert np.abs(coriolis / (r.position * theta.rate**2)).max() < 1e-12
    # energy and angular momentum
    energy = (r.rate**2 + (r.position * theta.rate) ** 2) / 2 - MU / r.position
    assert np.abs(energy / (-MU / (2 * RADIUS)) - 1).max() < 1e-13 / (1 - e)
    # Kepler's second law fixes the phase: theta' is the slope of theta
    with mpmath.workdps(30):
        for time in t[::5]:
            slope = mpmath.diff(lambda x: _anomaly(orbit, x), mpmath.mpf(float(time)))
            assert float(slope) == pytest.approx(float(orbit.true_anomaly(time).rate), rel=1e-9)


def _anomaly(orbit: KeplerOrbit, t: mpmath.mpf) -> mpmath.mpf:
    """The true anomaly in extended precision, within one revolution."""
    e = mpmath.mpf(orbit.eccentricity)
    n = mpmath.sqrt(mpmath.mpf(MU) / mpmath.mpf(RADIUS) ** 3)
    mean = n * (t - orbit.epoch) + mpmath.mpf(orbit.mean_anomaly)
    mean -= 2 * mpmath.pi * mpmath.nint(mean / (2 * mpmath.pi))
    guess = mpmath.mpf(float(kepler_equation(float(mean), orbit.eccentricity)))
    root = mpmath.findroot(lambda x: x - e * mpmath.sin(x) - mean, guess)
    return 2 * mpmath.atan2(
        mpmath.sqrt(1 + e) * mpmath.sin(root / 2), mpmath.sqrt(1 - e) * mpmath.cos(root / 2)
    )


def test_the_angle_counts_on() -> None:
    orbit = KeplerOrbit(MU, RADIUS, 0.3)
    t = np.linspace(0, 4 * orbit.period, 200)
    angle = orbit.true_anomaly(t).position
    assert (np.diff(angle) > 0).all()
    assert angle[-1] == pytest.approx(8 * np.pi, abs=1e-12)
    assert orbit.eccentric_anomaly(t[-1]) == pytest.approx(8 * np.pi, abs=1e-12)


def test_position_in_space() -> None:
    """The vector of r and theta in the axes of the orbit, and its derivatives."""
    orbit = KeplerOrbit(MU, RADIUS, 0.2, inclination=0.9, node=0.5, perigee=1.1, mean_anomaly=2.0)
    t = np.linspace(0, orbit.period, 9)
    r, theta = orbit.radius(t), orbit.true_anomaly(t)
    radial = np.stack([np.cos(theta.position), np.sin(theta.position), 0 * t], axis=-1)
    along = np.stack([-radial[:, 1], radial[:, 0], 0 * t], axis=-1)
    place = r.position[:, None] * radial
    velocity = r.rate[:, None] * radial + (r.position * theta.rate)[:, None] * along
    sample = orbit.position(t)
    assert np.allclose(sample.position, place @ orbit.axes.T, rtol=0, atol=1e-14 * RADIUS)
    assert np.allclose(sample.rate, velocity @ orbit.axes.T, rtol=0, atol=1e-11)
    towards = -MU * sample.position / r.position[:, None] ** 3
    assert np.allclose(sample.acceleration, towards, rtol=1e-14)
    node = np.array([np.cos(0.5), np.sin(0.5), 0])
    assert orbit.axes[:, 2] @ node == pytest.approx(0, abs=1e-16)
    assert orbit.axes[2, 2] == pytest.approx(np.cos(0.9), rel=1e-15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1), "mu is 0"),
        ((1, -1), "semi_major_axis is -1"),
        ((1, 1, 1.0), "eccentricity is 1.0; an ellipse has 0 <= e < 1"),
        ((1, 1, np.nan), "eccentricity is not finite"),
    ],
)
def test_refusals(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        KeplerOrbit(*arguments)
    with pytest.raises(ValueError, match="t is not finite"):
        KeplerOrbit(1, 1).radius(np.inf)
