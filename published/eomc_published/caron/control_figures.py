"""Pictures of the closed loops: what is controlled, what vibrates, and what it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from eomc.systems.flexible_manipulator.scenario import tip_values
from eomc_published.caron.closed_loops import on_line, ramped, stepped, stepped_on_stiff_joint
from eomc_published.caron.control import attitude, combined, regulated
from eomc_published.caron.controlled import ARM, ControlledRun
from eomc_published.work import Figure

__all__ = ["CONTROL_FIGURES"]

_HISTORIES = {
    "orbit_psi": "pitch [deg]",
    "alpha2": "slew angle [deg]",
    "unit2_length": "length [m]",
    "platform_y1": "platform tip [m]",
    "alpha2_twist": "joint [deg]",
    "unit2_y1": "unit tip [m]",
}
_FORCES = {
    "orbit_psi": "moment on the platform [N m]",
    "platform_y1": "force on the platform's mode [N]",
    "alpha2": "moment of the slew motor [N m]",
    "unit2_length": "force of deployment [N]",
}


def _history(run: ControlledRun, name: str) -> Any:
    """In degrees or metres, a mode by the deflection of the tip."""
    if name.endswith("_y1"):
        return tip_values(ARM, name.removesuffix("_y1"))[0] * run[name]
    return run[name] if name == "unit2_length" else run.degrees(name)


def draw_loop(make: Callable[[], ControlledRun], path: Path) -> None:
    """Free coordinates, and forces of the actuators in use."""
    from matplotlib.figure import Figure as Canvas

    run = make()
    panels: list[tuple[str, Any]] = [
        (title, _history(run, name))
        for name, title in _HISTORIES.items()
        if name in run.model.coordinates
    ]
    panels += [
        (title, run.force(name))
        for name, title in _FORCES.items()
        if name in run.model.speeds and run.force(name).any()
    ]
    rows = -(-len(panels) // 2)
    figure = Canvas(figsize=(11, 2.2 * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, 2, squeeze=False).ravel()
    for ax, (title, values) in zip(axes, panels, strict=False):
        ax.plot(run.t, values, linewidth=0.8)
        ax.set_ylabel(title)
        ax.set_xlabel("orbits")
    for ax in axes[len(panels) :]:
        ax.set_axis_off()
    figure.savefig(path, dpi=130)


def _figure(number: str, title: str, case: int, make: Callable[[], ControlledRun]) -> Figure:
    return Figure(
        f"figure-{number}", f"Figure {number}: {title}", (case,), partial(draw_loop, make)
    )


CONTROL_FIGURES = (
    _figure("5-3", "pitch corrected by feedback linearization", 50, attitude),
    _figure("5-4", "steps of slew angle and length", 53, stepped),
    _figure("5-4-stiff-joint", "the law takes the joint as stiff", 57, stepped_on_stiff_joint),
    _figure("5-5", "ramps of slew angle and length", 54, ramped),
    _figure("5-6", "a straight line under feedback linearization", 55, on_line),
    _figure("5-8", "regulator, tip excited", 45, partial(regulated, 50, 0.5)),
    _figure("5-9", "regulator, step of the slew angle", 46, partial(regulated, 60, 0.0)),
    _figure("5-10", "deployment and regulator at once", 47, combined),
)
