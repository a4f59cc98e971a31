"""Case of momentum unloading: 53."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

import eomc
from eomc.building import build
from eomc.runtime import Trajectory
from eomc.runtime.control.free_floating import FreeFloatingTask, MomentumUnloading
from eomc.runtime.control.task_space import Attitude, Coordinates, EulerAngles, ResolvedAcceleration
from eomc_published.case import Case, CaseCheck, agrees, at_most
from eomc_published.moosavian.formulations import largest
from eomc_published.moosavian.free_floating import (
    GAINS,
    HOME_JOINTS,
    START,
    STILL,
    base_turn,
    flyer,
    run_under,
)
from eomc_published.moosavian.planar_arm_in_space import robot
from eomc_published.moosavian.states import SEED

_DECAY = 0.5


def satellite() -> eomc.Model:
    """A base with a wheel about each axis, as a `Model`."""
    model = eomc.Model("satellite", gravity=(0, 0, 0))
    model.body("base", mass=100.0, inertia=(12.0, 15.0, 9.0))
    model.joint("base", "floating", parent="world", child="base")
    for axis, (x, y, z) in zip("xyz", ((1, 0, 0), (0, 1, 0), (0, 0, 1)), strict=True):
        wheel = f"wheel_{axis}"
        model.body(wheel, mass=4.0, inertia=(0.03 + 0.02 * x, 0.03 + 0.02 * y, 0.03 + 0.02 * z))
        at = eomc.Placement(xyz=(0.3 * x, 0.3 * y, 0.3 * z))
        model.joint(wheel, "revolute", parent="base", child=wheel, axis=(x, y, z), placement=at)
    return model


@cache
def unloaded() -> Trajectory:
    """Wheels that hold the momentum give it to thrusters, the attitude at rest."""
    model = build(satellite(), functions=(*eomc.CORE, "momentum"), frames=("base",))
    torques = ("base_wx", "base_wy", "base_wz")
    task = FreeFloatingTask(
        model, [Attitude("base")], unloading=MomentumUnloading(model, _DECAY, actuators=torques)
    )
    law = ResolvedAcceleration(task, [STILL], 1.0, 2.0)
    u = np.array([0.0] * 6 + [200.0, -120.0, 80.0])
    return run_under(model, law, np.asarray(model.neutral()), 8.0, u)


def _unloading() -> Iterator[CaseCheck]:
    run = unloaded()
    decay = np.exp(-_DECAY * run.t)[:, None]
    yield agrees("wheels [rad/s], exp(-k t)", run.u[0, 6:] * decay, run.u[:, 6:], 1e-6)
    yield at_most("turn of the satellite meanwhile [rad]", base_turn(run), 1e-10)
    free = flyer()
    model, q = free.model, free.configuration(HOME_JOINTS)
    u = np.random.default_rng(SEED).uniform(-0.1, 0.1, model.nu)
    run = run_under(model, MomentumUnloading(model, _DECAY), q, 6.0, u)
    h = model.momentum(run.q, run.u)
    decay = np.exp(-_DECAY * run.t)[:, None]
    yield agrees("tumbling free-flyer: all momenta", h[0] * decay, h, 1e-8, relative=True)
    torques = MomentumUnloading(model, _DECAY, actuators=["base_wx", "base_wy", "base_wz"])
    run = run_under(model, torques, q, 6.0, u)
    h = np.asarray(model.momentum(run.q, run.u))
    spin = h[:, 3:] - np.cross(model.center_of_mass(run.q), h[:, :3])
    yield agrees("torques alone: about the centre of mass", spin[0] * decay, spin, 1e-7)
    yield agrees("torques alone: linear momentum", h[0, :3] + 0 * spin, h[:, :3], 1e-7)
    arm, turning = robot(), np.array([0.0, 0.0, 0.05, 0.0, 0.0])
    task = FreeFloatingTask(arm, [EulerAngles("base", ("gamma",)), Coordinates("arm1_theta2")])
    law = ResolvedAcceleration(task, [[0.0], [-0.9]], *GAINS)
    run = run_under(arm, law, START, 6.0, turning)
    yield at_most("arm that takes the spin: rate of the base at the end", abs(run.u[-1, 2]), 1e-7)
    kept = largest(np.diff(arm.momentum(run.q, run.u)[:, 5]))
    yield at_most("arm that takes the spin: change of the momentum", kept, 1e-9)


CASES = (
    Case(
        53,
        "Momentum unloading of wheels and of a tumbling free-flyer; an arm that holds momentum",
        "Wertz (1978), section 18.3",
        "MomentumUnloading against exp(-k t)",
        _unloading,
        slow=True,
    ),
)
