"""Case 47: a ball that rolls and spins against moments under its load.

With M = b N against rolling and s N against spin, a homogeneous ball slows down by 5 b g/(7 r) and
turns slower by 5 s g/(2 r^2); the moments are exact but for a slip speed and a turn speed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.simulation.simulate import simulate
from eomc_published.case import Case, CaseCheck, agrees

G, MASS, RADIUS, STIFFNESS = 9.81, 2.0, 0.1, 1e5
ROLLING, SPINNING, SPEED, SPIN = 1e-3, 2e-4, 1.0, 5.0


def _ball() -> Iterator[CaseCheck]:
    model = Model("ball")
    model.body("ball", mass=MASS, inertia=(0.4 * MASS * RADIUS**2,) * 3)
    model.joint("free", "floating", parent="world", child="ball")
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "ball", "radius": RADIUS},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "kelvin_voigt", "stiffness": STIFFNESS, "damping": 300},
        friction={"kind": "coulomb", "coefficient": 0.5, "slip_speed": 1e-3},
        rolling_resistance=ROLLING,
        spin_friction=SPINNING,
        turn_speed=1e-3,
    )
    compiled = build(model, functions=["forward_dynamics", "coordinate_rates"])
    height = RADIUS - MASS * G / STIFFNESS
    start = {"free_z": height}, {"free_vx": SPEED, "free_wy": SPEED / RADIUS, "free_wz": SPIN}
    slowing, turning = 5 * ROLLING * G / (7 * RADIUS), 5 * SPINNING * G / (2 * RADIUS**2)
    times = np.linspace(0, 0.5, 3)
    run = simulate(compiled, *start, t_span=times, method="LSODA", rtol=1e-7, atol=1e-9)
    speeds = np.linalg.norm(run.u[:, :3], axis=1)
    yield agrees("speed over time [m/s]", SPEED - slowing * times, speeds, 3e-5)
    squares = ((SPEED - slowing * times) / RADIUS) ** 2 + (SPIN - turning * times) ** 2
    turns = np.linalg.norm(run.u[:, 3:], axis=1)
    yield agrees("turning over time [rad/s]", np.sqrt(squares), turns, 1e-4)


CASES = (Case(47, "Rolling resistance and spin friction", "exact", "a ball slows down", _ball),)
