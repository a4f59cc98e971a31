"""The spatial capture as it is filmed: the arms close on the shaft of an object, and press it.

The plan and the law are those of case 29, which ends where the ends of the arms meet the object's
place. Here the object is a body as well: a shaft across the line between the ends, which press it
from both sides, with friction. The law knows nothing of it and goes on along its plan, so that it
presses by its errors alone; soon after what is filmed the shaft slips out of the ends, which have
no fingers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel, Trajectory, simulate
from eomc.runtime.control.state_map import StateMap
from eomc.systems.free_flyer import SPATIAL
from eomc.systems.free_flyer.tree_model import tree_model
from eomc_published.moosavian import capture_spatial
from eomc_published.moosavian.capture import SPATIAL_CAPTURE, Actuators, limited
from eomc_published.moosavian.capture.run import Flight, compiled

_SHAFT, _HALF, _END = 0.025, 0.25, 0.02
"""Radius and half length of the shaft, radius of the ends of the arms [m]."""
_BEGIN, _UNTIL = 54.0, 61.2
"""Of what is filmed [s]."""
_OBJECT = 7
"""Coordinates of the object, the last ones: place and quaternion; speeds in its own axes."""
_ARMS = (1, 2)


def with_object() -> Model:
    """The spatial free-flyer and the object, a shaft along its own z that the arms touch.

    >>> [contact for contact in with_object().contacts]
    ['touch1', 'touch2']
    """
    model = tree_model(SPATIAL)
    model.body("object", mass=100, inertia=(12.0, 12.0, 8.0))
    model.joint("object", "floating", parent="world", child="object")
    length = 2 * _HALF
    model.visual(
        "shaft", body="object", shape={"kind": "cylinder", "radius": _SHAFT, "length": length}
    )
    model.visual(
        "bus",
        body="object",
        shape={"kind": "box", "size": (0.4, 0.4, 0.25)},
        placement=(0, 0, _HALF + 0.125),
        color="#8a7f5c",
    )
    for m in _ARMS:
        tip = model.frames[f"arm{m}_tip"]
        model.contact(
            f"touch{m}",
            shape={
                "kind": "sphere",
                "at": {"body": tip.body, "xyz": tip.placement.xyz},
                "radius": _END,
            },
            surface={"kind": "capsule", "at": "object", "radius": _SHAFT, "half_length": _HALF},
            normal={"kind": "kelvin_voigt", "stiffness": 4e3, "damping": 200},
            friction={"kind": "coulomb", "coefficient": 0.8, "slip_speed": 5e-3},
        )
    return model


@cache
def plant() -> CompiledModel:
    """`with_object`, compiled."""
    functions = ("forward_dynamics", "coordinate_rates", "normalize", "neutral", "element_outputs")
    tips = [f"arm{m}_tip" for m in _ARMS]
    return build(with_object(), functions=functions, frames=["base", "object", *tips])


def _object_state(t: float, axis: Array) -> tuple[Array, Array]:
    """On its way, its shaft along `axis`, without turning."""
    way = np.append(1 + axis[2], np.cross([0.0, 0.0, 1.0], axis))
    kappa = way / np.linalg.norm(way)
    w, e = kappa[0], kappa[1:]
    back = (2 * w**2 - 1) * np.eye(3) + 2 * np.outer(e, e) - 2 * w * np.cross(np.eye(3), e)
    place = np.asarray(SPATIAL_CAPTURE.object_at(t))
    v = np.asarray(SPATIAL_CAPTURE.object_rate)
    return np.concatenate([place, kappa]), np.concatenate([back @ v, np.zeros(3)])


@dataclass(frozen=True)
class _Guided:
    """The law of the robot, on the plant that has the object too."""

    law: Any
    knows: StateMap

    def torque(self, t: float, q: Array, u: Array) -> Array:
        """(nu,) of the plant"""
        state = self.knows.state(q, u)
        return self.knows.forces(self.law.torque(t, state.q, state.u))


@dataclass(frozen=True)
class GraspHold:
    """The last seconds of the maneuver, and how the object is held.

    run : of the plant; thrust (n, 3) of the base in its axes [N]; pressed, by arm: where, and the
    force on the object (n, 3); tips, by arm (n, 3)
    """

    run: Trajectory
    thrust: Array
    pressed: dict[int, tuple[Array, Array]]
    tips: dict[int, Array]

    @property
    def place(self) -> Array:
        """Of the object (n, 3) [m]."""
        return np.asarray(self.run.q[:, -_OBJECT : 3 - _OBJECT])


@cache
def held() -> GraspHold:
    """The chase of case 29 from some seconds before its end, then the arms, and the touch."""
    chase = capture_spatial.whole("TJ").chase
    robot, final = compiled(SPATIAL), chase.run.final
    flight = Flight(SPATIAL_CAPTURE, capture_spatial.transpose, SPATIAL, "angles", 0.0, {})
    law = flight.led(SPATIAL_CAPTURE.switch, final.q, final.u, arms_move=True)
    actuators, knows = Actuators(SPATIAL, robot), StateMap(plant(), robot)
    axis = _across(robot, final.q)
    body, speeds = _object_state(SPATIAL_CAPTURE.switch, axis)
    touched = simulate(
        plant(),
        np.concatenate([final.q, body]),
        np.concatenate([final.u, speeds]),
        np.linspace(SPATIAL_CAPTURE.switch, _UNTIL, 155),
        controller=_Guided(limited(law, actuators), knows),
        method="LSODA",
        rtol=1e-6,
        atol=1e-8,
        progress=False,
    )
    run = _with_chase(chase.run, touched, axis)
    rows = zip(*(run.q[:, :-_OBJECT], run.tau[:, : robot.nu]), strict=True)
    thrust = np.array([actuators.forces(q, tau)[:3] for q, tau in rows])
    tips = {m: plant().frame(f"arm{m}_tip").pose(run.q)[:, :3, 3] for m in _ARMS}
    return GraspHold(run, thrust, {m: _pressed(run, m, tips[m]) for m in _ARMS}, tips)


def _across(robot: CompiledModel, q: Array) -> Array:
    """The direction from which both arms come, which their ends do not press along."""
    to = np.asarray(SPATIAL_CAPTURE.object_at(SPATIAL_CAPTURE.switch))
    ways = [robot.frame(f"arm{m}_tip").pose(q)[:3, 3] - to for m in _ARMS]
    middle = -sum(way / np.linalg.norm(way) for way in ways)
    return np.asarray(middle / np.linalg.norm(middle))


def _with_chase(chase: Trajectory, touched: Trajectory, axis: Array) -> Trajectory:
    """The last seconds of the chase before it, the object on its way."""
    late = chase.t >= _BEGIN
    late[-1] = False
    way = [_object_state(t, axis) for t in chase.t[late].tolist()]
    q = np.hstack([chase.q[late], np.array([body for body, _ in way])])
    u = np.hstack([chase.u[late], np.array([speeds for _, speeds in way])])
    tau = np.hstack([chase.tau[late], np.zeros((len(q), 6))])
    before = {"t": chase.t[late], "q": q, "u": u, "tau": tau}
    rows: dict[str, Any] = {
        name: np.concatenate([part, getattr(touched, name)]) for name, part in before.items()
    }
    for name in ("r", "s", "s_rate", "s_acceleration", "z"):
        own = getattr(touched, name)
        rows[name] = np.concatenate([np.zeros((len(q), *own.shape[1:])), own])
    return replace(touched, events=(), switches={}, dense=None, **rows)


def _pressed(run: Trajectory, m: int, tip: Array) -> tuple[Array, Array]:
    """Point in which an arm touches the object, nan while it does not, and its force on it."""
    told = dict(
        zip(plant().output_names("element_outputs"), run.evaluate("element_outputs").T, strict=True)
    )

    def vector(name: str) -> Array:
        return np.column_stack([told[f"touch{m}.{name}_{axis}"] for axis in "xyz"])

    at, normal = vector("point"), told[f"touch{m}.normal_force"][:, None]
    inward = at - tip
    inward = inward / np.linalg.norm(inward, axis=1, keepdims=True)
    return np.where(normal > 0, at, np.nan), inward * normal - vector("friction")
