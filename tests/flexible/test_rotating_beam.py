"""Rotating beams: spin-up and frequencies by speed, against finite elements and the literature."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from flexible.rotating_elements import RotatingBeam
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import eomc
from eomc.derive.bodies import Beam
from eomc.derive.model import Model
from eomc.runtime.model.errors import SimulationError

pytestmark = pytest.mark.variants

# the beam of Kane, Ryan and Banerjee (1987)
L, MU, EI = 10.0, 1.2, 1.4e4
DURATION, SPEED = 15.0, 6.0


@lru_cache(maxsize=4)
def rotor(stiffening: bool, modes: Any = (3, 0)) -> Any:
    model = Model("rotor", gravity=(0, 0, 0))
    form = Beam(length=L, mass_per_length=MU, EI=EI, modes=modes, stiffening=stiffening)
    model.deformable("boom", form)
    model.joint("hub", "revolute", parent="world", child="boom", axis=(0, 0, 1))
    model.prescribed("hub")
    functions = ("forward_dynamics", "mass_matrix", "inverse_dynamics_derivatives")
    return eomc.build(model, functions=functions)


def spin_up(t: float) -> tuple[float, float, float]:
    """Angle, speed, acceleration: from rest to 6 rad/s in 15 s, then steady."""
    w = 2 * math.pi / DURATION
    rate = SPEED / DURATION
    if t < DURATION:
        angle = rate * (t**2 / 2 + (math.cos(w * t) - 1) / w**2)
        return angle, rate * (t - math.sin(w * t) / w), rate * (1 - math.cos(w * t))
    return rate * DURATION**2 / 2 + SPEED * (t - DURATION), SPEED, 0.0


def tip(states: Any, modes: int) -> Any:
    """Deflection of the tip: the shapes have the values 2, -2, 2 there."""
    return states[:, :modes] @ np.array([2.0, -2.0, 2.0][:modes])


@pytest.mark.slow
def test_spin_up_with_stiffening_settles() -> None:
    """Against finite elements under centrifugal tension: the same history of the tip."""
    times = np.linspace(0, 20, 81)
    run = eomc.simulate(rotor(True), t_span=times, prescribed={"hub": spin_up})
    deflection = tip(run.q, 3)
    modes, bending, tension, load = RotatingBeam(L, MU, EI, 10).in_modes(6)

    def right(t: float, state: Any) -> Any:
        _, speed, acceleration = spin_up(t)
        stiffness = bending + speed**2 * (tension - np.eye(6))
        return np.concatenate([state[6:], -acceleration * load - stiffness @ state[:6]])

    solved = solve_ivp(right, (0, 20), np.zeros(12), "DOP853", t_eval=times, rtol=1e-8, atol=1e-10)
    expected = modes[-2] @ solved.y[:6]
    assert np.max(np.abs(deflection - expected)) < 5e-3 * np.max(np.abs(expected))
    # the literature's figure: back by a good half metre, then small vibration
    assert deflection.min() == pytest.approx(-0.57, abs=0.03)
    assert np.max(np.abs(deflection[times > DURATION])) < 0.02


def test_spin_up_without_stiffening_diverges() -> None:
    """Above W = 3.516 sqrt(EI/(mu l^4)) = 3.80 rad/s the linear beam without tension is unstable:
    its deflection grows as exp(sqrt(W^2 - w1^2) t)."""
    try:
        run = eomc.simulate(rotor(False), t_span=(0, 20), prescribed={"hub": spin_up}, step=0.25)
    except SimulationError as error:
        assert "t =" in str(error) or "diverge" in str(error)
        return
    grown = np.abs(tip(run.q, 3))
    assert grown.max() > 100 * 0.57
    growth = math.sqrt(SPEED**2 - (3.5160152685 * math.sqrt(EI / (MU * L**4))) ** 2)
    late = np.log(grown[run.t > 16])
    slope = np.polyfit(run.t[run.t > 16], late, 1)[0]
    assert slope == pytest.approx(growth, rel=1e-3)


def steady(speed: float, modes: Any, stiffening: bool = True) -> Any:
    """Frequencies in the turning frame at a steady speed."""
    compiled = rotor(stiffening, modes)
    count = sum(modes)
    zero, s = np.zeros(count), [np.zeros(1), np.array([speed]), np.zeros(1)]
    stiffness = compiled.inverse_dynamics_derivatives(zero, zero, zero, *s)[0]
    mass = compiled.mass_matrix(zero, s[0])
    return np.sqrt(eigh((stiffness + stiffness.T) / 2, mass, eigvals_only=True))


# Wright, Smith, Thresher and Wang, J. Appl. Mech. 49 (1982): flapping of a uniform beam, clamped
# at the axis; w sqrt(mu l^4/EI) of the first two modes by W sqrt(mu l^4/EI)
WRIGHT = {
    0: (3.5160, 22.0345),
    1: (3.6817, 22.1810),
    2: (4.1373, 22.6149),
    4: (5.5850, 24.2733),
    6: (7.3604, 26.8091),
    10: (11.2023, 33.6404),
}
SCALE = math.sqrt(EI / (MU * L**4))


@pytest.mark.slow
@pytest.mark.parametrize("ratio", WRIGHT)
def test_frequencies_by_speed(ratio: int) -> None:
    fine = RotatingBeam(L, MU, EI, 16)
    speed = ratio * SCALE
    stiffness = fine.bending + speed**2 * fine.tension
    flapping = np.sqrt(eigh(stiffness, fine.mass, eigvals_only=True)[:2])
    lagging = np.sqrt(eigh(stiffness - speed**2 * fine.mass, fine.mass, eigvals_only=True)[:2])
    assert flapping / SCALE == pytest.approx(WRIGHT[ratio], rel=2e-4)
    assert steady(speed, (0, 6))[:2] == pytest.approx(flapping, rel=2e-4)
    # in the plane W^2 is taken off, and with it most of the first: its error stays
    in_plane = np.hypot(steady(speed, (6, 0))[:2], speed)
    assert in_plane == pytest.approx(np.hypot(lagging, speed), rel=2e-4)
    # Southwell: w^2 = w0^2 + c W^2 is a lower bound, close for the first mode
    southwell = math.sqrt(3.5160**2 + 1.193 * ratio**2) * SCALE
    assert steady(speed, (0, 1))[0] == pytest.approx(southwell, rel=1e-3)


def test_without_stiffening_the_frequency_in_the_plane_falls() -> None:
    speed = 2 * SCALE
    assert steady(speed, (1, 0), stiffening=False)[0] == pytest.approx(
        math.sqrt(3.5160152685**2 - 4) * SCALE, rel=1e-6
    )
