"""Pictures of the runs: pitch, deformations and the path of the end-effector, as in the thesis."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eomc.derive.shapes import clamped_free, free_free
from eomc.systems.flexible_manipulator.data import EARTH_RADIUS
from eomc.systems.flexible_manipulator.scenario import ORBIT, Response
from eomc_published.caron.chan import LINK_LENGTH, slewing
from eomc_published.caron.energy import orbiting
from eomc_published.caron.scenarios import FIGURES as RUNS
from eomc_published.caron.scenarios import response
from eomc_published.caron.two_units import chan
from eomc_published.work import Figure

_DPI = 130


def _canvas(width: float, height: float) -> Any:
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), layout="constrained")


def draw_runs(runs: dict[str, str], path: Path) -> None:
    """Time histories of several runs (label -> name), one line each."""
    found = {label: response(name) for label, name in runs.items()}
    first = next(iter(found.values()))
    panels = _panels(first)
    moves = any(len(set(np.round(run.end[:, 0], 3))) > 1 for run in found.values())
    count = len(panels) + moves
    rows = -(-count // 2)
    figure = _canvas(11, 2.2 * rows + 0.5)
    axes = figure.subplots(rows, 2, squeeze=False).ravel()
    for ax, (title, history) in zip(axes, panels, strict=False):
        for label, run in found.items():
            ax.plot(run.t, history(run), label=label, linewidth=0.8)
        ax.set_ylabel(title)
        ax.set_xlabel("orbits")
    if moves:
        ax = axes[len(panels)]
        for label, run in found.items():
            ax.plot(*run.end.T, label=label, linewidth=0.8)
        ax.set_xlabel("end-effector along the platform [m]")
        ax.set_ylabel("across [m]")
        ax.set_aspect("equal", adjustable="datalim")
    for ax in axes[count:]:
        ax.set_axis_off()
    if len(found) > 1:
        axes[0].legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def _panels(run: Response) -> list[tuple[str, Callable[[Response], Any]]]:
    arm = run.scenario.manipulator
    panels: list[tuple[str, Callable[[Response], Any]]] = [
        ("pitch [deg]", lambda run: run.pitch),
        ("platform tip e2 [m]", lambda run: run.e(2)),
    ]
    joints = [(f"joint beta{i} [deg]", partial(Response.beta, i=i)) for i in arm.numbers]
    tips = [(f"unit tip e{i + 1} [m]", partial(Response.e, i=i + 1)) for i in arm.numbers]
    return [*panels, *joints, *(tips if arm.flexible_units else ())]


def draw_shapes(path: Path) -> None:
    """The first four shapes of the platform, and of a unit for payload ratios 0, 1 and 5."""
    figure = _canvas(11, 4)
    left, right = figure.subplots(1, 2)
    s = np.linspace(0, 1, 201)
    for j in range(1, 5):
        left.plot(s - 0.5, free_free(j).value(s), label=f"j = {j}")
        for ratio, style in ((0.0, "-"), (1.0, "--"), (5.0, ":")):
            shape = clamped_free(j, ratio)
            right.plot(s, shape.value(s), style, color=f"C{j - 1}")
    left.set_title("platform: free-free")
    right.set_title("units: clamped, tip mass 0 (solid), 1, 5 (dotted) times the beam's")
    left.set_xlabel("x / l")
    right.set_xlabel("x / l")
    left.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_orbit(path: Path) -> None:
    """Five rigid bodies for one orbit: altitude, pitch, hinges, variation of the energy."""
    run, period = orbiting()
    energy = run["kinetic_energy"] + run["potential_energy"]
    hinges = [np.degrees(run[f"beta{i}"]) for i in range(2, 6)]
    figure = _canvas(11, 5)
    axes = figure.subplots(2, 2).ravel()
    for ax, (title, histories) in zip(
        axes,
        (
            ("altitude [km]", [(run["orbit_r"] - EARTH_RADIUS) / 1e3]),
            ("pitch [deg]", [np.degrees(run["orbit_psi"])]),
            ("hinges beta2 to beta5 [deg]", hinges),
            ("variation of the energy [%]", [100 * (energy / energy[0] - 1)]),
        ),
        strict=True,
    ):
        for history in histories:
            ax.plot(run.t / period, history, linewidth=0.8)
        ax.set_ylabel(title)
        ax.set_xlabel("orbits")
    figure.savefig(path, dpi=_DPI)


def draw_chan(path: Path) -> None:
    """Joints and tips of Chan's two links."""
    figure = _canvas(11, 4.9)
    t = slewing().t / ORBIT
    for ax, (name, history) in zip(figure.subplots(2, 2).ravel(), chan().items(), strict=True):
        ax.plot(t, history, linewidth=0.8)
        ax.set_ylabel(f"{name} [{'m' if name.startswith('e') else 'deg'}]")
        ax.set_xlabel("orbits")
    figure.savefig(path, dpi=_DPI)


def draw_chan_at(path: Path) -> None:
    """The arm at the start, half way and at the end of its maneuver: link 1 upright."""
    figure = _canvas(5, 4)
    ax = figure.subplots()
    ax.plot([-57.5, 57.5], [0, 0], color="black", linewidth=3)
    for outer in (90, 180, 270):
        tip = LINK_LENGTH * np.array([np.cos(np.radians(outer)), np.sin(np.radians(outer))])
        ax.plot([0, 0, tip[0]], [0, LINK_LENGTH, LINK_LENGTH + tip[1]], "o-", label=f"{outer - 90}")
    ax.set_xlim(-20, 20)
    ax.set_aspect("equal")
    ax.legend(title="alpha3 [deg]", fontsize="small")
    figure.savefig(path, dpi=_DPI)


def _of(prefix: str) -> dict[str, str]:
    """Runs whose names start with the number of a figure, by what follows it."""
    return {
        name.removeprefix(prefix).strip() or prefix: name
        for name in RUNS
        if name == prefix or name.startswith(f"{prefix} ")
    }


def _figure(number: str, title: str, cases: tuple[int, ...], runs: dict[str, str]) -> Figure:
    name = "figure-" + number
    return Figure(name, f"Figure {number}: {title}", cases, partial(draw_runs, runs))


FIGURES = (
    Figure("figure-2-2", "Figure 2-2: assumed modes", (1, 2, 3), draw_shapes),
    Figure("figure-3-2", "Figure 3-2: five rigid bodies", (12,), draw_orbit),
    _figure("3-3", "five flexible units", (13,), {"3-3": "3-3"}),
    Figure("figure-3-4", "Figure 3-4: Chan's arm of two links", (52,), draw_chan_at),
    Figure("figure-3-5", "Figure 3-5: Chan's arm, half a turn of the outer link", (52,), draw_chan),
    _figure("4-2", "platform excited", (20, 21), {"4-2": "4-2"}),
    _figure("4-3", "link excited", (22,), {"4-3": "4-3"}),
    _figure("4-4", "link excited, damped", (22,), {"4-4": "4-4", "undamped": "4-3"}),
    _figure("4-5", "joint excited", (23,), {"4-5": "4-5"}),
    _figure("4-6", "rigid links, soft and stiff joint", (24,), {"soft": "4-6a", "stiff": "4-6b"}),
    _figure("4-7", "slews from three places", (25, 26), _of("4-7")),
    _figure("4-8", "payload ratios", (27,), _of("4-8")),
    _figure("4-9", "numbers of modes", (28,), _of("4-9")),
    _figure("4-10", "deployment and retrieval", (29,), {"4-10": "4-10"}),
    _figure("4-11", "slew and deployment", (30,), _of("4-11")),
    _figure("4-12", "slew and deployment, numbers of modes", (56,), _of("4-12")),
    _figure("4-13", "base, slew and length at once", (31,), {"4-13": "4-13"}),
    _figure("4-14", "a straight line by one unit", (32,), {"4-14": "4-14"}),
    _figure("4-15", "two units, platform excited", (33,), {"4-15": "4-15"}),
    _figure("4-16", "shapes without tip mass", (34,), {"tip mass": "4-15", "without": "4-16"}),
    _figure("4-17", "unfolding", (35,), {"4-17": "4-17"}),
    _figure("4-18", "unfolding and deploying", (36,), {"4-18": "4-18"}),
    _figure("4-19", "along the platform", (37,), {"4-19": "4-19"}),
    _figure("4-20", "a straight line by two units", (38,), {"4-20": "4-20"}),
    _figure("4-21", "three units unfold and deploy", (39,), {"4-21": "4-21"}),
    _figure("4-22", "the last of four units turns", (40,), {"4-22": "4-22"}),
    _figure("4-23", "a straight line by four units", (41,), {"4-23": "4-23"}),
    _figure("4-24", "base of five units moves", (42,), {"4-24": "4-24"}),
)
