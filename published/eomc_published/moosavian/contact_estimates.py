"""Case of the estimated force of contact: 45."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model, Placement
from eomc.runtime import CompiledModel, simulate
from eomc.runtime.control import Sampled
from eomc.runtime.control.impedance import (
    ContactEstimate,
    CooperativeImpedance,
    GraspedObject,
    HeldObject,
    Impedance,
    MomentumSource,
)
from eomc.runtime.control.impedance.held_object import euler_matrices
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.control.task_space import EulerAngles, Position, Task
from eomc.runtime.control.task_space.euler_angles import euler_angles
from eomc.systems.impedance.space_robot import MASS, SOURCE
from eomc_published.case import Case, CaseCheck, at_most
from eomc_published.moosavian.cooperative import PERIOD, WINDOW, manipulation
from eomc_published.moosavian.formulations import largest

_BODY = GraspedObject(MASS[0], MASS[1], MomentumSource(*SOURCE))
_LEVER = np.array([0.2, -0.1, 0.15])
"""From the hand to the object's centre of mass [m]."""
_SWING, _PACE = np.array([0.3, -0.2, 0.4]), 3.0
"""Wanted angles of the object are _SWING (1 - cos(_PACE t)) [rad], [rad/s]."""


def _at_the_wall() -> Iterator[CaseCheck]:
    """Two arms, one behind the compliant wrist."""
    found = manipulation()
    t, estimate = found.estimate[:, 0], found.estimate[:, 1]
    true = np.interp(t, found.run.t, found.force)
    peak = float(-found.force.min())
    touching = t > found.contact - 0.05
    error = float(np.abs(estimate - true)[touching].max())
    yield at_most("largest error over the peak of the impact", error / peak, 0.20)
    later = t > found.contact + 0.5
    relative = np.abs(estimate - true)[later] / np.abs(true[later])
    yield at_most("relative error from 0.5 s after the impact on", float(relative.max()), 0.01)


# -- an object that turns: F_w of (6.27) ----------------------------------------------------------


@cache
def _models() -> tuple[CompiledModel, CompiledModel]:
    """A free hand with the object of the space robot in it, and the hand alone."""
    hands = Model("hand", gravity=(0, 0, 0)), Model("turning", gravity=(0, 0, 0))
    for model in hands:
        model.body("palm", mass=4.0, inertia=(0.05, 0.06, 0.07))
        model.joint("free", "floating", parent="world", child="palm")
        model.frame("grip", body="palm")
    known, whole = hands
    mass, inertia = MASS
    whole.body("object", mass=mass, inertia=inertia)
    whole.body("source", mass=SOURCE[0])
    lever = Placement(xyz=tuple(_LEVER.tolist()))
    whole.joint("hold", "fixed", parent="palm", child="object", placement=lever)
    seat = Placement(xyz=SOURCE[1])
    whole.joint("seat", "fixed", parent="object", child="source", placement=seat)
    whole.frame("center", body="object")
    for axis, direction in zip("xyz", np.eye(3).tolist(), strict=True):
        f, n = whole.input(f"f_{axis}", units="N"), whole.input(f"n_{axis}", units="N m")
        whole.force(f"push_{axis}", at="object", direction=direction, magnitude=f)
        whole.torque(f"twist_{axis}", body="object", direction=direction, frame="body", magnitude=n)
    run = ("forward_dynamics", "coordinate_rates", "normalize", "neutral")
    return (
        build(whole, functions=run, frames=("center",)),
        build(known, functions=("inverse_dynamics", "normalize", "neutral"), frames=("grip",)),
    )


def _contact(t: float) -> Array:
    """F_c; moments as they act on the Euler angles."""
    return np.array([-6.0, 4.0, -3.0, 0.3, -0.2, 0.4]) * float(np.sin(2 * t)) ** 2


def _attitude(t: float) -> tuple[Array, Array, Array]:
    c, s = np.cos(_PACE * t), np.sin(_PACE * t)
    return _SWING * (1 - c), _PACE * _SWING * s, _PACE**2 * _SWING * c


def _hand(t: float) -> tuple[Array, Array, Array]:
    """Motion x_G - R r of the hand while the object turns about its centre."""
    delta, rate, acceleration = _attitude(t)
    R, S, S_rate = euler_matrices(delta, rate)
    w, turning = S @ rate, S @ acceleration + S_rate @ rate
    speed, bend = np.cross(w, _LEVER), np.cross(w, np.cross(w, _LEVER))
    return -R @ _LEVER, -R @ speed, -R @ (np.cross(turning, _LEVER) + bend)


def _inputs(t: float, q: Array, u: Array) -> Array:
    """F_c as force and moment on the object, and the moment that turns its spinning source."""
    plant, _ = _models()
    R = plant.frame("center").pose(q)[:3, :3]
    omega = R.T @ plant.frame("center").velocity(q, u)[3:]
    _, S, _ = euler_matrices(euler_angles(R), np.zeros(3))
    f, n = np.split(_contact(t), 2)
    return np.ravel(np.column_stack([f, np.linalg.solve(S.T, n) + np.cross(SOURCE[2], omega)]))


def _felt(t: float, q: Array, u: Array, tau: Array) -> Array:
    """F_e on the object in world axes: what of the torques the hand itself does not take."""
    plant, known = _models()
    a = plant.forward_dynamics(q, u, tau, _inputs(t, q, u))
    J = known.frame("grip").jacobian(q)
    return np.asarray(np.linalg.solve(J.T, tau - known.inverse_dynamics(q, u, a)))


def _turning() -> Iterator[CaseCheck]:
    plant, known = _models()
    outputs = [kind("grip") for kind in (Position, EulerAngles)]
    law = CooperativeImpedance(
        Task(known, outputs, actuators="all"),
        [_hand, _attitude],
        HeldObject(plant, "center", _BODY, [np.zeros(3), _attitude], attitude=True),
        Impedance(30.0, 300.0, 800.0),
        ["grip"],
        contact=ContactEstimate(_felt, WINDOW),
        plant=StateMap(plant, known),
    )
    start = np.concatenate([-_LEVER, [1.0, 0.0, 0.0, 0.0]])
    run = simulate(
        plant,
        start,
        t_span=np.linspace(0.0, 0.6, 301),
        controller=Sampled(law, PERIOD),
        inputs=_inputs,
        method="rk4",
        step=PERIOD,
        progress=False,
    )
    times = np.array([t for t, _ in law.estimates])
    late = times > WINDOW + PERIOD
    wrong = np.array([force - _contact(t) for t, force in law.estimates])[late]
    share = np.array([law.held.at(*row).bias for row in zip(run.t, run.q, run.u, strict=True)])
    for what, rows in (("force", slice(0, 3)), ("moment", slice(3, 6))):
        part = largest(wrong[:, rows]) / largest(share[:, rows])
        yield at_most(f"an object that turns: {what}, largest error over F_w", part, 0.2)


def _estimator() -> Iterator[CaseCheck]:
    yield from _turning()
    yield from _at_the_wall()


CASES = (
    Case(
        45,
        "Estimate of the force of contact from a sliding difference over 10 ms",
        "equations 6.27 to 6.30, figure 6.8 f",
        "ContactEstimate in the run of case 44, against the contact's own force; and of an object "
        "with a source of momentum that turns, where F_w is not zero, against the force applied",
        _estimator,
        slow=True,
    ),
)
