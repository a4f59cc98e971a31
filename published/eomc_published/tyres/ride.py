"""Cases of roads and ride: 8 to 11."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.excitation.road import Road, RoadProfile
from eomc.runtime.linearization import LinearModel, linearize
from eomc.runtime.linearization.random_response import (
    ResponseSpectrum,
    comfort_weighting,
    random_response,
)
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.simulation.simulate import simulate
from eomc.systems.trom.semitrailer import FORWARD
from eomc.systems.vehicles import quarter_car
from eomc_published.case import Case, CaseCheck, agrees, holds
from eomc_published.tyres.handling import straight, truck, truck_at

ROAD = Road.of_class("B")
FREQUENCIES = np.geomspace(0.1, 80.0, 1200)
BEHIND = {"front": 0.0, "drive1": 3.65, "drive2": 4.95, "trailer1": 15.5, "trailer2": 16.8}
"""Axles behind the front one [m]."""
_LENGTH = 100.0
# ISO 8608, table C.1: geometric means and upper limits of G_d(n_0) [1e-6 m^3].
_MEANS = {"A": 16, "B": 64, "C": 256, "D": 1024, "E": 4096, "F": 16384, "G": 65536, "H": 262144}
# ISO 2631-1, table 3: 1000 W_k by frequency.
_WEIGHTS = {
    0.5: 418,
    1: 482,
    2: 531,
    4: 967,
    5: 1039,
    6.3: 1054,
    8: 1036,
    10: 988,
    31.5: 405,
    80: 132,
}


def _road() -> Iterator[CaseCheck]:
    found = [1e6 * float(Road.of_class(name).density(0.1)) for name in _MEANS]
    yield agrees(
        "G_d(0.1 1/m) of the classes [1e-6 m^3]", [*_MEANS.values()], found, 1e-9, relative=True
    )
    profile = ROAD.profile(_LENGTH, shortest=0.5, longest=50.0, seed=3)
    x = np.arange(2048) * _LENGTH / 2048
    amplitude = np.fft.rfft(profile.height(x))[2:201] / 1024
    density = np.abs(amplitude) ** 2 / 2 * _LENGTH
    wanted = 64e-6 * (np.arange(2, 201) / _LENGTH / 0.1) ** -2
    yield agrees(
        "density of a profile, by its Fourier series, over that of its class",
        np.ones(199),
        density / wanted,
        1e-9,
    )
    height, rate = profile.at_speed(20.0, behind=3.0)
    step = 1e-5
    differenced = (height(1 + step) - height(1 - step)) / (2 * step)
    yield agrees("rate under a wheel [m/s]", differenced, rate(1.0), 1e-6)
    yield agrees("a wheel 3 m behind sees it later", height(1.0), profile.height(17.0), 1e-15)


@cache
def quarter() -> CompiledModel:
    """300 kg on 40 kg on a tyre."""
    return build(quarter_car())


def quarter_linear() -> LinearModel:
    """About rest."""
    return linearize(quarter(), outputs=["acceleration(body)"])


def quarter_transfer(f: Array) -> Array:
    """Acceleration of the body by height of the road, of the two equations of motion."""
    ms, mu, k, c, kt = 300.0, 40.0, 18e3, 1.2e3, 180e3
    s = 2j * np.pi * f
    below = ms * mu * s**4 + (ms + mu) * c * s**3 + (ms * kt + (ms + mu) * k) * s**2
    return np.asarray(s**2 * kt * (c * s + k) / (below + c * kt * s + k * kt))


def _quarter() -> Iterator[CaseCheck]:
    f, speed = FREQUENCIES, 20.0
    found = random_response(
        quarter_linear(),
        "acceleration(body)",
        lambda f: ROAD.density_at(f, speed),
        {"road": 0.0},
        f,
    )
    wanted = np.abs(quarter_transfer(f)) ** 2 * 64e-6 * (f / speed / 0.1) ** -2 / speed
    yield agrees(
        "density of the acceleration by the closed form",
        np.ones(len(f)),
        found.density / wanted,
        1e-9,
    )
    wide = np.geomspace(1e-2, 1e4, 3000)
    whole = random_response(
        quarter_linear(),
        "acceleration(body)",
        lambda f: ROAD.density_at(f, speed),
        {"road": 0.0},
        wide,
    )
    ms, mu, k, c, kt = 300.0, 40.0, 18e3, 1.2e3, 180e3
    white = (2 * np.pi * 0.1) ** 2 * 64e-6 * speed
    exact = np.sqrt(white / 2 * (c**2 * kt + k**2 * (ms + mu)) / (2 * c * ms**2))
    yield agrees("rms acceleration of the body [m/s^2]", exact, whole.rms, 1e-4, relative=True)
    yield from _quarter_run(speed)


def _quarter_run(speed: float) -> Iterator[CaseCheck]:
    """Over the second period of a profile, tyre never off the road, against the sum of waves."""
    profile = ROAD.profile(_LENGTH, shortest=0.5, longest=50.0, seed=1)
    height, rate = profile.at_speed(speed)
    period = _LENGTH / speed
    t = np.linspace(0, 2 * period, 4001)
    inputs = {"road": height, "road_rate": rate}
    run = simulate(quarter(), t_span=t, inputs=inputs, rtol=1e-6, atol=1e-9, progress=False)
    moved = quarter_transfer(profile.n * speed) * profile.amplitude
    wanted = np.sqrt(np.sum(np.abs(moved) ** 2) / 2)
    found = periodic_acceleration(run["speed(body)"][2000:-1], period)
    yield agrees("rms of a run on a profile by that of its waves", 1.0, found / wanted, 2e-3)


def periodic_acceleration(speed: Array, period: float) -> float:
    """rms of the derivative of a periodic signal, by its Fourier series."""
    amplitude = np.fft.rfft(speed) / len(speed)
    omega = 2 * np.pi * np.arange(len(amplitude)) / period
    return float(np.sqrt(2 * np.sum(np.abs(amplitude * omega) ** 2)))


# -- the truck -------------------------------------------------------------------------------------


@cache
def truck_linear() -> LinearModel:
    """About straight running at 50 miles per hour."""
    return truck_at(FORWARD, outputs=["acceleration(tractor_z)", "acceleration(tractor_a2)"])


@cache
def truck_ride(f: tuple[float, ...] = tuple(FREQUENCIES)) -> ResponseSpectrum:
    """Vertical acceleration of the tractor's mass centre."""
    delays = {f"{axle}_road": x / FORWARD for axle, x in BEHIND.items()}
    rates = {f"{axle}_road_rate": x / FORWARD for axle, x in BEHIND.items()}
    return random_response(
        truck_linear(),
        "acceleration(tractor_z)",
        lambda f: ROAD.density_at(f, FORWARD),
        delays | rates,
        np.array(f),
        rates=tuple(rates),
    )


@cache
def truck_run() -> tuple[Array, RoadProfile]:
    """Vertical speed of the tractor over two periods of a profile, and the profile."""
    profile = ROAD.profile(_LENGTH, shortest=1.0, longest=50.0, seed=2)
    inputs = dict(straight().inputs)
    laws = {}
    for axle, behind in BEHIND.items():
        laws[f"{axle}_road"], laws[f"{axle}_road_rate"] = profile.at_speed(FORWARD, behind)
    t = np.linspace(0, 2 * _LENGTH / FORWARD, 2001)
    rest = straight()
    run = simulate(
        truck(),
        rest.q,
        {"tractor_x": FORWARD},
        t,
        z=rest.z,
        inputs={**inputs, **laws},
        rtol=1e-6,
        atol=1e-8,
        progress=False,
    )
    return run["speed(tractor_z)"], profile


def _truck() -> Iterator[CaseCheck]:
    found = truck_ride()
    peaks = found.frequency[np.argmax(found.density)]
    yield holds("largest density", "a ride mode, 1 to 4 Hz", f"{peaks:.3g} Hz", 1 < peaks < 4)
    weighted = found.weighted()
    text = f"{weighted.rms:.3f} of {found.rms:.3f} m/s^2"
    yield holds(
        "rms of the acceleration, weighted", "less than unweighted", text, weighted.rms < found.rms
    )
    speed, profile = truck_run()
    waves = profile.n * FORWARD
    response = truck_ride(tuple(waves))
    gain = response.density / ROAD.density_at(waves, FORWARD)
    wanted = np.sqrt(np.sum(gain * profile.amplitude**2) / 2)
    run = periodic_acceleration(speed[1000:-1], _LENGTH / FORWARD)
    yield agrees("rms of a run on a profile by that of its waves", 1.0, run / wanted, 0.02)


def _weights() -> Iterator[CaseCheck]:
    found = 1e3 * np.abs(comfort_weighting([*_WEIGHTS]))
    yield agrees("1000 W_k", [*_WEIGHTS.values()], found, 0.6)


CASES = (
    Case(
        8,
        "Roads of ISO 8608",
        "ISO 8608, table C.1 and annex C",
        "classes as printed; the Fourier series of a profile; its rate under a moving wheel",
        _road,
    ),
    Case(
        9,
        "Ride of a quarter car",
        "Hac (1985); James, Nichols and Phillips (1947), table of integrals",
        "density and rms by closed forms; a run on a profile",
        _quarter,
        "reconstructed",
        slow=True,
    ),
    Case(10, "Frequency weighting of comfort", "ISO 2631-1, table 3", "W_k as printed", _weights),
    Case(
        11,
        "Ride of the five-axle truck",
        "Trom (1990), sec. 5.4; ISO 8608, ISO 2631-1",
        "density and weighted rms of the tractor's vertical acceleration at 50 miles per hour on a "
        "road of class B, both tracks alike; a run of the nonlinear truck on a profile against the "
        "sum of its waves",
        _truck,
        "reconstructed",
        slow=True,
    ),
)
