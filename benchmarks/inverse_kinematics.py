"""Inverse kinematics: the emitted step in C beside pink, on UR5, Panda and Talos.

    python -m benchmarks --section inverse-kinematics

The same URDF files, starts, targets, limits of joints and bound of iterations for both; a target is
attained if the errors of all its tasks, by Pinocchio, are below 1e-6 m and rad. Times are CPU times
of whole solutions, rounds of both in turn.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import eomc
from benchmarks.compiling import compile_shared
from benchmarks.contender import Array, Unavailable
from benchmarks.robot_files import robot_file
from benchmarks.section import Section, Target
from eomc.runtime.inverse_kinematics import FrameTask, InverseKinematicsStep
from eomc_published.fit.whole_bodies import HALF_SITTING

COUNT, MOST, NEAR, ROUNDS = 400, 200, 1e-6, 2
_SETTLED = 1e-9
_DRIVER = """
#include <math.h>
#include <string.h>
#include "step.h"

/* Solutions of `count` problems in place of their starts q; iterations of each. */
int solved(int count, int most, double *q, const double *targets, int width, int *iterations)
{
    enum { N = STEP_Q_COUNT };
    for (int k = 0; k < count; ++k) {
        step_state state;
        const double *x = targets + k * width;
        double change = 1.0;
        memcpy(state.memory, q + k * N, sizeof state.memory);
        iterations[k] = 0;
        while (iterations[k] < most && change > SETTLED) {
            double next[N];
            if (step_step(&state, ARGUMENTS, next) != 0) {
                break;
            }
            change = 0.0;
            for (int i = 0; i < N; ++i) {
                change = fmax(change, fabs(next[i] - q[k * N + i]));
            }
            memcpy(q + k * N, next, sizeof next);
            ++iterations[k];
        }
    }
    return 0;
}
"""


@dataclass(frozen=True)
class Robot:
    """A file, its base, and the frames to place, with whether they are turned too."""

    name: str
    file: str
    base: str
    frames: Mapping[str, bool]
    locked: tuple[str, ...] = ()


ROBOTS = (
    Robot("UR5", "ur_description/urdf/ur5_robot.urdf", "fixed", {"tool0": True}),
    Robot(
        "Panda",
        "panda_description/urdf/panda.urdf",
        "fixed",
        {"panda_link8": True},
        ("panda_finger_joint1", "panda_finger_joint2"),
    ),
    Robot(
        "Talos, two feet and a hand",
        "talos_data/robots/talos_reduced.urdf",
        "floating",
        {"left_sole_link": True, "right_sole_link": True, "gripper_left_base_link": False},
    ),
)


@dataclass(frozen=True)
class _Problems:
    """Starts (count, nq) in Pinocchio's order and poses of the frames, by name (count, 4, 4)."""

    q: Array
    poses: Mapping[str, Array]


@dataclass(frozen=True)
class _Outcome:
    attained: int
    iterations: float
    seconds: float


def _pinocchio(robot: Robot) -> tuple[Any, Any]:
    """(pinocchio, model)"""
    try:
        import pink  # noqa: F401
        import pinocchio
    except ImportError:
        raise Unavailable("install the package pin-pink for pink") from None
    path = str(robot_file(robot.file))
    root = [pinocchio.JointModelFreeFlyer()] if robot.base == "floating" else []
    model = pinocchio.buildModelFromUrdf(path, *root)
    if robot.locked:
        ids = [model.getJointId(name) for name in robot.locked]
        model = pinocchio.buildReducedModel(model, ids, pinocchio.neutral(model))
    return pinocchio, model


def _poses(pinocchio: Any, model: Any, robot: Robot, q: Array) -> dict[str, Array]:
    data = model.createData()
    pinocchio.framesForwardKinematics(model, data, q)
    return {n: np.array(data.oMf[model.getFrameId(n)].homogeneous) for n in robot.frames}


def _problems(pinocchio: Any, model: Any, robot: Robot) -> _Problems:
    rng, starts, found = np.random.default_rng(0), [], []
    standing = pinocchio.neutral(model)
    if robot.base == "floating":
        for name, value in HALF_SITTING.items():
            standing[model.joints[model.getJointId(name)].idx_q] = value
    low = np.maximum(model.lowerPositionLimit, -np.pi)
    high = np.minimum(model.upperPositionLimit, np.pi)
    for _ in range(COUNT):
        if robot.base == "fixed":
            starts.append(rng.uniform(low, high))
            found.append(_poses(pinocchio, model, robot, rng.uniform(low, high)))
            continue
        noise = 0.1 * rng.standard_normal(model.nv)
        start = pinocchio.integrate(model, standing, noise)
        # pink refuses starts outside the limits of joints.
        start[7:] = np.clip(start[7:], low[7:] + NEAR, high[7:] - NEAR)
        starts.append(start)
        poses = _poses(pinocchio, model, robot, standing)
        poses["gripper_left_base_link"][:3, 3] += rng.uniform(-0.15, 0.15, 3)
        found.append(poses)
    return _Problems(
        np.array(starts), {name: np.array([p[name] for p in found]) for name in robot.frames}
    )


def _attained(pinocchio: Any, model: Any, robot: Robot, of: _Problems, q: Array) -> int:
    """Number of problems whose errors are small and whose limits are kept."""
    good = 0
    for k, row in enumerate(q):
        poses, errors = _poses(pinocchio, model, robot, row), []
        for name, turned in robot.frames.items():
            wanted = of.poses[name][k]
            errors.append(np.linalg.norm(poses[name][:3, 3] - wanted[:3, 3]))
            if turned:
                errors.append(
                    np.linalg.norm(pinocchio.log3(poses[name][:3, :3] @ wanted[:3, :3].T))
                )
        inside = (row >= model.lowerPositionLimit - NEAR) & (row <= model.upperPositionLimit + NEAR)
        # Quaternions have no limits.
        first = 7 if robot.base == "floating" else 0
        good += max(errors) < NEAR and bool(inside[first:].all())
    return good


def _ours(
    robot: Robot, model: Any, of: _Problems, build: Path
) -> Callable[[], tuple[Array, Array]]:
    """A function that solves all problems: (q, iterations)."""
    given = {"base": robot.base} | ({"locked": robot.locked} if robot.locked else {})
    declared = eomc.load(robot_file(robot.file), **given)
    compiled = eomc.build(declared, functions=["integrate", "neutral", "normalize"])
    tasks = [
        FrameTask(frame=name, position=np.zeros(3), rotation=np.eye(3) if turned else None)
        for name, turned in robot.frames.items()
    ]
    step = InverseKinematicsStep(compiled, tasks)
    folder = build / f"inverse_kinematics_{robot.name.partition(',')[0]}"
    eomc.emit_controller(step, folder, model=declared, name="step")
    rows, arguments, width = [], [], 0
    for name, turned in robot.frames.items():
        rows.append(of.poses[name][:, :3, 3])
        arguments.append(f"x + {width}")
        width += 3
        if turned:
            rows.append(of.poses[name][:, :3, :3].reshape(-1, 9))
            arguments.append(f"x + {width}")
            width += 9
    text = _DRIVER.replace("ARGUMENTS", ", ".join(arguments)).replace("SETTLED", str(_SETTLED))
    (folder / "driver.c").write_text(text)
    library, _, _ = compile_shared(folder, sorted(file.name for file in folder.glob("*.c")))
    function = ctypes.CDLL(str(library)).solved
    targets = np.ascontiguousarray(np.concatenate(rows, axis=1))
    order = _order(robot, model, compiled)
    start = of.q[:, order]

    def solve() -> tuple[Array, Array]:
        q, iterations = np.ascontiguousarray(start), np.zeros(COUNT, dtype=np.int32)
        pointers = (x.ctypes.data_as(ctypes.c_void_p) for x in (q, targets))
        places = iterations.ctypes.data_as(ctypes.c_void_p)
        q_at, x_at = pointers
        function(COUNT, MOST, q_at, x_at, width, places)
        back = np.empty_like(q)
        back[:, order] = q
        return back, iterations

    return solve


def _order(robot: Robot, model: Any, compiled: Any) -> list[int]:
    """Places in Pinocchio's q of the coordinates of eomc."""
    known = {name: model.joints[model.getJointId(name)].idx_q for name in list(model.names)[1:]}
    # Pinocchio's quaternions end with the real part.
    base = {"x": 0, "y": 1, "z": 2, "qw": 6, "qx": 3, "qy": 4, "qz": 5}
    known |= {f"root_{name}": place for name, place in base.items()}
    return [known[name] for name in compiled.coordinates]


def _theirs(robot: Robot, model: Any, of: _Problems) -> Callable[[], tuple[Array, Array]]:
    """The same by pink, with DAQP."""
    from pink import Configuration, solve_ik
    from pink.tasks import FrameTask as PinkTask
    from pinocchio import SE3

    data = model.createData()
    tasks = [
        PinkTask(name, position_cost=1.0, orientation_cost=1.0 if turned else 0.0, lm_damping=0.01)
        for name, turned in robot.frames.items()
    ]

    def solve() -> tuple[Array, Array]:
        q, iterations = of.q.copy(), np.zeros(COUNT, dtype=np.int32)
        for k in range(COUNT):
            for task in tasks:
                task.set_target(SE3(of.poses[task.frame][k]))
            configuration = Configuration(model, data, q[k])
            while iterations[k] < MOST:
                errors = [
                    t.compute_error(configuration)[: 6 if robot.frames[t.frame] else 3]
                    for t in tasks
                ]
                if max(np.abs(e).max() for e in errors) < NEAR / 10:
                    break
                try:
                    v = solve_ik(configuration, tasks, 1.0, solver="daqp", safety_break=False)
                except Exception:  # no solution within the limits: pink names several
                    break
                configuration.integrate_inplace(v, 1.0)
                iterations[k] += 1
            q[k] = configuration.q
        return q, iterations

    return solve


def _measured(robot: Robot, build: Path) -> dict[str, _Outcome]:
    pinocchio, model = _pinocchio(robot)
    problems = _problems(pinocchio, model, robot)
    several = {
        "eomc, C": _ours(robot, model, problems, build),
        "pink": _theirs(robot, model, problems),
    }
    seconds: dict[str, list[float]] = {name: [] for name in several}
    outcomes = {}
    for _ in range(ROUNDS):
        for name, solve in several.items():
            begun = time.thread_time()
            q, iterations = solve()
            seconds[name].append(time.thread_time() - begun)
            good = _attained(pinocchio, model, robot, problems, q)
            outcomes[name] = _Outcome(
                good, float(np.median(iterations)), min(seconds[name]) / COUNT
            )
    return outcomes


def section(build: Path) -> Section:
    """The table."""
    rows, figures, targets = [], [], []
    for robot in ROBOTS:
        found = _measured(robot, build)
        ours, pink = found["eomc, C"], found["pink"]
        for name, outcome in found.items():
            rows.append(
                (
                    robot.name,
                    name,
                    f"{outcome.attained} of {COUNT}",
                    f"{outcome.iterations:g}",
                    f"{1e6 * outcome.seconds:.0f}",
                )
            )
            figures.append({"robot": robot.name, "by": name, **vars(outcome)})
        ratio = pink.seconds / ours.seconds
        targets.append(Target(f"{robot.name}: time of pink over time", ratio, 5.0))
        share = ours.attained / pink.attained
        targets.append(Target(f"{robot.name}: targets attained over those of pink", share, 1.0))
    return Section(
        "Inverse kinematics",
        "`python -m benchmarks --section inverse-kinematics`: random targets within reach, one "
        f"start each, at most {MOST} iterations, one core.",
        ("robot", "by", "attained", "iterations, median", "a target, µs"),
        rows,
        figures,
        targets=targets,
    )
