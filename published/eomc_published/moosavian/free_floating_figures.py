"""Pictures of free-floating control."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from eomc_published.moosavian.free_floating import followed_path, null_curve, tracked, undisturbed
from eomc_published.moosavian.unloading import unloaded
from eomc_published.work import Figure

_DPI = 130


def draw_base(path: Path) -> None:
    """Turn of the base under laws and on paths, joints of the paths, and wheels that unload."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(13, 4), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    runs = {
        "line of the tip (50)": tracked("ResolvedAcceleration")[0],
        "reaction null space (51)": undisturbed(),
        "straight path (52)": followed_path("straight"),
        "path of least reaction (52)": followed_path("least"),
    }
    for name, run in runs.items():
        left.plot(run.t, np.degrees(run["base_theta"]), label=name)
    for run in list(runs.values())[2:]:
        middle.plot(run["arm1_theta1"], run["arm1_theta2"])
    middle.plot(*null_curve().T, "k:", label="null curve")
    wheels = unloaded()
    right.plot(wheels.t, wheels.u[:, 6:])
    left.set_ylabel("turn of the base [deg]")
    middle.set_xlabel("theta 1 [rad]")
    middle.set_ylabel("theta 2 [rad]")
    right.set_ylabel("wheels [rad/s]")
    for axes in (left, right):
        axes.set_xlabel("time [s]")
    for axes in (left, middle):
        axes.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


FIGURES = (Figure("free-floating", "Free-floating control", (50, 51, 52, 53), draw_base),)
