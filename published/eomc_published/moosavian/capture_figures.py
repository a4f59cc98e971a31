"""Pictures of the captures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc_published.moosavian import capture_planar, capture_spatial
from eomc_published.moosavian.capture import PLANAR_CAPTURE, SPATIAL_CAPTURE, CaptureRun
from eomc_published.moosavian.capture.run import compiled
from eomc_published.work import Figure

_DPI = 130


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), layout="constrained")


def _arms(q: Array) -> list[Array]:
    """Points of both arms of the planar system from base to end, (points, 2) each."""
    model, base = compiled(PLANAR_CAPTURE.flyer), q[:2]
    lines = []
    for arm in ("arm1", "arm2"):
        frames = (f"{arm}_link1", f"{arm}_link2", f"{arm}_tip")
        lines.append(np.array([base, *(model.frame(name).pose(q)[:2, 3] for name in frames)]))
    return lines


def draw_planar_capture(path: Path) -> None:
    """The way of the planar system, and errors of its ends under two laws."""
    figure = _figure(11, 5)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.2))
    run = capture_planar.exact()
    for t in (0.0, 3.0, 6.0, 9.0, PLANAR_CAPTURE.switch, 13.0, PLANAR_CAPTURE.duration):
        phase = run.chase if t <= PLANAR_CAPTURE.switch else run.capture
        q = phase.run.q[int(np.argmin(np.abs(phase.run.t - t)))]
        shade = str(0.75 * (1 - t / PLANAR_CAPTURE.duration))
        for line in _arms(q):
            left.plot(*line.T, "o-", color=shade, markersize=3)
        left.plot(*PLANAR_CAPTURE.object_at(t)[:2], "C3*")
    left.set_xlabel("x [m]")
    left.set_ylabel("y [m]")
    left.set_aspect("equal")
    left.set_title("Both arms meet the object")
    runs = (("TJ", capture_planar.with_transpose()), ("MB1, 10 %", capture_planar.perturbed()))
    for label, found in runs:
        _draw_errors(right, label, found, ("arm1_tip_x", "arm1_tip_y"))
    figure.savefig(path, dpi=_DPI)


def _draw_errors(ax: Any, label: str, run: CaptureRun, names: tuple[str, ...]) -> None:
    errors = np.linalg.norm(run.capture.error(*names), axis=1)
    ax.semilogy(run.capture.run.t[1:], errors[1:], label=label)
    ax.set_xlabel("time [s]")
    ax.set_ylabel("error of end-effector 1 [m]")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="small")


def draw_stored_force(path: Path) -> None:
    """End-effector errors with and without the stored force."""
    figure = _figure(7, 4)
    ax = figure.subplots()
    for law in ("TJ", "MTJ"):
        names = ("arm1_tip_x", "arm1_tip_y", "arm1_tip_z")
        _draw_errors(ax, law, capture_spatial.late(law), names)
    figure.savefig(path, dpi=_DPI)


def draw_planar_forces(path: Path) -> None:
    """Joints, base torque, thrust and joint torques of the planar captures."""
    plan, exact = PLANAR_CAPTURE, capture_planar.exact()
    mb, tj = capture_planar.perturbed(), capture_planar.with_transpose()
    beside = capture_planar.perturbed(misalignment=5.0)
    fast = capture_planar.perturbed(deceleration=plan.acceleration)
    figure = _figure(14, 8)
    (joints, torque, slow), (base, thrust, motors) = figure.subplots(2, 3)
    for phase in (exact.chase, exact.capture):
        for k, color in zip(range(3, 8), ("C0", "C1", "C2", "C3", "C4"), strict=True):
            label = phase.run.coordinates[k] if phase is exact.chase else None
            joints.plot(phase.run.t, phase.run.q[:, k], color, label=label)
    for ax, label, run, names in (
        (torque, "aligned", mb, ("n_z",)),
        (torque, "off by 5 degrees", beside, ("n_z",)),
        (slow, "a2 = 0.2 a1", mb, ("f_x", "f_y")),
        (slow, "a2 = a1", fast, ("f_x", "f_y")),
        (base, "a2 = 0.2 a1", mb, ("n_z",)),
        (base, "a2 = a1", fast, ("n_z",)),
        (thrust, "TJ", tj, ("f_x", "f_y")),
        (thrust, "MB1, 10 %", mb, ("f_x", "f_y")),
        (motors, "TJ", tj, ("arm1_theta1", "arm1_theta2")),
        (motors, "MB1, 10 %", mb, ("arm1_theta1", "arm1_theta2")),
    ):
        _draw_forces(ax, label, run, names)
    for ax in (torque, slow, base, motors):
        ax.set_xlim(plan.switch - 0.5, plan.duration)
    for ax, what in (
        (joints, "joint angles [rad] (4.3)"),
        (torque, "base torque [N m] (4.4)"),
        (slow, "thrust [N] (4.5 a)"),
        (base, "base torque [N m] (4.5 b)"),
        (thrust, "thrust [N] (4.6 b)"),
        (motors, "torques of arm 1 [N m] (4.6 c)"),
    ):
        _labelled(ax, what)
    figure.savefig(path, dpi=_DPI)


def draw_spatial(path: Path) -> None:
    """Paths, errors, thrust and base torque of the spatial capture under two laws."""
    figure = _figure(14, 8)
    (paths, errors, thrust), (late, base, motors) = figure.subplots(2, 3)
    plan = SPATIAL_CAPTURE
    times = np.linspace(0.0, plan.duration, 200)
    planned = np.array([plan.base_position(t)[0] for t in times])
    for k, name in enumerate("xyz"):
        paths.plot(times, planned[:, k], label=f"base, {name}")
    for law in ("TJ", "MB1"):
        run = capture_spatial.whole(law)
        _draw_errors(errors, law, run, ("arm1_tip_x", "arm1_tip_y", "arm1_tip_z"))
        _draw_forces(thrust, law, run, ("f_x",))
        _draw_forces(base, law, run, ("n_x",))
        _draw_forces(motors, law, run, ("arm1_theta1",))
    for law in ("TJ", "MTJ"):
        _draw_forces(late, law, capture_spatial.late(law), ("f_x",))
    for ax in (base, motors):
        ax.set_xlim(53.0, plan.duration)
    for ax, what in (
        (paths, "planned path of the base [m] (4.9)"),
        (thrust, "thrust along x [N] (4.11)"),
        (late, "thrust along x, last seconds [N] (5.7)"),
        (base, "base torque about x [N m] (4.12)"),
        (motors, "torque of arm 1, joint 1 [N m] (4.12, 5.8)"),
    ):
        _labelled(ax, what)
    errors.set_title("(4.10)", fontsize="small")
    figure.savefig(path, dpi=_DPI)


def _draw_forces(ax: Any, label: str, run: CaptureRun, names: tuple[str, ...]) -> None:
    """Forces over both phases, each law in a colour, each further axis dashed."""
    t = np.concatenate([run.chase.run.t, run.capture.run.t])
    rows = np.concatenate([run.chase.force(*names), run.capture.force(*names)])
    color = f"C{len({line.get_color() for line in ax.lines})}"
    for k, (name, row) in enumerate(zip(names, rows.T, strict=True)):
        ax.plot(t, row, color, ls=("-", "--", ":")[k], lw=1.1, label=f"{label}, {name}")


def _labelled(ax: Any, what: str) -> None:
    ax.set_title(what, fontsize="small")
    ax.set_xlabel("time [s]")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="x-small")


FIGURES = (
    Figure(
        "planar_capture", "The planar capture (figures 4.3, 4.6)", (21, 22, 23), draw_planar_capture
    ),
    Figure(
        "planar_forces",
        "Planar captures: forces and torques (figures 4.3 to 4.6)",
        (23, 24, 25, 26),
        draw_planar_forces,
    ),
    Figure(
        "spatial_capture",
        "Spatial capture: path, errors, forces (figures 4.9 to 4.12, 5.7, 5.8)",
        (29, 31),
        draw_spatial,
    ),
    Figure("stored_force", "Spatial capture: TJ and MTJ (figure 5.6)", (31,), draw_stored_force),
)
