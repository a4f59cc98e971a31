"""Pictures of the cases of vibration control."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from eomc.runtime.record.trajectory import Trajectory
from eomc.systems.truss_crane.crane import DURATION
from eomc_published.boutin.canvas import Line, draw_panels
from eomc_published.boutin.control_runs import law, rigid, run
from eomc_published.work import Figure


def draw_rates(actuators: int, begin: float, modes: tuple[int, ...], path: Path) -> None:
    """Rates of two modes after the maneuver, with vibration control and without."""
    count = 4 if max(modes) > 2 else 2
    panels: list[tuple[str, list[Line]]] = []
    for mode in modes:
        lines: list[Line] = []
        for start, style in ((np.inf, "C7:"), (begin, "C0-")):
            found = run(actuators, start, count)
            late = found.t >= DURATION - (2 if begin == 0 else 0)
            text = "without" if start == np.inf else f"with control from {begin:g} s on"
            lines.append((found.t[late], found[f"speed(boom_e{mode})"][late], style, text))
        panels.append((f"$\\dot b_{mode}$", lines))
    draw_panels(path, panels)


def draw_forces(path: Path) -> None:
    """The force of the maneuver, and what the vibration control adds, from 20 s on and from the
    start."""
    slow = rigid(1)
    panels: list[tuple[str, list[Line]]] = [
        ("nominal force [kN]", [(slow.times, slow.forces[:, 0] / 1e3, "k-", "")])
    ]
    for begin in (DURATION, 0.0):
        found = run(1, begin)
        text = f"control from {begin:g} s on"
        panels.append(("added force [N]", [(found.t, _added(found, begin), "C0-", text)]))
    draw_panels(path, panels)


def _added(found: Trajectory, begin: float) -> list[float]:
    control = law(1, begin)
    states = zip(found.t, found.q, found.u, strict=True)
    return [float(control.forces(t, control.plant.state(q, u))[1][0]) for t, q, u in states]


FIGURES = (
    Figure(
        "figure-8-13a",
        "Figure 8.13a: control from 20 s on, two actuators",
        (31,),
        partial(draw_rates, 2, DURATION, (1, 2)),
    ),
    Figure(
        "figure-8-13b",
        "Figure 8.13b: modes that the control does not know, two actuators",
        (31,),
        partial(draw_rates, 2, DURATION, (3, 4)),
    ),
    Figure(
        "figure-8-14",
        "Figure 8.14: control from the start, two actuators",
        (32,),
        partial(draw_rates, 2, 0.0, (1, 2)),
    ),
    Figure("figure-8-17", "Figure 8.17: forces of maneuver and control", (30, 32), draw_forces),
    Figure(
        "figure-8-20a",
        "Figure 8.20a: control from 20 s on, one actuator",
        (30,),
        partial(draw_rates, 1, DURATION, (1, 2)),
    ),
    Figure(
        "figure-8-20b",
        "Figure 8.20b: modes that the control does not know",
        (33,),
        partial(draw_rates, 1, DURATION, (3, 4)),
    ),
    Figure(
        "figure-8-21a",
        "Figure 8.21a: control from the start, one actuator",
        (32,),
        partial(draw_rates, 1, 0.0, (1, 2)),
    ),
)
