"""Inverse kinematics: a six-joint arm in all its poses, a redundant arm, planar chains, a biped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime import CompiledModel
from eomc.runtime.inverse_kinematics import (
    CenterOfMassTask,
    CoordinateTask,
    FrameTask,
    inverse_kinematics,
)
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.fit.pendulums import Array

_SOURCE = "poses by closed forms, Newton's method, IPOPT and SLSQP on kinematics written by hand"
_HALF = np.pi / 2


def _chain(name: str, rows: list[tuple[float, float, float]], modified: bool) -> Model:
    """A serial arm of (d, a, alpha) and a frame "tool" at its end."""
    model = Model(name, gravity=(0, 0, -9.81))
    links = [{"d": d, "a": a, "alpha": alpha} for d, a, alpha in rows]
    for link in links:
        link |= {"mass": 1, "com": (0, 0, 0), "inertia": (0.01, 0.01, 0.01)}  # type: ignore[dict-item]
    model.dh_chain("arm", links=links, convention="modified" if modified else "standard")
    return model


@cache
def ur5() -> CompiledModel:
    """By its standard parameters."""
    d = (0.089159, 0, 0, 0.10915, 0.09465, 0.0823)
    a = (0, -0.425, -0.39225, 0, 0, 0)
    alpha = (_HALF, 0, 0, _HALF, -_HALF, 0)
    model = _chain("fit_ur5", list(zip(d, a, alpha, strict=True)), False)
    model.frame("tool", body=list(model.bodies)[-1])
    return build(model, functions=["integrate", "neutral", "normalize"])


def _pose(model: CompiledModel, q: list[float]) -> tuple[Array, Array]:
    pose = np.asarray(model.frame("tool").pose(q))
    return pose[:3, 3], pose[:3, :3]


ALL_EIGHT = np.array(
    [
        *(-2.471937743192748, -2.265468147163220, -1.347760403069425),
        *(0.880991970225525, 1.908430682855659, -2.826217795652210),
        *(-2.471937743192748, -1.957987740571066, -1.367127886728565),
        *(-2.548713606297282, -1.908430682855659, 0.315374857937583),
        *(-2.471937743192748, 2.733939329003057, 1.347760403069425),
        *(-0.530751004900017, 1.908430682855659, -2.826217795652210),
        *(-2.471937743192748, 3.023331950316980, 1.367127886728565),
        *(2.302081543716714, -1.908430682855659, 0.315374857937583),
        *(0.3, -1.2, 1.4),
        *(-0.7, 0.9, 0.5),
        *(0.3, -0.863473501706034, 1.314512490575757),
        *(2.190553664720070, -0.9, -2.641592653589793),
        *(0.3, 0.132518872161966, -1.4),
        *(0.767481127838035, 0.9, 0.5),
        *(0.3, 0.389207955270059, -1.314512490575758),
        *(-2.716288118284095, -0.9, -2.641592653589793),
    ]
).reshape(8, 6)


def case_21() -> Iterator[CaseCheck]:
    arm = ur5()
    position, rotation = _pose(arm, [0.3, -1.2, 1.4, -0.7, 0.9, 0.5])
    known = [-0.564410293765818, -0.342395743036599, 0.355191889021658]
    yield agrees("position of the target", known, position, 1e-12)
    task = FrameTask(frame="tool", position=position, rotation=rotation)
    rng, hits, misses = np.random.default_rng(0), [0] * 8, 0
    for _ in range(100):
        found = inverse_kinematics(arm, task, rng.uniform(-np.pi, np.pi, 6), restarts=0, reach=0.5)
        misses += not found.success
        apart = np.abs((found.q - ALL_EIGHT + np.pi) % (2 * np.pi) - np.pi).max(axis=1)
        if found.success and apart.min() < 1e-6:
            hits[int(np.argmin(apart))] += 1
    yield at_most("starts that miss, of 100", misses, 5)
    yield at_most("poses that are none of the eight", 100 - misses - sum(hits), 0)
    yield at_most("poses of the eight not found", hits.count(0), 0)


@cache
def panda() -> CompiledModel:
    """By its modified parameters, with its limits."""
    a = (0, 0, 0, 0.0825, -0.0825, 0, 0.088)
    d = (0.333, 0, 0.316, 0, 0.384, 0, 0)
    alpha = (0, -_HALF, _HALF, _HALF, -_HALF, _HALF, _HALF)
    low = (-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973)
    high = (2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973)
    model = Model("fit_panda", gravity=(0, 0, -9.81))
    links = [
        {"d": d[k], "a": a[k], "alpha": alpha[k], "lower": low[k], "upper": high[k], "mass": 1}
        | {"com": (0, 0, 0), "inertia": (0.01, 0.01, 0.01)}
        for k in range(7)
    ]
    model.dh_chain("arm", links=links, convention="modified")
    model.frame("tool", body=list(model.bodies)[-1], placement={"xyz": (0, 0, 0.107)})
    return build(model, functions=["integrate", "neutral", "normalize"])


def case_22() -> Iterator[CaseCheck]:
    arm = panda()
    position, rotation = _pose(arm, [0.4, 0.3, -0.5, -1.9, 0.6, 2.2, 0.9])
    known = [0.62180493606606, -0.02563396992855, 0.3676995720488]
    yield agrees("position of the target", known, position, 1e-11)
    pose = FrameTask(frame="tool", position=position, rotation=rotation)
    middle, span = (arm.lower + arm.upper) / 2, arm.upper - arm.lower
    names = arm.coordinates
    centered = CoordinateTask(
        targets=dict(zip(names, middle.tolist(), strict=True)),
        scale=dict(zip(names, span.tolist(), strict=True)),
        priority=1,
    )
    start = [0.4, 0.3, -0.5, -1.9, 0.6, 2.2, 0.9]
    found = inverse_kinematics(arm, [pose, centered], start, restarts=0, iterations=1000)
    best = [0.03905225, 0.26572510, -0.10591170, -1.91147376, 0.46688692, 2.24820897, 0.98003161]
    yield agrees("pose nearest to the middle of the joints", best, found.q, 1e-6)
    yield at_most("error of the pose", found.errors["frame 'tool'"], 1e-9)
    missed = 0
    for k in range(100):
        q = np.random.default_rng(1000 + k).uniform(arm.lower, arm.upper)
        reached = inverse_kinematics(arm, pose, q, seed=k)
        inside = (reached.q >= arm.lower - 1e-12) & (reached.q <= arm.upper + 1e-12)
        missed += not (reached.success and inside.all())
    yield at_most("starts of 100 that miss within the limits", missed, 0)


@cache
def planar(lengths: tuple[float, ...]) -> CompiledModel:
    """Links in the plane xy."""
    model = Model("fit_planar", gravity=(0, 0, 0))
    before, at = "world", 0.0
    for k, length in enumerate(lengths):
        model.body(f"link{k}", mass=1, com=(length / 2, 0, 0), inertia=(0, 0.01, 0.01))
        model.joint(
            f"q{k}",
            "revolute",
            parent=before,
            child=f"link{k}",
            axis=(0, 0, 1),
            placement={"xyz": (at, 0, 0)},
        )
        before, at = f"link{k}", length
    model.frame("tool", body=before, placement={"xyz": (at, 0, 0)})
    return build(model, functions=["integrate", "neutral", "normalize"])


def case_23() -> Iterator[CaseCheck]:
    arm = planar((0.5, 0.4, 0.3))
    where = np.array([0.6, 0.5, 0.0])
    c, s = np.cos(0.8), np.sin(0.8)
    task = FrameTask(frame="tool", position=where, rotation=[[c, -s, 0], [s, c, 0], [0, 0, 1]])
    for sign, q in (
        (1, [-0.20736280856097633, 2.0264541399326896, -1.0190913313717131]),
        (-1, [1.4664209066530898, -2.0264541399326896, 1.3600332332796]),
    ):
        found = inverse_kinematics(arm, task, [0.3, sign * 1.0, 0.1], restarts=0)
        yield agrees("a pose with the elbow on one side", q, found.q, 1e-9)
    rest = CoordinateTask(targets={"q0": 0.0, "q1": 0.0, "q2": 0.0}, priority=1)
    reach = FrameTask(frame="tool", position=where)
    found = inverse_kinematics(arm, [reach, rest], [0.1, 1.0, 0.5], iterations=500)
    yield agrees("the shortest", [-0.2331253992, 1.2243749136, 0.9390133755], found.q, 1e-7)
    far = FrameTask(frame="tool", position=(2.0, 0.0, 0.0))
    missed = inverse_kinematics(arm, far, [0.3, 0.2, 0.1], restarts=0, iterations=1000)
    text = missed.reason
    yield holds("out of reach", "frame 'tool' misses by 0.8", text[:28], "by 0.8" in text)


@cache
def biped() -> CompiledModel:
    """A torso on two legs of two links, in the plane xz."""
    model = Model("fit_biped", gravity=(0, 0, -9.81))
    thin = (0.01, 0.01, 0.01)
    model.body("torso", mass=10, com=(0, 0, 0.25), inertia=thin)
    model.joint("base", "planar", parent="world", child="torso", axis=(0, -1, 0))
    y = (0, -1, 0)
    for side in ("1", "2"):
        model.body(f"thigh{side}", mass=3, com=(0, 0, -0.2), inertia=thin)
        model.body(f"shank{side}", mass=2, com=(0, 0, -0.2), inertia=thin)
        thigh = f"thigh{side}"
        model.joint(f"h{side}", "revolute", parent="torso", child=thigh, axis=y)
        knee = {"xyz": (0, 0, -0.4)}
        shank = f"shank{side}"
        model.joint(f"k{side}", "revolute", parent=thigh, child=shank, axis=y, placement=knee)
        model.frame(f"foot{side}", body=shank, placement={"xyz": (0, 0, -0.4)})
    model.frame("hip", body="torso")
    return build(
        model,
        functions=[
            "integrate",
            "neutral",
            "normalize",
            "center_of_mass",
            "center_of_mass_jacobian",
        ],
    )


def case_26() -> Iterator[CaseCheck]:
    robot = biped()
    free = np.nan
    c, s = np.cos(0.05), np.sin(0.05)
    tasks = [
        FrameTask(frame="foot1", position=(-0.15, free, 0)),
        FrameTask(frame="foot2", position=(0.15, free, 0)),
        CenterOfMassTask(position=(0.03, free, 0.72)),
        FrameTask(frame="hip", rotation=[[c, 0, -s], [0, 1, 0], [s, 0, c]]),
    ]
    knees = {"h1": 0.2, "k1": -0.5, "h2": 0.2, "k2": -0.5}
    found = inverse_kinematics(robot, tasks, knees, restarts=0)
    angles = [found.q[robot.coordinates.index(name)] for name in ("h1", "k1", "h2", "k2")]
    known = [-0.086970965143142, -0.363795414345711, 0.347252825843485, -0.461269756848886]
    yield agrees("angles of the legs", known, angles, 1e-9)
    hip = np.asarray(robot.frame("hip").pose(found.q))[[0, 2], 3]
    yield agrees("hip", [0.020834661417667, 0.768031573210001], hip, 1e-9)


CASES = (
    Case(
        21,
        "a six-joint arm in all its poses",
        _SOURCE,
        "100 starts, of which at least 95 arrive and find all eight poses",
        case_21,
        slow=True,
    ),
    Case(
        22,
        "a redundant arm within its limits",
        _SOURCE,
        "pose nearest to the middle of the joints; 100 starts of 100 with restarts",
        case_22,
        slow=True,
    ),
    Case(23, "a planar arm", _SOURCE, "closed forms; the shortest pose; out of reach", case_23),
    Case(
        26,
        "a biped",
        _SOURCE,
        "feet, centre of mass and torso of a floating base",
        case_26,
        slow=True,
    ),
)
