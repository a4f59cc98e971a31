"""Cases of cooperating arms whose law is not alike for all: 54 to 56."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import sampled_loop
from eomc.runtime import Trajectory
from eomc.runtime.control import Sampled
from eomc.runtime.control.impedance import Impedance
from eomc.runtime.control.signal import Saturation
from eomc.runtime.control.task_space import ModifiedTransposeJacobian
from eomc.systems.impedance import arms, two_arms
from eomc.systems.impedance.two_arms import LIMIT, OBJECT, START
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.moosavian.cooperative import (
    IMPEDANCE,
    PERIOD,
    WALL,
    cooperation,
    models,
    object_motion,
)
from eomc_published.moosavian.space_impedance import ImpedanceRun
from eomc_published.moosavian.space_impedance import models as space_models
from eomc_published.moosavian.states import SEED

OWN = {
    "identical": [IMPEDANCE] * 3,
    "arm 2 twice as heavy, damped and stiff": [IMPEDANCE, Impedance(20, 600, 200), IMPEDANCE],
    "arm 2 half as damped": [IMPEDANCE, Impedance(10, 150, 100), IMPEDANCE],
    "arm 2 four times as stiff": [IMPEDANCE, Impedance(10, 300, 400), IMPEDANCE],
}
"""Impedances of arm 1, arm 2 and the object."""
_STIFFNESS, _DAMPING, _E_MAX, _RATE_MAX = 100.0, 300.0, 0.1, 1.0
"""Of the modified transpose Jacobian."""


def _memory(task: Any, motions: Any) -> ModifiedTransposeJacobian:
    return ModifiedTransposeJacobian(
        task, motions, _STIFFNESS, _DAMPING, e_max=_E_MAX, rate_max=_RATE_MAX, period=PERIOD
    )


@cache
def cooperative_run(name: str) -> Trajectory:
    """15 s of two arms at the wall, with impedances of `OWN` or the "modified transpose Jacobian".

    Law and arms run in one compiled loop.
    """
    law = cooperation(OWN[name]) if name in OWN else cooperation(motion=_memory)
    controller = Sampled(law, PERIOD, actuators=[Saturation(LIMIT)])
    loop = sampled_loop(two_arms(), controller, model=arms())
    return loop.run(START, t_span=np.linspace(0.0, 15.0, 7501), step=PERIOD)


def turn(run: Trajectory) -> Array:
    """Angle of the object, wanted 0 (times,) [rad]."""
    found: Array = run["q11"] + run["q12"] + run["pivot"]
    return found


def wall_force(run: Trajectory) -> Array:
    """f_c,x (times,) [N]"""
    end = models()[0].frame("end").pose(run.q)[:, 0, 3]
    found: Array = -1e5 * np.maximum(end - WALL, 0.0)
    return found


def _touch(t: float, q: Array, u: Array) -> Array:
    end = models()[0].frame("end").pose(q)[0, 3]
    return np.array([-1e5 * max(end - WALL, 0.0), 0.0])


def _states() -> Iterator[tuple[Array, Array]]:
    """States about the start, the last in contact."""
    plant, rng = models()[0], np.random.default_rng(SEED)
    start = np.array([START[name] for name in plant.coordinates])
    for _ in range(10):
        yield start + rng.uniform(-0.1, 0.1, plant.nq), rng.uniform(-0.5, 0.5, plant.nu)
    touching = cooperative_run("identical")
    yield touching.q[-1], rng.uniform(-0.1, 0.1, plant.nu)


# -- case 54 --------------------------------------------------------------------------------------


def _sums() -> Iterator[CaseCheck]:
    """sum M^_i (v_i - x_i'') + M (v - x'') of the plant under the law, by states."""
    plant, known = models()
    for name, impedances in OWN.items():
        law = cooperation(impedances, contact=_touch)
        sums, sizes = [], []
        for q, u in _states():
            tau, force = law.torque(0.3, q, u), _touch(0.3, q, u)
            a = plant.forward_dynamics(q, u, tau)
            of = law.plant.state(q, u)
            task = law.task.at(0.3, of.q, of.u)
            e, rate, coming = law.task.deviation(task, law.wanted(0.3))
            rows = zip(impedances, e.reshape(-1, 2), rate.reshape(-1, 2), strict=False)
            v = coming + np.concatenate([body.answer(one, two, force) for body, one, two in rows])
            held = law.held.at(0.3, q, u)
            v_object = held.acceleration + impedances[-1].answer(held.e, held.e_rate, force)
            x = plant.frame("center").acceleration(q, u, a)[:2]
            y = task.jacobian @ law.plant.state(a, a).q + task.drift
            inverse = np.linalg.inv(task.jacobian)
            inertia = inverse.T @ known.mass_matrix(of.q) @ inverse
            parts = (inertia @ (v - y)).reshape(-1, 2)
            sums.append(parts.sum(axis=0) + OBJECT["mass"] * (v_object - x))
            sizes.append(np.abs(parts).max())
        share = np.abs(sums).max() / max(sizes)
        yield at_most(f"{name}: weighted sum of the errors' equations over its parts", share, 1e-8)


def _own_impedances() -> Iterator[CaseCheck]:
    yield from _sums()
    plain = cooperation(contact=_touch)
    doubled = cooperation([IMPEDANCE, Impedance(20, 600, 200), IMPEDANCE], contact=_touch)
    free = list(_states())[:-1]
    pairs = [(plain.torque(0.3, *state), doubled.torque(0.3, *state)) for state in free]
    one, other = np.array(pairs).transpose(1, 0, 2)
    yield agrees("without contact: all of one impedance doubled, torques", one, other, 1e-9)
    turned = {name: float(np.abs(turn(cooperative_run(name))).max()) for name in OWN}
    for name in list(OWN)[1:]:
        ratio = turned["identical"] / turned[name]
        yield at_most(f"largest turn of the object, identical over {name}", ratio, 0.5)
    force = wall_force(cooperative_run("identical"))[-1]
    yield agrees("identical: f_c,x after 15 s [N]", -10.0, force, 0.1)


# -- case 55 --------------------------------------------------------------------------------------


def _without_dynamics() -> Iterator[CaseCheck]:
    yield from _remembered()
    run = cooperative_run("modified transpose Jacobian")
    force = wall_force(run)
    first = float(run.t[np.argmax(force < 0)])
    yield agrees("first contact [s]", 1.075, first, 0.075)
    yield agrees("f_c,x after 15 s, -k_p (1 - 0.9) [N]", -10.0, force[-1], 0.1)
    center = models()[0].frame("center").pose(run.q)[-1, :2, 3]
    e = object_motion(15.0)[0] - center
    yield agrees("errors of the object after 15 s [m]", [0.1, 0.0], e, 2e-3)
    yield at_most("largest turn of the object [rad]", np.abs(turn(run)).max(), 0.1)
    yield at_most("speeds after 15 s", np.abs(run.u[-1]).max(), 1e-3)
    called = cooperation(motion=_memory).equation(PERIOD).functions
    asked = [name for name in called if "dynamics" in name or "mass" in name or "bias" in name]
    yield holds(
        "dynamics of the arms that the law calls", "none", ", ".join(asked) or "none", not asked
    )


def _remembered() -> Iterator[CaseCheck]:
    """Forces of two samples: Kp e + Kd e' + F_c + k Q^, and those that the object takes."""
    law, plain = cooperation(motion=_memory, contact=_touch), cooperation(contact=_touch)
    sampled, stored = law.at_samples(PERIOD), np.zeros(4)
    found, expected = [], []
    for q, u in _states():
        of, contact = law.plant.state(q, u), _touch(0.3, q, u)
        task = law.task.at(0.3, of.q, of.u)
        e, rate, coming = law.task.deviation(task, law.wanted(0.3))
        k = np.exp(-np.linalg.norm(e) / _E_MAX - np.linalg.norm(rate) / _RATE_MAX)
        stored = _STIFFNESS * e + _DAMPING * rate + np.tile(contact, 2) + k * stored
        found.append(law.plant.known(sampled(0.3, q, u)))
        state = plain.task.at(0.3, of.q, of.u)
        answer = [
            IMPEDANCE.answer(*row, contact)
            for row in zip(e.reshape(2, 2), rate.reshape(2, 2), strict=True)
        ]
        coming = plain.task.deviation(state, plain.wanted(0.3)).acceleration
        a = np.linalg.solve(state.jacobian, coming + np.concatenate(answer) - state.drift)
        of_motion = models()[1].inverse_dynamics(of.q, of.u, a)
        of_object = law.plant.known(plain.torque(0.3, q, u)) - of_motion
        expected.append(task.jacobian.T @ stored + of_object)
    yield agrees("torques of 11 samples [N m]", expected, found, 1e-8)


# -- case 56 --------------------------------------------------------------------------------------


def _more_joints() -> Iterator[CaseCheck]:
    ends = []
    for posture in (0.4, 1.2):
        scene = ImpedanceRun(2, turned=False, moment=False, joints=7, posture=posture)
        checks, run = scene.residuals(
            f"two arms of seven joints, the third drawn to {posture:g} rad"
        )
        yield from checks
        ends.append(run)
    near, far = ends
    moved = float(far["arm1_theta3"][-1] - near["arm1_theta3"][-1])
    yield holds("what the posture moves the joint by [rad]", "> 0.1", f"{moved:.3g}", moved > 0.1)
    center = space_models(2, 7)[0].frame("center")
    one, other = (center.pose(run.q) for run in ends)
    yield agrees("pose of the object in both runs", one, other, 1e-6)


CASES = (
    Case(
        54,
        "Own impedance for each element of a cooperating group",
        "section 6.3.5, equation 6.24",
        "CooperativeImpedance of the two arms of case 44 with own impedances: the sum of equation "
        "6.24 at states and runs in compiled loops",
        _own_impedances,
        note="The thesis concludes from equation 6.24 that each bracket vanishes. Where couplings "
        "are rigid and impedances differ, the sum alone does; its observation that identical "
        "impedances are best is confirmed by the turn of the object.",
        slow=True,
    ),
    Case(
        55,
        "Impedance without dynamics of the arms: the modified transpose Jacobian inside the law",
        "chapter 7, suggestions; equations 5.16, 6.19",
        "ModifiedTransposeJacobian as the motion of CooperativeImpedance, in the run of case 44",
        _without_dynamics,
        provenance="reconstructed",
        slow=True,
    ),
    Case(
        56,
        "Impedance of arms with more joints than the task",
        "chapter 7, suggestions; section 6.4",
        "OperationalSpace as the motion of CooperativeImpedance, arms of seven joints on a free "
        "base; residuals as in case 48",
        _more_joints,
        provenance="reconstructed",
        slow=True,
    ),
)
