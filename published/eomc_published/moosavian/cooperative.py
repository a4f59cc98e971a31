"""Case of two arms that move an object to a wall: 44."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build, sampled_loop
from eomc.runtime import CompiledModel, Trajectory, simulate
from eomc.runtime.control import Sampled, Sensor
from eomc.runtime.control.impedance import (
    ContactEstimate,
    CooperativeImpedance,
    GraspedObject,
    HeldObject,
    Impedance,
)
from eomc.runtime.control.signal import Saturation
from eomc.runtime.control.state_map import StateMap
from eomc.runtime.control.task_space import Position, Task
from eomc.runtime.control.task_space.task_law import TaskLaw
from eomc.runtime.difference import Operations
from eomc.systems.impedance import arms, two_arms
from eomc.systems.impedance.two_arms import LIMIT, OBJECT, START
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds

IMPEDANCE = Impedance(10.0, 300.0, 100.0)
PERIOD, WINDOW = 2e-3, 1e-2
"""Of the law, and of the difference that its estimator takes [s]."""
_K_E, _B_E, _K_W = 2e4, 5e2, 1e5
WALL = 1.2
"""x_w, where the wall is [m]."""
_COMPARED = 2.0
"""Time over which the run in C is compared, the impact included [s]."""
_EVERY = 10
"""Records from one at which the force of the wall is computed to the next."""
_HALF = OBJECT["half"]
_FIRST = np.array([1.0, 0.0])


def object_motion(t: float) -> tuple[Array, Array, Array]:
    """x_G,des = (1 - exp(-t), 0.5) [m]"""
    left = float(np.exp(-t))
    return np.array([1 - left, 0.5]), left * _FIRST, -left * _FIRST


@cache
def models() -> tuple[CompiledModel, CompiledModel]:
    """The plant, and the arms that the law knows."""
    run = ("forward_dynamics", "coordinate_rates", "normalize", "neutral", "kinetic_energy")
    plant = build(
        two_arms(),
        functions=(*run, "potential_energy", "joint_reactions", "element_outputs"),
        frames=("center", "end", "tip2"),
    )
    known = build(
        arms(), functions=("inverse_dynamics", "normalize", "neutral"), frames=("tip1", "tip2")
    )
    return plant, known


def _offset(t: float, by: Array) -> tuple[Array, Array, Array]:
    place, rate, acceleration = object_motion(t)
    return place + by, rate, acceleration


class Tips(Sensor):
    """f_e(1), f_e(2) on the object [N], as sensors in the tips would tell: the reaction in the
    pivot, under the torques that act, and the wrist's spring and damper.
    """

    measures_forces = True

    def read(self, by: Operations, q: Any, u: Any, tau: Any) -> Any:
        """As of `Sensor`."""
        pivot, held = self.model.coordinates.index("pivot"), {"q": q, "u": u}
        a = by.call("forward_dynamics", **held, tau=tau)
        reaction = by.call("joint_reactions", **held, a=a).reshape(-1, 6)[pivot]
        R = by.call("frame_center_pose", **held)[:2, :2]
        tip, end = (by.call(f"frame_{name}_pose", **held)[:2, 3] for name in ("tip2", "end"))
        fast, slow = (by.call(f"frame_{name}_velocity", **held)[:2] for name in ("tip2", "end"))
        wrist = _K_E * (tip - end - _rest()) + _B_E * (fast - slow)
        return np.concatenate([R @ reaction[:2], wrist])


@cache
def tips() -> Tips:
    """The sensors."""
    return Tips(models()[0], [f"f{arm}_{axis}" for arm in (1, 2) for axis in "xy"])


@cache
def _rest() -> Array:
    """l_RCC, unloaded at the start [m]."""
    plant, _ = models()
    q = _start(plant)
    found: Array = plant.frame("tip2").pose(q)[:2, 3] - plant.frame("end").pose(q)[:2, 3]
    return found


def _start(plant: CompiledModel) -> Array:
    return np.array([START[name] for name in plant.coordinates])


@dataclass(frozen=True)
class Manipulation:
    """The run, and the estimates beside the true forces of contact."""

    run: Trajectory
    center: Array
    """x_G (times, 2) [m]"""
    force: Array
    """f_c,x on the object (times,) [N]"""
    estimate: Array
    """as estimated, at the law's samples (samples, 3): t, x, y"""
    controller: Sampled

    @property
    def contact(self) -> float:
        """Time of the first touch of the wall [s]."""
        return float(self.run.t[np.argmax(self.force < 0)])


def cooperation(
    impedance: Impedance | list[Impedance] = IMPEDANCE,
    motion: Callable[[Task, list[Any]], TaskLaw] | None = None,
    contact: Any = None,
) -> CooperativeImpedance:
    """The law of both arms, by default with the estimated force of the contact."""
    plant, known = models()
    left, right = np.array([-_HALF, 0.0]), np.array([_HALF, 0.0]) + _rest()
    task = Task(known, [Position("tip1", "xy"), Position("tip2", "xy")])
    motions = [lambda t: _offset(t, left), lambda t: _offset(t, right)]
    body = GraspedObject(OBJECT["mass"], [OBJECT["inertia"]] * 3)
    return CooperativeImpedance(
        task,
        motions,
        HeldObject(plant, "center", body, [object_motion], axes="xy"),
        impedance,
        ["tip1", "tip2"],
        contact=ContactEstimate(tips(), WINDOW) if contact is None else contact,
        internal=lambda force: np.concatenate([force / 2, -force / 2]),
        motion=None if motion is None else motion(task, motions),
        plant=StateMap(plant, known),
    )


@cache
def manipulation() -> Manipulation:
    """15 s of the law with estimated forces of contact, torques within their limits."""
    plant, _ = models()
    law = cooperation()
    controller = Sampled(law, PERIOD, actuators=[Saturation(LIMIT)])
    run = simulate(
        plant,
        START,
        t_span=np.linspace(0.0, 15.0, 7501),
        controller=controller,
        method="rk4",
        step=PERIOD,
        progress=False,
    )
    center = plant.frame("center").pose(run.q)[:, :2, 3]
    end = plant.frame("end").pose(run.q)[:, 0, 3]
    estimates = np.array([(t, *force) for t, force in law.estimates])
    return Manipulation(run, center, -_K_W * np.maximum(end - WALL, 0.0), estimates, controller)


# -- case 44 --------------------------------------------------------------------------------------


def _wall_force(run: Trajectory) -> Array:
    """f_c (times / _EVERY, 2) = m x_G'' - f_e(1) - f_e(2) [N]"""
    plant, felt = models()[0], tips()
    center, rows = plant.frame("center"), slice(None, None, _EVERY)
    return np.array(
        [
            OBJECT["mass"] * center.acceleration(q, u, plant.forward_dynamics(q, u, tau))[:2]
            - felt(t, q, u, tau).reshape(2, 2).sum(axis=0)
            for t, q, u, tau in zip(
                run.t[rows], run.q[rows], run.u[rows], run.tau[rows], strict=True
            )
        ]
    )


def _to_the_wall() -> Iterator[CaseCheck]:
    found = manipulation()
    t = found.run.t
    yield agrees("first contact [s]", 1.075, found.contact, 0.075)
    yield agrees("f_c,x after 15 s, -k_p (1 - 0.9) [N]", -10.0, found.force[-1], 0.1)
    wall = _wall_force(found.run)
    yield at_most("f_c,y by the motion of the object [N]", float(np.abs(wall[:, 1]).max()), 1e-8)
    apart = float(np.abs(wall[:, 0] - found.force[::_EVERY]).max())
    yield at_most("f_c,x by the motion of the object, off k_w (x_w - x) [N]", apart, 1e-8)
    error = 0.5 - found.center[:, 1]
    yield at_most("e_y after 15 s [m]", abs(float(error[-1])), 1e-3)
    theta = found.run["q11"] + found.run["q12"] + found.run["pivot"]
    yield at_most("largest error of theta [rad]", float(np.abs(theta).max()), 0.1)
    yield at_most("error of theta after 15 s [rad]", abs(float(theta[-1])), 2e-3)
    tau = np.abs(found.run.tau)
    start, impact = t < 0.1, (t > found.contact - 0.01) & (t < found.contact + 0.2)
    for name, when in (("start", start), ("impact", impact)):
        most = float(tau[when].max())
        yield holds(
            f"largest torque at the {name}",
            "saturates at 100 N m",
            f"{most:.6g} N m",
            most == LIMIT,
        )
    until = t <= _COMPARED
    loop = sampled_loop(two_arms(), found.controller, model=arms())
    compiled = loop.run(START, t_span=t[until], step=PERIOD)
    apart = float(np.abs(compiled.q - found.run.q[until]).max())
    yield at_most(f"law and arms in one compiled loop, {_COMPARED:g} s, off by [rad]", apart, 1e-9)


CASES = (
    Case(
        44,
        "Two arms move an object to a wall by multiple impedance control",
        "section 6.3.5, figure 6.8",
        "CooperativeImpedance with estimated forces of contact, sampled at 500 Hz, 15 s",
        _to_the_wall,
        slow=True,
    ),
)
