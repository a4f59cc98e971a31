"""Pictures of the closed loops: what is controlled, what vibrates, and what it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import radians
from pathlib import Path
from typing import Any

from eomc.runtime.trajectories import Component
from eomc.systems.flexible_manipulator.controlled import (
    ARM,
    ClosedLoop,
    closed_loop,
    feedback_linearization,
    plant,
)
from eomc.systems.flexible_manipulator.scenario import Motion, ramp, tip_values, turn
from eomc.systems.reference.caron.control import attitude, combined, regulated
from eomc.systems.reference.caron.scenarios import one_on_line
from eomc.systems.reference.reference import Figure

__all__ = ["CONTROL_FIGURES"]

_LEVEL = radians(-90)
"""Pitch of the platform along the local horizontal."""


def _led(base: float, angle: Motion, length: Motion, start: tuple[float, float]) -> ClosedLoop:
    """Feedback linearization leads the arm from `start` [rad, m] and holds the platform level."""
    model = plant(ARM)
    wanted = {"orbit_psi": _LEVEL, "alpha2": angle, "unit2_length": length}
    law = feedback_linearization(model, wanted, {"d2": base})
    places = {"orbit_psi": _LEVEL, "alpha2": start[0], "unit2_length": start[1]}
    return closed_loop(model, law, places, {"d2": base})


@cache
def stepped() -> ClosedLoop:
    """Figure 5-4: steps from 50 to 60 degrees and from 10 to 12 m."""
    return _led(30.0, radians(60), 12.0, (radians(50), 10.0))


@cache
def ramped() -> ClosedLoop:
    """Figure 5-5: ramps from 0 to 45 degrees and from 10 to 12 m."""
    return _led(30.0, turn(0, 45), ramp(10, 12, 0.01), (0.0, 10.0))


@cache
def on_line() -> ClosedLoop:
    """Figure 5-6: the tip follows a straight line."""
    path = one_on_line(0.01)
    angle, length = path(0.0).position
    return _led(0.0, Component(path, 0), Component(path, 1), (float(angle), float(length)))


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


def _history(run: ClosedLoop, name: str) -> Any:
    """In degrees or metres, a mode by the deflection of the tip."""
    if name.endswith("_y1"):
        return tip_values(ARM, name.removesuffix("_y1"))[0] * run[name]
    return run[name] if name == "unit2_length" else run.degrees(name)


def draw_loop(make: Callable[[], ClosedLoop], path: Path) -> None:
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


def _figure(number: str, title: str, case: int, make: Callable[[], ClosedLoop]) -> Figure:
    return Figure(
        f"figure-{number}", f"Figure {number}: {title}", (case,), partial(draw_loop, make)
    )


CONTROL_FIGURES = (
    _figure("5-3", "pitch corrected by feedback linearization", 50, attitude),
    _figure("5-4", "steps of slew angle and length", 50, stepped),
    _figure("5-5", "ramps of slew angle and length", 50, ramped),
    _figure("5-6", "a straight line under feedback linearization", 50, on_line),
    _figure("5-8", "regulator, tip excited", 45, partial(regulated, 50, 0.5)),
    _figure("5-9", "regulator, step of the slew angle", 46, partial(regulated, 60, 0.0)),
    _figure("5-10", "deployment and regulator at once", 47, combined),
)
