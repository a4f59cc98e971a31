"""A ball that rolls in a bowl and on a ball: a pendulum, integrals, where it leaves."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import eomc

G, BOWL, BALL = 9.81, 0.5, 0.1
ARM = BOWL - BALL


@cache
def ball(side: str) -> Any:
    model = eomc.Model("ball", gravity=(0, 0, -G))
    model.body("ball", mass=2, inertia=(0.4 * 2 * BALL**2,) * 3)
    model.joint("free", "floating", parent="world", child="ball")
    model.constraint(
        "roll",
        "rolling_contact",
        shape={"kind": "sphere", "at": "ball", "radius": BALL},
        surface={"kind": "sphere", "at": "world", "radius": BOWL, "side": side},
    )
    return eomc.build(model, flags=("-O0",))


def rolling(place: Any, velocity: Any, spin: float, radius: float) -> tuple[Any, Any]:
    """State of a ball whose centre is at a place about the middle of a sphere and rolls on it at
    `radius` along the normal, from its centre; velocities in the axes of the ball."""
    n = place / np.linalg.norm(place)
    omega = spin * n - np.cross(n, velocity) / radius
    return np.array([*place, 1, 0, 0, 0]), np.array([*velocity, *omega])


def world_spin(q: Any, u: Any) -> Any:
    turned = Rotation.from_quat(np.roll(q[:, 3:], -1, axis=1))
    return turned.apply(u[:, 3:])


def test_in_a_plane_it_is_a_pendulum() -> None:
    """theta'' = -(5/7) g sin(theta)/(R - r), far past 45 degrees, where directions change."""
    start = 1.4
    place = ARM * np.array([np.sin(start), 0, -np.cos(start)])
    run = eomc.simulate(
        ball("inside"), *rolling(place, np.zeros(3), 0, BALL), t_span=1.5, rtol=1e-11, atol=1e-12
    )
    angle = np.arctan2(run.q[:, 0], -run.q[:, 2])

    def pendulum(t: float, y: Any) -> Any:
        return [y[1], -5 / 7 * G / ARM * np.sin(y[0])]

    other = solve_ivp(pendulum, (0, 1.5), [start, 0], "DOP853", run.t, rtol=1e-12, atol=1e-13)
    assert angle.min() < -1.3
    assert np.abs(angle - other.y[0]).max() < 1e-8


def test_integrals_in_space() -> None:
    """Of m v' = F + m g, I w' = r n x F and v = r n x w follow w.n and
    7/5 (n x v)_z - 2/5 r (w.n) n_z."""
    place = ARM * np.array([0.8, 0, -0.6])
    q, u = rolling(place, np.array([0, 1.1, 0]), 30.0, BALL)
    run = eomc.simulate(ball("inside"), q, u, t_span=3, rtol=1e-11, atol=1e-12)
    n = run.q[:, :3] / ARM
    assert np.abs(np.linalg.norm(n, axis=1) - 1).max() < 1e-9
    omega = world_spin(run.q, run.u)
    velocity = Rotation.from_quat(np.roll(run.q[:, 3:], -1, axis=1)).apply(run.u[:, :3])
    spin = np.sum(omega * n, axis=1)
    assert np.ptp(n[:, 2]) > 0.2 and np.abs(spin - 30).max() < 1e-7
    integral = 7 / 5 * np.cross(n, velocity)[:, 2] - 2 / 5 * BALL * spin * n[:, 2]
    assert np.abs(integral - integral[0]).max() < 1e-8
    assert np.abs(run.energy - run.energy[0]).max() < 1e-7


def test_it_presses_on_a_ball_down_to_ten_seventeenths() -> None:
    """From rest at theta_0 the normal force vanishes at cos(theta) = 10/17 cos(theta_0)."""
    start, arm = 0.3, BOWL + BALL
    place = arm * np.array([np.sin(start), 0, np.cos(start)])
    q, u = rolling(place, np.zeros(3), 0, -BALL)
    made = ball("outside")
    run = eomc.simulate(made, q, u, t_span=np.linspace(0, 0.9, 901), rtol=1e-11, atol=1e-12)
    pressing = eomc.runtime.multipliers(run)
    force = pressing.values[:, pressing.names.index("roll.gap")]
    height = run.q[:, 2] / arm
    assert force[0] == pytest.approx(2 * G * np.cos(start), rel=1e-9)
    (leaves,) = np.flatnonzero((force[:-1] > 0) & (force[1:] <= 0))
    share = force[leaves] / (force[leaves] - force[leaves + 1])
    found = height[leaves] + share * (height[leaves + 1] - height[leaves])
    assert found == pytest.approx(10 / 17 * np.cos(start), rel=1e-5)
