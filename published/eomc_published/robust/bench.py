"""Two plants that bend, the same for all laws: an arm on a flexible joint and a truss crane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from math import cos, radians, sin
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.runtime.control.flexible import SlowFast
from eomc.runtime.control.h_infinity import HInfinityDesign, h_infinity
from eomc.runtime.control.output_regulator import OutputRegulator, lqg, modal_truncation
from eomc.runtime.control.regulator import regulator
from eomc.runtime.linearization import LinearModel, linearize
from eomc.runtime.model.compiled import CompiledModel
from eomc.systems.flexible_manipulator.model import FlexibleManipulator
from eomc.systems.flexible_manipulator.scenario import RADIUS
from eomc.systems.truss_crane import single_actuator_crane
from eomc.systems.truss_crane.crane import EXTENSION

ANGLE, LENGTH = radians(50), 12.0
PLACES = {
    "orbit_theta": 0.0,
    "orbit_r": RADIUS,
    "orbit_psi": 0.0,
    "d2": 30.0,
    "unit2_length": LENGTH,
}
OMEGA = np.geomspace(0.1, 1000.0, 3000)


@dataclass(frozen=True, eq=False)
class Bench:
    """A plant with one actuator and one measurement, about a place of rest.

    states : of the design model, the slowest eigenvalues; cost, noise : of the LQG regulator;
    weight : zeros and poles [rad/s] of the H-infinity weight on the effort; performance,
    disturbance : weights of output and disturbance of that design
    """

    name: str
    model: CompiledModel
    q: Array
    prescribed: Mapping[str, float] | None
    linear: LinearModel
    input: str
    actuator: str
    row: Array
    states: int
    cost: float
    noise: float
    weight: tuple[float, float]
    performance: float
    disturbance: float
    whole: tuple[Array, Array, Array] = field(init=False)

    def __post_init__(self) -> None:
        column = self.linear.inputs.index(self.input)
        outputs = np.zeros((1, len(self.linear.states)))
        outputs[0, : len(self.linear.coordinates)] = self.row @ self.linear.basis
        object.__setattr__(self, "whole", (self.linear.A, self.linear.B[:, [column]], outputs))

    @cached_property
    def design(self) -> tuple[Array, Array, Array]:
        """a, b, c of the design model."""
        return modal_truncation(*self.whole, self.states)

    @property
    def collocated(self) -> tuple[Array, Array, Array]:
        """The design model with the displacement of the actuator as its output."""
        a, b, _ = self.whole
        outputs = np.zeros((1, len(a)))
        speed = self.model.speeds.index(self.actuator)
        outputs[0, : len(self.linear.coordinates)] = self.linear.basis[speed]
        return modal_truncation(a, b, outputs, self.states)

    def recovering(self, q: float = 1e8) -> OutputRegulator:
        """LQG over the displacement of the actuator, with loop recovery."""
        a, b, c = self.collocated
        return lqg(a, b, c, regulator(a, b, c.T @ c, self.cost).gain, 1e-3, 1.0, q)

    @cached_property
    def left_out(self) -> Array:
        """|G_whole - G_design| at `OMEGA`."""
        return np.abs(response(*self.whole) - response(*self.design))[:, 0, 0]

    def gain(self) -> Array:
        """K of the full state of the design model."""
        a, b, c = self.design
        return regulator(a, b, c.T @ c, self.cost).gain

    def lqg(self) -> OutputRegulator:
        """The regulator that trusts its model and its measurements."""
        a, b, c = self.design
        process = b @ b.T + 1e-9 * np.eye(len(a))
        return lqg(a, b, c, self.gain(), process, self.noise)

    def effort(self) -> Any:
        """W = k ((s + w_1)/(s + w_2))^2 of python-control, 1.15 of what is left out or more."""
        import control

        shape = control.tf([1, self.weight[0]], [1, self.weight[1]]) ** 2
        return 1.15 * float((self.left_out / np.abs(shape(1j * OMEGA))).max()) * shape

    @cached_property
    def robust(self) -> HInfinityDesign:
        """The regulator that knows how much its model leaves out."""
        a, b, c = self.design
        return h_infinity(
            a,
            b,
            c,
            performance=self.performance * c,
            disturbance=self.disturbance,
            effort=self.effort(),
        )


def response(a: Array, b: Array, c: Array, omega: Array = OMEGA) -> Array:
    """c (i w - a)^-1 b (n, ny, nv)."""
    s = 1j * omega[:, None, None]
    return np.asarray(c @ np.linalg.solve(s * np.eye(len(a)) - a, b[None].astype(complex)))


@cache
def arm_model(modes: int) -> CompiledModel:
    """The manipulator of one unit, 12 m long, its platform held."""
    model = FlexibleManipulator(
        1,
        0.0,
        gravity=False,
        free=("alpha2",),
        flexible_platform=False,
        flexible_units=modes > 0,
        modes=modes,
        damping=0.005,
    ).model()
    model.prescribed("orbit")
    model.frame("end", body="tip2")
    return build(model)


@cache
def arm() -> Bench:
    """Motor torque, and the angle of the tip as a camera sees it; four modes, of which the design
    knows the first with that of the joint."""
    model = arm_model(4)
    linear = linearize(
        model, q={"alpha2": ANGLE}, prescribed=PLACES, outputs=["alpha2", "end.x", "end.y"]
    )
    across = np.array([-sin(ANGLE), cos(ANGLE)]) / LENGTH
    row = across @ linear.C[1:, : model.nu]
    return Bench(
        "arm",
        model,
        linear.point.q,
        PLACES,
        linear,
        "tau(alpha2)",
        "alpha2",
        row,
        states=6,
        cost=1e-12,
        noise=1e-13,
        weight=(30.0, 60.0),
        performance=0.3,
        disturbance=1e5,
    )


@cache
def crane_model(modes: int) -> CompiledModel:
    """The crane with one actuator, a little damped."""
    return build(single_actuator_crane(modes, retardation=2e-4 if modes else 0.0))


@cache
def crane() -> Bench:
    """Force and extension of the actuator; four modes, of which the design knows the first."""
    model = crane_model(4)
    q = SlowFast(model, ["jack2"], actuators=["jack2_force"]).configuration(0.0, [EXTENSION])
    free = ["jack2", *(f"boom_e{k}" for k in range(1, 5))]
    linear = linearize(model, q=q, independent=free, outputs=["jack2"])
    row = np.zeros(model.nu)
    row[model.speeds.index("jack2")] = 1.0
    return Bench(
        "crane",
        model,
        np.asarray(q),
        None,
        linear,
        "jack2_force",
        "jack2",
        row,
        states=4,
        cost=1e-11,
        noise=1e-12,
        weight=(5.0, 50.0),
        performance=0.3,
        disturbance=3e5,
    )


BENCHES = (arm, crane)
