"""Inverse kinematics: derivatives of tasks, loops, floating bases, paths, priorities, refusals."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime import CompiledModel
from eomc.runtime.inverse_kinematics import (
    CenterOfMassTask,
    CoordinateTask,
    FrameTask,
    InverseKinematicsStep,
    inverse_kinematics,
    pose_derivative,
)
from eomc.runtime.inverse_kinematics.quadratic_program import bounded_least_squares
from eomc.runtime.inverse_kinematics.tasks import LoopTask, rotation_vector

MODELS = Path(__file__).parents[2] / "examples" / "models"
NEEDED = ("integrate", "neutral", "normalize", "center_of_mass", "center_of_mass_jacobian")


@cache
def arm() -> CompiledModel:
    """Three links on a floating base; the first joint has limits."""
    model = eomc.Model("reaching", gravity=(0, 0, -9.81))
    thin = (0.01, 0.01, 0.01)
    model.body("base", mass=5, inertia=thin)
    model.joint("base", "floating", parent="world", child="base")
    before = "base"
    for k, axis in enumerate([(0, 1, 0), (0, 0, 1), (0, 1, 0)]):
        name = f"link{k}"
        model.body(name, mass=1, com=(0.2, 0, 0), inertia=thin)
        given: dict[str, Any] = {"axis": axis, "placement": {"xyz": (0.4 if k else 0, 0, 0)}}
        if k == 0:
            given |= {"lower": -1.0, "upper": 0.5, "velocity_limit": 2.0}
        model.joint(f"q{k}", "revolute", parent=before, child=name, **given)
        before = name
    model.frame("tool", body=before, placement={"xyz": (0.4, 0, 0)})
    model.frame("foot", body="base", placement={"xyz": (0, 0, -0.5)})
    return eomc.build(model, functions=NEEDED, frames=["tool", "foot"])


def rotation(vector: Any) -> np.ndarray:
    """exp of a rotation vector."""
    x, y, z = vector
    angle = float(np.linalg.norm(vector))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) / angle
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


@pytest.mark.parametrize("angle", [1e-6, 1e-3, 1.0, 3.0, np.pi - 1e-3, np.pi - 1e-7, np.pi])
def test_rotation_vector_is_the_inverse_of_the_exponential(angle: float) -> None:
    vector = angle * np.array([2.0, -1.0, 2.0]) / 3
    assert rotation_vector(rotation(vector)) == pytest.approx(vector, abs=1e-9)


def test_derivatives_of_tasks() -> None:
    model = arm()
    q = model.random_configuration(1)
    tasks = (
        FrameTask(frame="tool", position=(1, np.nan, 2), rotation=rotation((1.0, -2.0, 1.5))),
        CenterOfMassTask(position=(np.nan, 0.1, 0.2)),
        CoordinateTask(targets={"q2": 0.3}, scale={"q2": 2.0}),
    )
    for task in tasks:
        slopes = task.error(model, q)[1]
        columns = []
        for e in np.eye(model.nu) * 1e-6:
            ahead, behind = (task.error(model, model.integrate(q, x))[0] for x in (e, -e))
            columns.append((ahead - behind) / 2e-6)
        assert np.abs(np.array(columns).T - slopes).max() < 1e-8


def test_a_floating_base_stands_and_reaches_within_limits() -> None:
    model = arm()
    foot = FrameTask(frame="foot", position=(0, 0, 0), rotation=np.eye(3))
    tool = FrameTask(frame="tool", position=(0.9, 0.2, 0.4))
    found = inverse_kinematics(model, [foot, tool])
    assert found.success and max(found.errors.values()) < 1e-9
    place = model.coordinates.index("q0")
    assert -1 <= found.q[place] <= 0.5
    # Straight down is beyond the limit of the first joint.
    low = FrameTask(frame="tool", position=(0.3, 0, -0.6), priority=1)
    missed = inverse_kinematics(model, [foot, low], restarts=3)
    assert missed.success and missed.errors["frame 'foot'"] < 1e-9
    assert missed.errors["frame 'tool'"] > 0.01
    both = inverse_kinematics(
        model, [foot, FrameTask(frame="tool", position=(9, 0, 0))], restarts=0
    )
    assert not both.success and "frame 'tool' misses by" in both.reason


def test_a_start_outside_the_limits_returns() -> None:
    found = inverse_kinematics(
        arm(), FrameTask(frame="tool", position=(0.9, 0.2, 0.4)), {"q0": 1.5}, restarts=0
    )
    assert found.success and found.q[arm().coordinates.index("q0")] <= 0.5


def test_loops_stay_closed() -> None:
    model = eomc.build(MODELS / "four_bar.toml")
    closed = eomc.assemble(model, {"drive": 0.4}).q
    point = np.asarray(model.frame("coupler_point").pose(closed))[[0, 2], 3]
    task = FrameTask(frame="coupler_point", position=(point[0], np.nan, point[1]))
    found = inverse_kinematics(model, task, eomc.assemble(model, {"drive": 0.7}).q)
    assert found.success and found.errors["the loops"] < 1e-10
    assert found.q == pytest.approx(closed, abs=1e-8)


def test_a_path_keeps_the_limits_of_speeds() -> None:
    model, count = arm(), 12
    foot = FrameTask(frame="foot", position=(0, 0, 0), rotation=np.eye(3))
    start = inverse_kinematics(model, [foot, FrameTask(frame="tool", position=(1.0, 0.1, 0.5))])
    points = np.linspace([1.0, 0.1, 0.5], [0.8, -0.2, 0.8], count)
    tasks = [foot, FrameTask(frame="tool", position=points)]
    found = inverse_kinematics(model, tasks, start.q, dt=0.1)
    assert found.success and found.q.shape == (count, model.nq)
    place = model.coordinates.index("q0")
    assert np.abs(np.diff(found.q[:, place])).max() <= 0.2 + 1e-9
    hasty = inverse_kinematics(model, tasks, start.q, dt=1e-3)
    assert not hasty.success and hasty.reason.startswith("sample 1: ")
    assert np.abs(np.diff(hasty.q[:, place])).max() <= 2e-3 + 1e-9


def test_bounded_least_squares_without_daqp(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two solvers agree, and the conditions of Karush, Kuhn and Tucker hold."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        A, b = rng.normal(size=(4, 5)), 2 * rng.normal(size=4)
        N = np.linalg.qr(rng.normal(size=(7, 5)))[0]
        low, high = -0.2 * rng.random(7), 0.2 * rng.random(7)
        given = (A, b, 1e-3, N, low, high)
        first = bounded_least_squares(*given)
        monkeypatch.setitem(sys.modules, "daqp", None)
        second = bounded_least_squares(*given)
        monkeypatch.undo()
        assert first == pytest.approx(second, abs=1e-8)
        slope, d = A.T @ (A @ first + b) + 1e-3 * first, N @ first
        assert (d >= low - 1e-9).all() and (d <= high + 1e-9).all()
        active = (d < low + 1e-9) | (d > high - 1e-9)
        force = np.linalg.lstsq(N[active].T, -slope, rcond=None)[0]
        assert N[active].T @ force == pytest.approx(-slope, abs=1e-7)
        assert (force[(d > high - 1e-9)[active]] >= -1e-9).all()
        assert (force[(d < low + 1e-9)[active]] <= 1e-9).all()


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (lambda: FrameTask(frame="toll", position=(0, 0, 0)), "no frame 'toll'"),
        (lambda: FrameTask(frame="tool"), "give position, rotation"),
        (lambda: FrameTask(frame="tool", position=(0, 0)), "position has shape"),
        (lambda: FrameTask(frame="tool", rotation=2 * np.eye(3)), "not orthogonal"),
        (lambda: FrameTask(frame="tool", position=(0, 0, 0), weight=-1), "weight is -1"),
        (lambda: CoordinateTask(targets={"elbow": 0}), "no joint coordinate 'elbow'"),
    ],
)
def test_bad_tasks_are_named(task: Any, text: str) -> None:
    with pytest.raises((ValueError, KeyError), match=text):
        inverse_kinematics(arm(), task())
    with pytest.raises(TypeError, match="'tool' is no task; give FrameTask"):
        inverse_kinematics(arm(), {"tool": (0.4, 0.1, 0.5)})  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="give at least one"):
        inverse_kinematics(arm(), [])


def test_the_solution_follows_its_targets() -> None:
    """Against poses solved anew: a floating base, a task of second priority, a closed loop."""
    model, h = arm(), 1e-6
    foot = FrameTask(frame="foot", position=(0, 0, 0), rotation=np.eye(3))
    start = model.neutral()
    start[-3:] = -0.3, 0.3, 0.8
    place = np.asarray(model.frame("tool").pose(start))[:3, 3] + [0, 0, 0.5]

    def tasks(shift: Any) -> list[Any]:
        rest = CoordinateTask(targets={"q1": 0.3}, priority=1)
        where = np.array([place[0], np.nan, place[2]]) + shift
        return [foot, FrameTask(frame="tool", position=where), rest]

    pose = inverse_kinematics(model, tasks(0.0), start, restarts=0)
    assert not pose.missed
    by = pose_derivative(model, tasks(0.0), pose)
    for k, axis in enumerate((0, 2)):
        shift = h * np.eye(3)[axis]
        ahead, behind = (
            inverse_kinematics(model, tasks(s), pose.q, restarts=0).q for s in (shift, -shift)
        )
        change = model.difference(behind, ahead) / (2 * h)
        assert by["frame 'tool'"][:, k] == pytest.approx(change, rel=1e-6, abs=1e-6)
    bar = eomc.build(MODELS / "four_bar.toml")
    task = CoordinateTask(targets={"pivot": 0.2})
    closed = inverse_kinematics(bar, task, eomc.assemble(bar, {"drive": 0.3}).q)
    moved = inverse_kinematics(bar, CoordinateTask(targets={"pivot": 0.2 + h}), closed.q)
    by = pose_derivative(bar, task, closed)
    assert next(iter(by.values()))[:, 0] == pytest.approx((moved.q - closed.q) / h, abs=1e-4)


def walked(sample: Any, targets: Any, count: int) -> np.ndarray:
    """Coordinates after some samples of a step."""
    for _ in range(count):
        q = sample(*targets)
    return np.asarray(q)


def test_the_step_of_a_controller_arrives_within_limits() -> None:
    model = arm()
    found = inverse_kinematics(
        model,
        tasks := [
            FrameTask(frame="foot", position=(0, 0, 0), rotation=np.eye(3)),
            FrameTask(frame="tool", position=(0.9, 0.2, np.nan)),
            CoordinateTask(targets={"q2": 0.7}, priority=1),
        ],
        restarts=0,
    )
    targets = (np.zeros(3), np.eye(3).ravel(), [0.9, 0.2])
    q = walked(InverseKinematicsStep(model, tasks, iterations=2).begin(), targets, 30)
    for task in tasks[:2]:
        assert np.linalg.norm(task.error(model, q)[0]) < 1e-6
    assert np.linalg.norm(tasks[2].error(model, q)[0]) < found.errors["coordinates q2"] + 1e-3
    # A target that the first joint cannot reach, and its limit of speed.
    low = FrameTask(frame="tool", position=(0.3, 0, -0.6))
    sample = InverseKinematicsStep(model, [tasks[0], low], dt=0.01).begin()
    place, before = model.coordinates.index("q0"), 0.0
    for _ in range(40):
        value = float(sample(np.zeros(3), np.eye(3).ravel(), [0.3, 0, -0.6])[place])
        assert -1 <= value <= 0.5 and abs(value - before) <= 0.02 + 1e-12
        before = value
    assert before == pytest.approx(0.5, abs=1e-5)


@pytest.mark.slow
def test_the_emitted_step_is_the_step_in_python(tmp_path: Path) -> None:
    """The test that its C carries compares samples with those in Python; loops stay closed."""
    model = eomc.build(path := MODELS / "four_bar.toml")
    task = FrameTask(frame="coupler_point", position=(0.1, np.nan, 0.3))
    step = InverseKinematicsStep(model, task, eomc.assemble(model, {"drive": 0.4}).q)
    eomc.emit_controller(step, tmp_path / "c", model=path, name="reach", self_test=True)
    (source,) = (tmp_path / "c" / "test").glob("*.c")
    files = [str(tmp_path / "c" / "reach.c"), str(source)]
    program = str(tmp_path / "run")
    subprocess.run(
        ["cc", "-std=c99", f"-I{tmp_path / 'c'}", *files, "-o", program, "-lm"], check=True
    )
    assert subprocess.run([program], check=False).returncode == 0
    there = eomc.assemble(model, {"drive": 0.7}).q
    target = np.asarray(model.frame("coupler_point").pose(there))[[0, 2], 3]
    q = walked(step.begin(), [target], 40)
    assert q == pytest.approx(there, abs=1e-6)
    assert np.linalg.norm(LoopTask().error(model, q)[0]) < 1e-8
