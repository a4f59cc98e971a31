"""Pictures of the cases of vibration control."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from eomc.runtime.record.trajectory import Trajectory
from eomc.systems.reference.boutin.control_runs import law, run
from eomc.systems.reference.reference import Figure
from eomc.systems.truss_crane.crane import DURATION

_DPI = 130


def draw_rates(actuators: int, begin: float, modes: tuple[int, ...], path: Path) -> None:
    """Rates of two modes after the maneuver, with vibration control and without."""
    from matplotlib.figure import Figure as Canvas

    count = 4 if max(modes) > 2 else 2
    figure = Canvas(figsize=(9, 5), layout="constrained")
    for ax, mode in zip(figure.subplots(len(modes), 1, sharex=True), modes, strict=True):
        for start, style in ((np.inf, "C7:"), (begin, "C0-")):
            found = run(actuators, start, count)
            rows = found.t >= DURATION - 2
            text = "without" if start == np.inf else f"with control from {begin:g} s on"
            ax.plot(found.t[rows], found[f"speed(boom_e{mode})"][rows], style, lw=0.8, label=text)
        ax.set_ylabel(f"$\\dot b_{mode}$")
        ax.grid(alpha=0.3)
    ax.set_xlabel("time [s]")
    ax.legend(fontsize="small", loc="upper right")
    figure.savefig(path, dpi=_DPI)


def draw_forces(path: Path) -> None:
    """The force that the vibration control adds, from 20 s on and from the start."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(9, 5), layout="constrained")
    for ax, begin in zip(figure.subplots(2, 1), (DURATION, 0.0), strict=True):
        found = run(1, begin)
        ax.plot(found.t, _added(found, begin), lw=0.8)
        ax.set_ylabel("force [N]")
        ax.set_title(f"from {begin:g} s on", fontsize="medium")
        ax.grid(alpha=0.3)
    ax.set_xlabel("time [s]")
    figure.savefig(path, dpi=_DPI)


def _added(found: Trajectory, begin: float) -> list[float]:
    control = law(1, begin)
    states = zip(found.t, found.q, found.u, strict=True)
    return [float(control.forces(t, control.plant.state(q, u))[1][0]) for t, q, u in states]


FIGURES = (
    Figure("figure-8-13", "Figure 8.13: control from 20 s on, two actuators", (31,),
           partial(draw_rates, 2, DURATION, (1, 2))),
    Figure("figure-8-14", "Figure 8.14: control from the start, two actuators", (32,),
           partial(draw_rates, 2, 0.0, (1, 2))),
    Figure("figure-8-17", "Figure 8.17: force of the vibration control", (30, 32), draw_forces),
    Figure("figure-8-20a", "Figure 8.20a: control from 20 s on, one actuator", (30,),
           partial(draw_rates, 1, DURATION, (1, 2))),
    Figure("figure-8-20b", "Figure 8.20b: modes that the control does not know", (33,),
           partial(draw_rates, 1, DURATION, (3, 4))),
    Figure("figure-8-21a", "Figure 8.21a: control from the start, one actuator", (32,),
           partial(draw_rates, 1, 0.0, (1, 2))),
)  # fmt: skip
