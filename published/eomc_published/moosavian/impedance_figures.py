"""Pictures of the cases of impedance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from eomc_published.moosavian.cooperative import manipulation
from eomc_published.moosavian.impedance_contact import VARIANTS, touching
from eomc_published.moosavian.impedance_linear import LAWS, locus
from eomc_published.moosavian.own_impedances import OWN, cooperative_run, turn, wall_force
from eomc_published.work import Figure

_DPI = 130


def _axes(width: float, height: float, columns: int) -> tuple[Any, Any]:
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(width, height), layout="constrained")
    axes = figure.subplots(1, columns)
    for ax in axes:
        ax.grid(alpha=0.3)
        ax.set_xlabel("time [s]")
    return figure, axes


def draw_loci(path: Path) -> None:
    """Poles along the stiffness of the grasp, b2 = 10, without contact."""
    figure, axes = _axes(11, 4.5, 2)
    for ax, (law, name) in zip(axes, LAWS.items(), strict=True):
        poles = locus(law, {"b2": 10.0, "k_w": 0.0}).ravel()
        grow = poles.real > 0
        ax.plot(poles[~grow].real, poles[~grow].imag, ".", markersize=2)
        ax.plot(poles[grow].real, poles[grow].imag, "C3.", markersize=4)
        ax.axvline(0.0, color="0.5", linestyle="--", linewidth=0.8)
        ax.set_xlim(-30, 5)
        ax.set_ylim(-200, 200)
        ax.set_title(name)
        ax.set_xlabel("Re [1/s]")
    axes[0].set_ylabel("Im [rad/s]")
    figure.savefig(path, dpi=_DPI)


def draw_wall(path: Path) -> None:
    """Forces of contact under both laws."""
    figure, axes = _axes(11, 4, 2)
    for ax, name, found in zip(
        axes, LAWS.values(), (touching("MIC", 25.0), touching("OIC", 60.0)), strict=True
    ):
        rows = found.run.t <= 15.0
        ax.plot(found.run.t[rows], found.force[rows], linewidth=0.8)
        ax.set_title(name)
    axes[0].set_ylabel("force of the contact [N]")
    figure.savefig(path, dpi=_DPI)


def draw_variants(path: Path) -> None:
    """Forces of contact of the runs with other gains, data and limits."""
    from matplotlib.figure import Figure as Canvas

    figure = Canvas(figsize=(13, 9), layout="constrained")
    axes = figure.subplots(3, 3).ravel()
    for ax, (name, law, duration, data, _, _) in zip(axes, VARIANTS, strict=True):
        found = touching(law, duration, **data)
        ax.plot(found.run.t, found.force, linewidth=0.8)
        told = ", ".join(f"{key} = {value:g}" for key, value in data.items())
        ax.set_title(f"{name}: {law}, {told}", fontsize="small")
        ax.grid(alpha=0.3)
    for ax in axes[6:]:
        ax.set_xlabel("time [s]")
    for ax in axes[::3]:
        ax.set_ylabel("force of the contact [N]")
    figure.savefig(path, dpi=_DPI)


def draw_two_arms(path: Path) -> None:
    """Errors of the object, force of contact and its estimate."""
    found = manipulation()
    t = found.run.t
    figure, (left, right) = _axes(11, 4, 2)
    left.plot(t, 1 - np.exp(-t) - found.center[:, 0], label="e_x [m]")
    left.plot(t, 0.5 - found.center[:, 1], label="e_y [m]")
    theta = found.run["q11"] + found.run["q12"] + found.run["pivot"]
    left.plot(t, -theta, label="e_theta [rad]")
    left.legend(fontsize="small")
    near = (t > 1.0) & (t < 2.0)
    right.plot(t[near], found.force[near], label="contact")
    rows = (found.estimate[:, 0] > 1.0) & (found.estimate[:, 0] < 2.0)
    right.plot(*found.estimate[rows, :2].T, "--", label="estimate")
    right.set_ylabel("f_c,x [N]")
    right.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_own_impedances(path: Path) -> None:
    """Turn of the object and force of the contact under laws that are not alike for all."""
    figure, (left, right) = _axes(11, 4, 2)
    for name in (*OWN, "modified transpose Jacobian"):
        run = cooperative_run(name)
        rows = run.t <= 6.0
        left.plot(run.t[rows], turn(run)[rows], label=name)
        right.plot(run.t[rows], wall_force(run)[rows])
    left.set_ylabel("turn of the object [rad]")
    right.set_ylabel("force of the contact [N]")
    left.legend(fontsize="x-small")
    figure.savefig(path, dpi=_DPI)


FIGURES = (
    Figure("root-loci", "Poles along the stiffness of the grasp", (41,), draw_loci),
    Figure("wall", "Three masses at the wall", (42,), draw_wall),
    Figure(
        "wall-variants",
        "Three masses at the wall, other data (figures D.1 to D.9)",
        (43,),
        draw_variants,
    ),
    Figure("two-arms", "Two arms move an object to a wall", (44, 45), draw_two_arms),
    Figure(
        "own-impedances",
        "Two arms with impedances that differ, and without dynamics",
        (54, 55),
        draw_own_impedances,
    ),
)
