"""Pictures of the crane, of its kinematics and of its rigid dynamics: figures 8.1 to 8.8."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

from eomc.binding.arrays import Array
from eomc.systems.truss_crane import maneuver
from eomc.systems.truss_crane.boom import BARS, DEPTH, NODES, OFFSET, boom_structure
from eomc_published.boutin.canvas import canvas, draw_panels, save
from eomc_published.boutin.compiled import GAIN, JACKS, instants, nominal, tables, two
from eomc_published.boutin.kinematics import column
from eomc_published.boutin.modes import shapes
from eomc_published.boutin.rigid import driven
from eomc_published.work import Figure

_RUNS = ((0.1, "C1:"), (0.01, "C2--"))


def _turned(angle: float, places: Any) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    result: Array = np.asarray(places, dtype=float) @ [[c, s], [-s, c]]
    return result


def _members(moved: Array | None = None) -> Iterator[tuple[str, Array]]:
    """Kind and ends (2, 2) of each bar of the boom, displaced."""
    places = np.array(list(NODES.values())) + (0 if moved is None else moved)
    for kind, pairs in BARS.items():
        for start, end in pairs:
            yield kind, places[[start - 1, end - 1]]


def _draw_crane(ax: Any, first: float, second: float) -> None:
    """Base bay, triangle and boom, turned by the angles of the first joint, and its actuators."""
    base: list[Any] = [
        [(-DEPTH, 0), (0, 0)],
        [(-DEPTH, 0), (-DEPTH, DEPTH)],
        [(-DEPTH, DEPTH), (0, 0)],
    ]
    triangle = _turned(first, [(0, 0), (-OFFSET, DEPTH), (OFFSET, DEPTH), (0, 0)])
    for line in base:
        ax.plot(*np.transpose(line), color="0.2", lw=1.6)
    colors = {"triangle": "C2", "actuator": "C3", "end batten": "C0"}
    for kind, line in _members():
        ax.plot(
            *_turned(first + second, line).T,
            color=colors.get(kind, "0.45"),
            lw=3 if kind == "end batten" else 1.2 if kind in colors else 0.8,
        )
    ax.plot(*triangle.T, color="C2", lw=1.4)
    head = _turned(first + second, [(DEPTH, DEPTH)])[0]
    for ends in ((np.array([-DEPTH, DEPTH]), triangle[1]), (triangle[2], head)):
        ax.plot(*np.transpose(ends), color="C3", lw=1.8)
    ax.plot(0, 0, "ko", ms=3)
    ax.set_aspect("equal")
    ax.grid(alpha=0.3)


def draw_crane(path: Path) -> None:
    """The crane at the start and at the end of the maneuver, and its first joint."""
    motion = nominal("two", instants(0.1))
    ends = [
        [float(column(two(), motion.q, name)[k]) for name in ("turn1", "turn2")] for k in (0, -1)
    ]
    figure = canvas(11, 6)
    grid = figure.add_gridspec(2, 2, width_ratios=(1, 4.2), height_ratios=(1, 2.6))
    after, far, near = (
        figure.add_subplot(grid[place]) for place in ((slice(None), 0), (0, 1), (1, 1))
    )
    _draw_crane(after, *ends[1])
    for ax in (far, near):
        _draw_crane(ax, *ends[0])
    near.set(
        xlim=(-6.5, 11.5),
        ylim=(-1, 7),
        xlabel="x [m]",
        ylabel="y [m]",
        title="the first joint: hinge, triangle and two actuators",
    )
    far.set(title="extended", ylabel="y [m]", ylim=(-2, 7))
    after.set(title="extended by 3.832 m", xlabel="x [m]", ylabel="y [m]", xlim=(-7, 8))
    for color, what in (("C3", "actuators"), ("C2", "triangles"), ("C0", "300 kg")):
        near.plot([], [], color=color, label=what)
    near.legend(fontsize="small", loc="upper right", ncols=3)
    save(figure, path)


def draw_maneuver(path: Path) -> None:
    """Extension, velocity and acceleration that are prescribed."""
    t = np.linspace(0, 20, 401)
    samples = [maneuver()(entry) for entry in t]
    parts = [
        [float(getattr(s, name)) for s in samples] for name in ("position", "rate", "acceleration")
    ]
    names = ("extension [m]", "velocity [m/s]", "acceleration [m/s²]")
    draw_panels(
        path, [(name, [(t, part, "C0-", "")]) for name, part in zip(names, parts, strict=True)]
    )


def draw_boom_angle(path: Path) -> None:
    """Absolute angle of the boom, rate and acceleration."""
    motion = nominal("two", instants(0.1))
    parts = [
        np.degrees(column(two(), values, "turn1") + column(two(), values, "turn2"))
        for values in (motion.q, motion.u, motion.a)
    ]
    names = ("angle [deg]", "rate [deg/s]", "acceleration [deg/s²]")
    draw_panels(
        path,
        [(name, [(motion.t, part, "C0-", "")]) for name, part in zip(names, parts, strict=True)],
    )


def draw_forces(path: Path) -> None:
    """Forces of the six actuators by inverse dynamics, in pairs."""
    motion = nominal("whole", instants(0.5))
    panels = []
    for first in (1, 3, 5):
        pair = [
            (motion.t, motion.force(f"jack{k}") / 1e3, style, f"actuator {k}")
            for k, style in ((first, "C0-"), (first + 1, "C1--"))
        ]
        panels.append(("force [kN]", pair))
    draw_panels(path, panels)


def _wanted(name: str, t: Any) -> Array:
    return np.array([float(getattr(maneuver()(entry), name)) for entry in t])


def draw_instability(path: Path) -> None:
    """Velocities of both actuators by tables of 0.1 s and of 0.01 s, without feedback."""
    t = np.linspace(0, 6, 301)
    panels = []
    for k, name in enumerate(JACKS, 1):
        lines = [(t, _wanted("rate", t), "k-", "prescribed")]
        for step, style in _RUNS:
            run = driven("two", step, 0.0, "DOP853", 10.0)
            lines.append((run.t, run[f"speed({name})"], style, f"table of {step:g} s"))
        panels.append((f"velocity {k} [m/s]", lines))
    draw_panels(path, panels)


def draw_energy(path: Path) -> None:
    """Kinetic energy of inverse dynamics, and what energies lack of the work by their largest."""
    motion = nominal("two", instants(0.01))
    kinetic, forces = _kinetic(motion.q, motion.u), [motion.force(name) for name in JACKS]
    largest = kinetic.max()
    lost = [
        (
            "k-",
            "inverse dynamics",
            motion.t,
            kinetic - _work(motion.t, motion.u, [CubicSpline(motion.t, f) for f in forces]),
        )
    ]
    for step, style in _RUNS:
        run, table = driven("two", step, 0.0, "DOP853", 10.0), tables("two", step)
        laws = [np.vectorize(table[name], otypes=[float]) for name in JACKS]
        lost.append(
            (
                style,
                f"table of {step:g} s",
                run.t,
                _kinetic(run.q, run.u) - _work(run.t, run.u, laws),
            )
        )
    figure = canvas(9, 5)
    top, below = figure.subplots(2, 1, sharex=True)
    top.plot(motion.t, kinetic / 1e3, "k-", lw=0.9)
    top.set_ylabel("kinetic energy [kJ]")
    for style, label, t, part in lost:
        below.semilogy(t, np.maximum(np.abs(part) / largest, 1e-16), style, lw=0.9, label=label)
    below.set(ylabel="|energy - work| / largest", xlabel="time [s]", ylim=(1e-16, 1e-6))
    below.legend(fontsize="small", loc="upper right")
    for ax in (top, below):
        ax.grid(alpha=0.3)
    save(figure, path)


def _kinetic(q: Array, u: Array) -> Array:
    model = two()
    return np.array([float(model.kinetic_energy(*state)) for state in zip(q, u, strict=True)])


def _work(t: Array, u: Array, laws: Sequence[Callable[[Array], Any]]) -> Array:
    """By Simpson's rule from record to record: forces of tables have corners there."""
    step, middle, power = np.diff(t), (t[1:] + t[:-1]) / 2, np.zeros(len(t) - 1)
    for name, law in zip(JACKS, laws, strict=True):
        rate = column(two(), u, name)
        ends = law(t) * rate
        power += (ends[1:] + ends[:-1] + 4 * law(middle) * CubicSpline(t, rate)(middle)) / 6
    return np.concatenate([[0.0], np.cumsum(step * power)])


def draw_added(path: Path) -> None:
    """Draw the forces that the PD law adds to those of the table, and the error that is left."""
    run, model = driven("two", 0.01, GAIN, "DOP853", 20.0), two()
    goal, rate = _wanted("position", run.t), _wanted("rate", run.t)
    panels = []
    for k, name in enumerate(JACKS, 1):
        error, slower = goal - run[name], rate - run.u[:, model.speeds.index(name)]
        panels.append((f"added force {k} [N]", [(run.t, GAIN * (error + slower), "C0-", "")]))
    panels.append(
        (
            "error [µm]",
            [
                (run.t, 1e6 * (run[name] - goal), style, f"extension {k}")
                for k, name, style in ((1, "jack1", "C0-"), (2, "jack2", "C1--"))
            ],
        )
    )
    draw_panels(path, panels)


def draw_supports(path: Path) -> None:
    """The boom with its supports, and its two lowest modes."""
    figure = canvas(10, 8.6)
    squares, moved = shapes(boom_structure(), 2)
    axes = figure.subplots(3, 1, sharex=True)
    for ax, mode in zip(axes, (None, 0, 1), strict=True):
        for _, line in _members():
            ax.plot(*line.T, color="0.75" if mode is not None else "0.35", lw=0.8)
        if mode is not None:
            size = 12 / np.abs(moved[..., mode]).max()
            for _, line in _members(size * moved[..., mode]):
                ax.plot(*line.T, color="C0", lw=0.9)
            ax.set_title(
                f"mode {mode + 1}: {np.sqrt(squares[mode]) / (2 * np.pi):.3f} Hz", fontsize="medium"
            )
        ax.plot(*NODES["1"], "k^", ms=9)
        ax.plot(*NODES["2"], "ko", ms=7, mfc="white")
        ax.set(aspect="equal", ylabel="y [m]", xlim=(-4, 96), ylim=(-8, 18))
        ax.grid(alpha=0.3)
    axes[0].plot([0, 8], [0, 8], "C3--", lw=1)
    axes[0].set_title("node 1 pinned, node 2 on a roller along the dashed line", fontsize="medium")
    axes[-1].set_xlabel("x [m]")
    save(figure, path)


FIGURES = (
    Figure("figure-8-1", "Figure 8.1: the crane extended and at the end", (7,), draw_crane),
    Figure("figure-8-2", "Figure 8.2: prescribed extension", (7,), draw_maneuver),
    Figure("figure-8-3", "Figure 8.3: angle of the boom", (7, 8), draw_boom_angle),
    Figure("figure-8-4", "Figure 8.4: forces of the actuators", (10, 11), draw_forces),
    Figure("figure-8-5", "Figure 8.5: open loop diverges", (14,), draw_instability),
    Figure("figure-8-6", "Figure 8.6: energy and work", (12, 14), draw_energy),
    Figure("figure-8-7", "Figure 8.7: forces that a PD law adds", (16,), draw_added),
    Figure("figure-8-8", "Figure 8.8: supports and modes of the boom", (2, 3), draw_supports),
)
