"""Cases 1 and 2: free bodies that latch, and a free-flyer that captures a spinning target."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.model.compiled import CompiledModel
from eomc.runtime.record.trajectory import Trajectory
from eomc.runtime.simulation.simulate import simulate
from eomc.systems import free_flyer
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

_MASSES = {"chaser": 2.0, "target": 3.0}
_INERTIAS = {"chaser": (0.3, 0.3, 0.3), "target": (0.1, 0.4, 0.45)}
_ARM = 0.5
"""Of each body from its centre of mass to its docking port [m]."""
_NEAR = 1e-3
_TIGHT: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14, "method": "DOP853"}


def two_bodies() -> Model:
    """Two free bodies with docking ports that face each other."""
    model = Model("two_bodies", gravity=(0, 0, 0))
    for name, mass in _MASSES.items():
        model.body(name, mass=mass, inertia=_INERTIAS[name])
        model.joint(name, "floating", parent="world", child=name)
    model.latch(
        "dock",
        joint="fixed",
        parent="chaser",
        child="target",
        placement=(_ARM, 0, 0),
        child_placement=(-_ARM, 0, 0),
        gap=_NEAR,
        speed=1.0,
        angle=0.1,
        angular_speed=1.0,
    )
    return model


@cache
def _docking() -> Trajectory:
    """The chaser comes along x, beside the axis by half of the largest gap, and both roll."""
    model = build(two_bodies())
    places = {"chaser_y": 0.5 * _NEAR, "target_x": 2 * _ARM + 0.3}
    speeds = {"chaser_vx": 0.6, "target_wx": 0.4, "chaser_wx": 0.3}
    return simulate(model, places, speeds, t_span=1.5, **_TIGHT)


def _moving(q: Array, u: Array) -> Iterator[tuple[float, Array, Array, Array, Array]]:
    """Mass, inertia, place, velocity and angular velocity of both bodies, all in the world."""
    for k, name in enumerate(_MASSES):
        w, *v = q[7 * k + 3 : 7 * k + 7]
        x, y, z = v
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        turned = np.eye(3) + 2 * w * cross + 2 * cross @ cross
        inertia = turned @ np.diag(_INERTIAS[name]) @ turned.T
        linear, angular = u[6 * k : 6 * k + 3], u[6 * k + 3 : 6 * k + 6]
        yield _MASSES[name], inertia, q[7 * k : 7 * k + 3], turned @ linear, turned @ angular


def two_bodies_latch() -> Iterator[CaseCheck]:
    """v and w behind the latching are those of one rigid body of the same momenta."""
    run = _docking()
    yield holds("events", "dock.close", ", ".join(run.switches), [*run.switches] == ["dock.close"])
    (event,) = run.latches.events
    before = [*_moving(event.q, event.before)]
    total = sum(m for m, *_ in before)
    center = np.sum([m * r for m, _, r, _, _ in before], axis=0) / total
    velocity = np.sum([m * v for m, _, _, v, _ in before], axis=0) / total
    spins = [m * np.cross(r - center, v) + inertia @ w for m, inertia, r, v, w in before]
    spin = np.sum(spins, axis=0)
    whole = np.zeros((3, 3))
    for m, inertia, r, _, _ in before:
        d = r - center
        whole += inertia + m * (d @ d * np.eye(3) - np.outer(d, d))
    omega = np.linalg.solve(whole, spin)
    for (_, _, r, v, w), name in zip(_moving(event.q, event.after), _MASSES, strict=True):
        yield agrees(f"velocity of the {name}", velocity + np.cross(omega, r - center), v, 1e-14)
        yield agrees(f"angular velocity of the {name}", omega, w, 1e-14)
    kinetic = sum(m * v @ v + w @ inertia @ w for m, inertia, _, v, w in before) / 2
    left = (total * velocity @ velocity + omega @ whole @ omega) / 2
    yield agrees("energy loss", kinetic - left, event.energy_loss, 1e-13)
    momentum = run.evaluate("momentum")
    yield at_most("change of all momenta along the run", np.ptp(momentum, axis=0).max(), 1e-11)
    joined = run.stretches[1]
    yield at_most("gap that opens", np.abs(joined.evaluate("constraint_residual")).max(), 1e-13)


def free_flyer_with_target() -> Model:
    """The planar free-flyer of Moosavian and a target of 20 kg beside its first arm."""
    model = free_flyer.planar()
    model.body("target", mass=20, inertia=(1, 1, 1.5))
    model.joint("target", "planar", parent="world", child="target", axis=(0, 0, 1))
    tip = model.frames["arm1_tip"]
    model.latch(
        "grip",
        joint="fixed",
        parent=tip.body,
        child="target",
        placement=tip.placement,
        child_placement=(-0.4, 0, 0),
        gap=0.02,
        speed=0.3,
        angle=0.2,
        angular_speed=0.5,
    )
    return model


def _caught(model: CompiledModel) -> Trajectory:
    """The target spins and drifts to the tip of an arm that is at rest."""
    q = {"base_theta": 0.1, "arm1_theta1": 0.6, "arm1_theta2": -0.7, "antenna_theta1": -1.2}
    tip = np.asarray(model.frame("arm1_tip").pose(simulate(model, q, t_span=1e-6).q[0]))
    away = tip[:3, 3] + 0.4 * tip[:3, 0] + np.array([0.25, 0.0, 0.0])
    target = {"target_x": away[0], "target_y": away[1], "target_theta": -0.35}
    rates = {"target_x": -0.2, "target_theta": 0.3, "base_x": 0.01}
    return simulate(model, {**q, **target}, rates, t_span=3.0, **_TIGHT)


def target_captured() -> Iterator[CaseCheck]:
    """u+ is that of Gauss's least change, and the momenta of base, arms and target stay."""
    model = build(free_flyer_with_target())
    run = _caught(model)
    yield holds("events", "grip.close", ", ".join(run.switches), [*run.switches] == ["grip.close"])
    (event,) = run.latches.events
    before, after = (np.asarray(model.momentum(event.q, u)) for u in (event.before, event.after))
    yield agrees("momentum and moment of momentum behind the capture", before, after, 1e-13)
    tip, target = model.frame("arm1_tip"), model.frame("target")
    arm, body = (np.asarray(frame.jacobian(event.q)) for frame in (tip, target))
    lever = (tip.pose(event.q) - target.pose(event.q))[:3, 3]
    there = body[:2] + np.outer((-lever[1], lever[0]), body[5])
    rows = np.vstack([there - arm[:2], body[5] - arm[5]])
    mass = np.asarray(model.mass_matrix(event.q))
    share = np.linalg.solve(mass, rows.T)
    impulse = np.linalg.solve(rows @ share, -rows @ event.before)
    yield agrees("speeds behind the capture", event.before + share @ impulse, event.after, 1e-12)
    loss = -impulse @ rows @ event.before / 2
    yield agrees("energy loss", loss, event.energy_loss, 1e-12)
    momentum = run.evaluate("momentum")
    yield at_most("change of all momenta along the run", np.ptp(momentum, axis=0).max(), 1e-10)
    turning = run.stretches[1]
    speeds = turning["speed(base_theta)"] + turning["speed(arm1_theta1)"]
    speeds = speeds + turning["speed(arm1_theta2)"] - turning["speed(target_theta)"]
    yield at_most("turn of the target against the arm", np.abs(speeds).max(), 1e-12)


CASES = (
    Case(
        1,
        "two free bodies latch",
        "balance of momentum and of moment of momentum of two bodies",
        "velocities, angular velocities and energy loss against those of one rigid body",
        two_bodies_latch,
    ),
    Case(
        2,
        "the planar free-flyer captures a spinning target",
        "Moosavian (1996), chapter 2, the planar free-flyer; Pfeiffer and Glocker (1996), ch. 8",
        "momenta before and after, and speeds and energy loss by the inertia at the grip",
        target_captured,
    ),
)
