"""Maneuvers of the manipulator, and the responses that the thesis plots."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
import sympy
from numpy.typing import NDArray

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.bodies.form import Form
from eomc.runtime import CompiledModel, Trajectory, simulate
from eomc.runtime.trajectories import Profile, SineRamp
from eomc.systems.flexible_manipulator.data import ALTITUDE, EARTH_RADIUS, MU
from eomc.systems.flexible_manipulator.model import FlexibleManipulator

Motion = float | Profile

RADIUS = EARTH_RADIUS + ALTITUDE
"""Of the circular orbit [m]."""

RATE = math.sqrt(MU / RADIUS**3)
"""Of the circular orbit [rad/s]."""

ORBIT = 2 * math.pi / RATE
"""Its period [s]."""

FUNCTIONS = (
    *("forward_dynamics", "coordinate_rates", "normalize", "neutral"),
    *("kinetic_energy", "potential_energy", "momentum"),
    *("frame_end_pose", "frame_platform_pose"),
)


def ramp(start: float, end: float, orbits: float, *, after: float = 0.0) -> SineRamp:
    """A sine ramp that takes a part of an orbit."""
    return SineRamp(start, end, orbits * ORBIT, start_time=after * ORBIT)


def turn(start: float, end: float, orbits: float = 0.01) -> SineRamp:
    """A sine ramp of an angle in degrees."""
    return ramp(math.radians(start), math.radians(end), orbits)


@dataclass(frozen=True)
class Scenario:
    """One run: what is built, what is specified, how it starts, how long it lasts.

    motion : specified coordinates, numbers for those at rest; deflections : tip deflections e at
    the start by body [m]; start, rates : other coordinates and rates that do not start at zero;
    orbits : duration; method, rtol, atol : of the integration.
    """

    manipulator: FlexibleManipulator
    motion: Mapping[str, Motion]
    orbits: float = 0.01
    deflections: Mapping[str, float] = field(default_factory=dict)
    start: Mapping[str, float] = field(default_factory=dict)
    rates: Mapping[str, float] = field(default_factory=dict)
    rtol: float = 1e-9
    atol: float = 1e-12
    method: str = "DOP853"

    def run(self) -> Response:
        """Simulate."""
        model = compiled(self.manipulator)
        q = {"orbit_r": RADIUS, **self.start}
        u = {"orbit_theta": RATE, **self.rates} if self.manipulator.gravity else dict(self.rates)
        for body, e in self.deflections.items():
            q[f"{body}_y1"] = e / tip_values(self.manipulator, body)[0]
        t = np.linspace(0.0, self.orbits * ORBIT, 2001)
        run = simulate(
            model,
            q,
            u,
            t,
            prescribed=dict(self.motion),
            method=self.method,
            rtol=self.rtol,
            atol=self.atol,
            progress=False,
        )
        return Response(self, model, run)


@cache
def compiled(manipulator: FlexibleManipulator) -> CompiledModel:
    """The model, with the frame of its end-effector."""
    model = manipulator.model()
    model.frame("end", body=f"tip{manipulator.numbers[-1]}")
    return build(model, functions=FUNCTIONS)


@cache
def tip_values(manipulator: FlexibleManipulator, body: str) -> tuple[float, ...]:
    """Deflection of the tip of a body for unit modal amplitudes."""
    return tips(manipulator.model().deformables[body].form)


def tips(form: Form) -> tuple[float, ...]:
    """The same of a form."""
    xi = [sympy.Symbol(name) for name in form.coordinates]
    _, deflection, _ = form.attachment("tip", xi).displacement
    modes = [symbol for symbol in xi if symbol.name != "length"]
    return tuple(float(sympy.diff(deflection, symbol)) for symbol in modes)


@dataclass(frozen=True)
class Response:
    """Time histories of a run, in degrees and metres.

    Bodies are numbered as in the thesis: 1 the platform, 2, 3, ... the units; e(i + 1) is the
    deflection of the tip of body i.
    """

    scenario: Scenario
    model: CompiledModel
    run: Trajectory

    @property
    def t(self) -> Array:
        """In orbits."""
        return np.asarray(self.run.t / ORBIT)

    def coordinate(self, name: str) -> Array:
        """A free coordinate."""
        return np.asarray(self.run.q[:, self.model.coordinates.index(name)])

    @cached_property
    def pitch(self) -> Array:
        """psi [degrees]"""
        return np.degrees(self.coordinate("orbit_psi"))

    def beta(self, i: int) -> Array:
        """Deformation of the joint of unit i [degrees]."""
        return np.degrees(self.coordinate(f"alpha{i}_twist"))

    def e(self, i: int) -> Array:
        """Deflection of the tip of body i - 1 [m]."""
        body = "platform" if i == 2 else f"unit{i - 1}"
        values = tip_values(self.scenario.manipulator, body)
        return sum(  # type: ignore[return-value]
            value * self.coordinate(f"{body}_y{k}") for k, value in enumerate(values, 1)
        )

    def named(self, name: str) -> Array:
        """``pitch``, ``beta<i>`` [degrees] or ``e<i>`` [m]."""
        if name == "pitch":
            return self.pitch
        return self.beta(int(name[4:])) if name.startswith("beta") else self.e(int(name[1:]))

    def undeformed_end(self) -> Array:
        """(x_e, y_e) of the model in the specified motion, nothing deformed [m], (k, 2)."""
        q = np.zeros_like(self.run.q)
        q[:, self.model.coordinates.index("orbit_r")] = RADIUS
        return self._end(q)

    @cached_property
    def end(self) -> Array:
        """(x_e, y_e): the end-effector in the frame of the platform [m], (k, 2)."""
        return self._end(self.run.q)

    def _end(self, q: Array) -> Array:
        state = (q, self.run.s)
        platform, end = (
            self.model.function("frame_platform_pose")(*state),
            self.model.function("frame_end_pose")(*state),
        )
        offset = end[:, :3, 3] - platform[:, :3, 3]
        return np.asarray(np.einsum("kji,kj->ki", platform[:, :3, :3], offset)[:, :2])

    @cached_property
    def energy(self) -> Array:
        """T + V [J]"""
        motion = (self.run.s, self.run.s_rate)
        kinetic = self.model.kinetic_energy(self.run.q, self.run.u, *motion)
        return np.asarray(kinetic + self.model.potential_energy(self.run.q, self.run.s))

    @cached_property
    def angular_momentum(self) -> Array:
        """About the Earth [N m s]."""
        state = (self.run.q, self.run.u, self.run.s, self.run.s_rate)
        return np.asarray(self.model.momentum(*state)[:, 5])

    def after(self, orbits: float) -> NDArray[np.bool_]:
        """Times after a part of an orbit."""
        return np.asarray(self.t > orbits * (1 + 1e-12))


def peak(values: Array) -> float:
    """Largest magnitude."""
    return float(np.abs(values).max())
