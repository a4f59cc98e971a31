"""Pictures of the captures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eomc.systems.free_flyer.capture import PLANAR_CAPTURE, CaptureRun
from eomc.systems.free_flyer.capture.run import compiled
from eomc.systems.reference.moosavian import capture_planar, capture_spatial
from eomc.systems.reference.moosavian.states import Array
from eomc.systems.reference.reference import Figure

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


FIGURES = (
    Figure(
        "planar_capture", "The planar capture (figures 4.3, 4.6)", (21, 22, 23),
        draw_planar_capture,
    ),
    Figure(
        "stored_force", "Spatial capture: TJ and MTJ (figure 5.6)", (31,), draw_stored_force
    ),
)  # fmt: skip
