"""Closed loops of the manipulator with one unit (Caron 1996, ch. 5).

The controller of the rigid motion knows rigid links on flexible joints; the regulator of the
vibrations is designed for the flexible arm without gravity, its platform held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import radians

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime import CompiledModel, Trajectory, simulate
from eomc.runtime.control import LQR, Combined, FeedbackLinearization, settling_gains
from eomc.runtime.control.state_map import StateMap
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import ORBIT, RADIUS, RATE, Motion

ARM = FlexibleManipulator(1, 0.0, free=("alpha2", "unit2_length"))
"""Payload of negligible mass; slew and length free."""

CONTROLLED = ("orbit_psi", "alpha2", "unit2_length")

SETTLING = {"orbit_psi": 40.0, "alpha2": 20.0, "unit2_length": 20.0}
"""Times to settle to 2 % [s]."""

FLEXIBLE = ("platform_y1", "alpha2", "alpha2_twist", "unit2_y1")
"""Coordinates of the regulator."""

ACTUATORS = ("platform_y1", "alpha2")
"""Generalized force on the platform's mode, slew motor."""

WEIGHTS = (1e9, 1e6, 1e6, 1e6, 1e3, 1e3, 1e3, 1e3)
"""Of `FLEXIBLE`, then of their rates."""

EXTRA_INERTIA = 8.83
"""Inertia of the unit beyond that of its links as lines that the published poles imply [kg m^2]."""

_FUNCTIONS = (
    *("forward_dynamics", "coordinate_rates", "normalize", "neutral", "mass_matrix"),
    *("kinetic_energy", "potential_energy"),
)


@cache
def plant(manipulator: FlexibleManipulator, prescribed: tuple[str, ...] = ()) -> CompiledModel:
    """The compiled model, with more of its coordinates given."""
    model = manipulator.model()
    for name in prescribed:
        model.prescribed(name)
    return build(model, functions=(*_FUNCTIONS, "linearization"))


def rigid(manipulator: FlexibleManipulator) -> FlexibleManipulator:
    """The same with rigid platform and links."""
    return replace(manipulator, flexible_platform=False, flexible_units=False)


def gains() -> tuple[list[float], list[float]]:
    """(kp, kd) of the controlled coordinates."""
    each = [settling_gains(SETTLING[name]) for name in CONTROLLED]
    return [g.kp for g in each], [g.kd for g in each]


def feedback_linearization(
    model: CompiledModel,
    wanted: Mapping[str, Motion],
    prescribed: Mapping[str, Motion],
    manipulator: FlexibleManipulator = ARM,
    *,
    stiff_joint: bool = False,
) -> FeedbackLinearization:
    """The law of the rigid coordinates `wanted`; joint deformations are measured, or the joint of
    the law's model does not deform (`stiff_joint`)."""
    twist = {"alpha2_twist": 0.0} if stiff_joint else {}
    own = plant(rigid(manipulator), (*twist,))
    kp, kd = zip(*(settling_gains(SETTLING[name]) for name in wanted), strict=True)
    return FeedbackLinearization(
        own,
        dict(wanted),
        list(kp),
        list(kd),
        plant=StateMap(model, own),
        prescribed={**prescribed, **twist},
    )


def regulator(
    target: float,
    length: float,
    *,
    about: float | None = None,
    extra_inertia: float = 0.0,
    plant_model: CompiledModel | None = None,
) -> LQR:
    """The regulator at a slew angle [deg] and a length [m], base at 30 m, pitch 0."""
    held = FlexibleManipulator(1, 0.0, gravity=False, free=("alpha2",), extra_inertia=extra_inertia)
    model = plant(held, ("orbit",))
    places = {
        "orbit_theta": 0.0,
        "orbit_r": RADIUS,
        "orbit_psi": 0.0,
        "d2": 30.0,
        "unit2_length": length,
    }
    return LQR(
        model,
        {"alpha2": radians(target)},
        np.diag(WEIGHTS),
        np.eye(2),
        about=None if about is None else {"alpha2": radians(about)},
        speeds=FLEXIBLE,
        actuators=ACTUATORS,
        prescribed=places,
        plant=None if plant_model is None else StateMap(plant_model, model),
    )


class ControlledRun:
    """A run of a plant under a law, with its histories in degrees, metres and orbits."""

    def __init__(self, model: CompiledModel, run: Trajectory) -> None:
        self.model, self.run = model, run

    @property
    def t(self) -> Array:
        """Time [orbits]."""
        return np.asarray(self.run.t / ORBIT)

    def __getitem__(self, name: str) -> Array:
        """A coordinate [rad, m]."""
        return np.asarray(self.run.q[:, self.model.coordinates.index(name)])

    def degrees(self, name: str) -> Array:
        """An angle."""
        return np.degrees(self[name])

    def force(self, name: str) -> Array:
        """Of an actuator [N, N m]."""
        return np.asarray(self.run.tau[:, self.model.speeds.index(name)])


def closed_loop(
    model: CompiledModel,
    law: FeedbackLinearization | LQR | Combined,
    start: Mapping[str, float],
    prescribed: Mapping[str, Motion],
    *,
    orbits: float = 0.01,
    gravity: bool = True,
    rtol: float = 1e-7,
    method: str | None = None,
) -> ControlledRun:
    """Simulate from `start`, other coordinates at their references, in a circular orbit."""
    free = set(model.coordinates)
    q = {"orbit_r": RADIUS} if "orbit_r" in free else {}
    u = {"orbit_theta": RATE} if gravity and "orbit_theta" in free else {}
    t = np.linspace(0.0, orbits * ORBIT, 10001)  # the joint rings at 5 Hz
    run = simulate(
        model,
        {**q, **start},
        u,
        t,
        controller=law,
        prescribed=dict(prescribed),
        rtol=rtol,
        atol=1e-10,
        method=method,
        progress=False,
    )
    return ControlledRun(model, run)


def settled(t: Array, values: Array, target: float, part: float = 0.02) -> float:
    """Time from which on the error stays below a part of the largest one."""
    error = np.abs(values - target)
    outside = np.flatnonzero(error > part * error.max())
    return float(t[outside[-1] + 1]) if outside.size and outside[-1] + 1 < t.size else np.inf
