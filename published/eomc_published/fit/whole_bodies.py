"""Inverse kinematics of a platform on six legs, and of a humanoid on two feet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np
from scipy.optimize import nnls

from eomc.building import build
from eomc.derive.formats.load import load
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.inverse_kinematics import (
    CenterOfMassTask,
    CoordinateTask,
    FrameTask,
    inverse_kinematics,
)
from eomc.runtime.inverse_kinematics.tasks import rotation_vector
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.fit.pendulums import Array

_SOURCE = "exact poses, and Newton's method of other programs"
_NEEDED = ("integrate", "neutral", "normalize", "constraint_residual", "constraint_jacobian")
_BASE = np.radians([-10, 10, 110, 130, 230, 250])
_PLATE = np.radians([-50, 50, 70, 170, 190, 290])
_LEGS = [f"leg{k}" for k in range(6)]


def _circle(radius: float, angles: Array) -> Array:
    return radius * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])


@cache
def stewart() -> CompiledModel:
    """A platform of radius 0.6 m on six legs from a base of radius 1 m."""
    model = Model("fit_stewart", gravity=(0, 0, -9.81))
    thin = (0.1, 0.1, 0.1)
    model.body("plate", mass=10, inertia=thin)
    model.joint("plate", "floating", parent="world", child="plate")
    model.frame("platform", body="plate")
    feet, heads = _circle(1.0, _BASE), _circle(0.6, _PLATE)
    for name, foot, head in zip(_LEGS, feet.tolist(), heads.tolist(), strict=True):
        model.body(f"{name}_swing", mass=0.1, inertia=thin)
        model.body(f"{name}_cylinder", mass=1, inertia=thin)
        model.body(f"{name}_piston", mass=1, inertia=thin)
        at: dict[str, Any] = {"placement": {"xyz": foot}}
        for joint, kind, parent, child, axis, more in (
            ("a", "revolute", "world", "swing", (1, 0, 0), at),
            ("b", "revolute", f"{name}_swing", "cylinder", (0, 1, 0), {}),
            ("", "prismatic", f"{name}_cylinder", "piston", (0, 0, 1), {}),
        ):
            joined: dict[str, Any] = {"parent": parent, "child": f"{name}_{child}", "axis": axis}
            model.joint(f"{name}{joint}", kind, **joined, **more)
        model.joint(
            f"{name}_head",
            "spherical",
            parent=f"{name}_piston",
            child="plate",
            child_placement={"xyz": head},
            cut=True,
        )
    return build(model, functions=_NEEDED)


def _turned(vector: Array) -> Array:
    angle = float(np.linalg.norm(vector))
    x, y, z = vector / angle
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turned: Array = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turned


def _legs_to(place: Array, rotation: Array) -> dict[str, float]:
    """Angles and lengths of legs that point from the base to a pose of the platform."""
    ends = place + _circle(0.6, _PLATE) @ rotation.T - _circle(1.0, _BASE)
    found: dict[str, float] = {}
    for name, (x, y, z) in zip(_LEGS, ends.tolist(), strict=True):
        found |= {
            f"{name}a": float(np.arctan2(-y, z)),
            f"{name}b": float(np.arctan2(x, np.hypot(y, z))),
        }
        found[name] = float(np.linalg.norm((x, y, z)))
    return found


def case_24() -> Iterator[CaseCheck]:
    model, lengths = (
        stewart(),
        np.array(
            [
                *(1.044857647580536, 1.252427875179376, 1.155183810996846),
                *(1.191637876936155, 0.91769673467599, 1.279069500797214),
            ]
        ),
    )
    place, vector = np.array([0.1, -0.05, 0.9]), np.array([0.1, -0.2, 0.3])
    R = _turned(vector)
    z = next(n for n in model.coordinates if n.startswith("plate") and n.endswith("z"))
    start = _legs_to(np.array([0.0, 0.0, 1.0]), np.eye(3)) | {z: 1.0}
    pose = FrameTask(frame="platform", position=place, rotation=R)
    found = inverse_kinematics(model, pose, start, restarts=0)
    columns = [model.coordinates.index(name) for name in _LEGS]
    yield agrees("lengths of the legs", lengths, found.q[columns], 1e-9)
    legs = CoordinateTask(targets=dict(zip(_LEGS, lengths.tolist(), strict=True)))
    forward = inverse_kinematics(model, legs, start, restarts=0)
    T = np.asarray(model.frame("platform").pose(forward.q))
    yield agrees("position from the lengths", place, T[:3, 3], 1e-9)
    yield agrees("rotation from the lengths", vector, rotation_vector(T[:3, :3]), 1e-9)
    # Rates of the legs by the twist of the platform about its origin.
    G = np.asarray(model.constraint_jacobian(forward.q))
    own = [model.displacements.index(name) for name in model.displacements if name in _LEGS]
    plate = [k for k, name in enumerate(model.speeds) if name.startswith("plate")]
    others = [k for k in range(model.nu) if k not in plate]
    rates = -np.linalg.solve(G[:, others], G[:, plate])[[others.index(k) for k in own]]
    J = np.asarray(model.frame("platform").jacobian(forward.q))[:, plate]
    rows = rates @ np.linalg.inv(J)
    yield agrees("determinant of the rows", -0.9321678541410593, np.linalg.det(rows), 1e-8)
    yield agrees("their condition", 3.11240885574437, np.linalg.cond(rows), 1e-7)
    heights = [0.9, 0.59388, 0.536306, 0.369058]
    known = [*heights, *(-h for h in heights)]
    seen: set[int] = set()
    rng = np.random.default_rng(0)
    for _ in range(60):
        guess = _legs_to(rng.uniform(-1, 1, 3), _turned(rng.uniform(-2, 2, 3)))
        other = inverse_kinematics(model, legs, start | guess, restarts=0)
        if other.success:
            height = float(np.asarray(model.frame("platform").pose(other.q))[2, 3])
            apart = np.abs(np.array(known) - height)
            if apart.min() < 1e-5:
                seen.add(int(np.argmin(apart)))
    yield agrees("assemblies of the eight", 8, len(seen), 0)


def _robot_file(name: str) -> str:
    """Path of a file of example-robot-data; raises PackageNotFoundError without the package."""
    package = metadata.distribution("example-robot-data")
    (entry,) = (f for f in package.files or () if str(f).endswith(f"robots/{name}"))
    return str(package.locate_file(entry))


_CROUCHED = {"3": -0.411354, "4": 0.859395, "5": -0.448041, "6": -0.001708}
HALF_SITTING = {
    **{f"leg_{side}_{k}_joint": v for side in ("left", "right") for k, v in _CROUCHED.items()},
    **{
        f"arm_{s}_{k}_joint": v
        for s in ("left", "right")
        for k, v in {"4": -0.525366, "7": 0.1}.items()
    },
    "arm_left_1_joint": 0.25847,
    "arm_left_2_joint": 0.173046,
    "arm_left_3_joint": -0.0002,
    "arm_right_1_joint": -0.25847,
    "arm_right_2_joint": -0.173046,
    "arm_right_3_joint": 0.0002,
    "torso_2_joint": 0.006761,
}


@cache
def talos() -> CompiledModel:
    """Talos by its own file, on a floating base."""
    model = load(_robot_file("talos_data/robots/talos_reduced.urdf"), base="floating")
    frames = [
        "left_sole_link",
        "right_sole_link",
        "gripper_left_base_link",
        "gripper_right_base_link",
    ]
    functions = (*_NEEDED[:3], "center_of_mass", "center_of_mass_jacobian")
    return build(model, functions=functions, frames=frames)


_FEET = ("left_sole_link", "right_sole_link")
_HANDS = ("gripper_left_base_link", "gripper_right_base_link")


def _pose_of(model: CompiledModel, frame: str, q: Array) -> Array:
    return np.asarray(model.frame(frame).pose(q))


def _standing(model: CompiledModel, q: Array) -> list[Any]:
    """Both feet where they are, and the centre of mass above their middle."""
    feet = [_pose_of(model, foot, q) for foot in _FEET]
    middle = np.mean([T[:3, 3] for T in feet], axis=0)
    return [
        *(
            FrameTask(frame=name, position=T[:3, 3], rotation=T[:3, :3])
            for name, T in zip(_FEET, feet, strict=True)
        ),
        CenterOfMassTask(position=(*middle[:2], np.nan), priority=1),
    ]


def case_25() -> Iterator[CaseCheck]:
    model = talos()
    q = np.asarray(model.neutral())
    for name, value in HALF_SITTING.items():
        q[model.coordinates.index(name)] = value
    feet = _standing(model, q)
    hands = []
    for hand in _HANDS:
        place = _pose_of(model, hand, q)[:3, 3] + [0.15, 0.0, 0.15]
        hands.append(FrameTask(frame=hand, position=place, priority=1))
    rng, far = np.random.default_rng(0), {"feet": 0.0, "hands": 0.0, "centre": 0.0, "limits": 0.0}
    for _ in range(100):
        start = np.asarray(model.integrate(q, 0.1 * rng.standard_normal(model.nu)))
        found = inverse_kinematics(model, [*feet, *hands], start, restarts=0)
        errors = found.errors
        far["feet"] = max(far["feet"], *(errors[f"frame {name!r}"] for name in _FEET))
        far["hands"] = max(far["hands"], *(errors[f"frame {name!r}"] for name in _HANDS))
        far["centre"] = max(far["centre"], errors["the centre of mass"])
        outside = np.maximum(model.lower - found.q, found.q - model.upper).max()
        far["limits"] = max(far["limits"], float(outside))
    for name, bound in (("feet", 1e-8), ("hands", 1e-6), ("centre", 1e-6), ("limits", 1e-12)):
        yield at_most(f"{name}, worst of 100 starts", far[name], bound)
    place = _pose_of(model, _HANDS[0], q)[:3, 3] + [2.0, 0.0, 0.0]
    reach = FrameTask(frame=_HANDS[0], position=place, priority=1)
    found = inverse_kinematics(model, [*feet[:2], reach], q, restarts=0, iterations=2000)
    errors = found.errors
    worst = max(errors[f"frame {name!r}"] for name in _FEET)
    yield at_most("feet with a hand out of reach", worst, 1e-8)
    e, J = reach.error(model, found.q)
    places = {name: k for k, name in enumerate(model.coordinates)}
    at = np.array([places.get(name, -1) for name in model.displacements])
    value, low, high = found.q[at], model.lower[at], model.upper[at]
    one = np.eye(model.nu)
    stops = [-one[k] for k in np.flatnonzero((at >= 0) & (value < low + 1e-9))]
    stops += [one[k] for k in np.flatnonzero((at >= 0) & (value > high - 1e-9))]
    both = np.concatenate([task.error(model, found.q)[1] for task in feet[:2]])
    A = np.concatenate([both, -both, *(row[None] for row in stops)]).T
    left = float(nnls(A, -(J.T @ e))[1])
    yield at_most("residual of the optimality conditions", left, 1e-8)
    named = f"frame {_HANDS[0]!r}"
    yield holds("what misses", named, ", ".join(found.missed), found.missed == (named,))


try:
    metadata.distribution("example-robot-data")
    _MISSING = ""
except metadata.PackageNotFoundError:
    _MISSING = "the package example-robot-data, which has the robot's file, is not installed"

CASES = (
    Case(
        24,
        "a platform on six legs",
        _SOURCE,
        "inverse and forward poses, rates of the legs, and all real assemblies",
        case_24,
        slow=True,
    ),
    Case(
        25,
        "a humanoid on two feet",
        "requirements on residuals and limits",
        "feet, hands and centre of mass from 100 starts; a hand out of reach",
        case_25,
        slow=True,
        unavailable=_MISSING,
    ),
)
