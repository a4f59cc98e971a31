"""Pictures of flexible dynamics: figures 8.9 to 8.12, 8.15, 8.16, 8.18, 8.19, 8.21b and 8.22."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from eomc.runtime.record.trajectory import Trajectory
from eomc.systems.truss_crane import maneuver
from eomc.systems.truss_crane.crane import DURATION
from eomc_published.boutin.actuators import imposed_forces
from eomc_published.boutin.canvas import Line, draw_panels
from eomc_published.boutin.compiled import GAIN
from eomc_published.boutin.flexible import PIVOT_GAIN, driven, imposed, pivoted
from eomc_published.work import Figure

_BOOM = ("boom_e1", "boom_e2")


def _states(runs: Iterable[tuple[str, str, Trajectory]]) -> list[tuple[str, list[Line]]]:
    """Panels of both amplitudes and their rates, of runs (label, style, run)."""
    kept = list(runs)
    return [
        (
            f"$\\dot b_{k}$" if rate else f"$b_{k}$",
            [
                (run.t, run[f"speed({name})" if rate else name], style, label)
                for label, style, run in kept
            ],
        )
        for k, name in enumerate(_BOOM, 1)
        for rate in (False, True)
    ]


def _extensions(run: Trajectory, name: str) -> list[tuple[str, list[Line]]]:
    """Panels of the extension and its velocity beside the prescribed ones, and of the error."""
    path, t = maneuver(), run.t
    wanted = [
        np.array([float(getattr(path(entry), part)) for entry in t])
        for part in ("position", "rate")
    ]
    found = run[name], run[f"speed({name})"]
    panels: list[tuple[str, list[Line]]] = [
        (title, [(t, found[k], "C0-", "forward dynamics"), (t, wanted[k], "k:", "prescribed")])
        for k, title in enumerate(("extension [m]", "velocity [m/s]"))
    ]
    error = 1e3 * (found[0] - wanted[0])
    return [*panels, ("extension - prescribed [mm]", [(t, error, "C3-", "")])]


def _controlled() -> Trajectory:
    return driven("two", GAIN)


def draw_first(path: Path) -> None:
    """Actuator 1, flexible, with PD control."""
    draw_panels(path, _extensions(_controlled(), "jack1"))


def draw_second(path: Path) -> None:
    """Actuator 2, flexible, with PD control."""
    draw_panels(path, _extensions(_controlled(), "jack2"))


def draw_vibration(path: Path) -> None:
    """Amplitudes and rates of both modes, with PD control."""
    draw_panels(path, _states([("", "C0-", _controlled())]), columns=2)


def draw_pivoting(path: Path) -> None:
    """The boom on a hinge, without control and with it."""
    runs = [("no control", "C1-", pivoted(0.0)), ("PD", "C0-", pivoted(PIVOT_GAIN))]
    draw_panels(path, _states(runs), columns=2)


def draw_prescribed_forces(path: Path) -> None:
    """Forces on both extensions, which are prescribed, as the boom vibrates."""
    t, forces = imposed().t, imposed_forces()
    draw_panels(
        path,
        [(f"force {k} [kN]", [(t, force / 1e3, "C0-", "")]) for k, force in enumerate(forces.T, 1)],
    )


def draw_prescribed(path: Path) -> None:
    """Amplitudes and rates where extensions are prescribed."""
    draw_panels(path, _states([("", "C0-", imposed())]), columns=2)


def draw_single(path: Path) -> None:
    """The extension of one actuator without control."""
    draw_panels(path, _extensions(driven("single"), "jack2"))


def draw_single_vibration(path: Path) -> None:
    """Amplitudes and rates of the crane with one actuator without control."""
    draw_panels(path, _states([("", "C0-", driven("single"))]), columns=2)


def _rates(runs: Iterable[tuple[str, str, Trajectory]]) -> list[tuple[str, list[Line]]]:
    """Panels of the rates from 2 s before the end of the maneuver on."""
    kept = [(label, style, run, run.t >= DURATION - 2) for label, style, run in runs]
    return [
        (
            f"$\\dot b_{k}$",
            [
                (run.t[late], run[f"speed({name})"][late], style, label)
                for label, style, run, late in kept
            ],
        )
        for k, name in enumerate(_BOOM, 1)
    ]


def draw_single_controlled(path: Path) -> None:
    """One actuator, with PD control and without."""
    runs = [("no control", "C7:", driven("single")), ("PD", "C0-", driven("single", GAIN))]
    draw_panels(path, _rates(runs))


def draw_structural(path: Path) -> None:
    """One actuator, two structural dampings."""
    runs = [
        (f"$\\nu$ = {nu:g} s", style, driven("single", retardation=nu))
        for nu, style in ((0.0, "C7:"), (0.00024, "C1-"), (0.0012, "C0-"))
    ]
    draw_panels(path, _rates(runs))


FIGURES = (
    Figure("figure-8-9", "Figure 8.9: extension of actuator 1", (18,), draw_first),
    Figure("figure-8-10", "Figure 8.10: extension of actuator 2", (18,), draw_second),
    Figure("figure-8-11", "Figure 8.11: vibration with PD control", (18, 19, 24), draw_vibration),
    Figure("figure-8-12", "Figure 8.12: the boom on a hinge", (24,), draw_pivoting),
    Figure(
        "figure-8-15", "Figure 8.15: forces on prescribed extensions", (40,), draw_prescribed_forces
    ),
    Figure(
        "figure-8-16", "Figure 8.16: vibration at prescribed extensions", (23,), draw_prescribed
    ),
    Figure("figure-8-18", "Figure 8.18: extension, one actuator", (21,), draw_single),
    Figure("figure-8-19", "Figure 8.19: vibration, one actuator", (21, 22), draw_single_vibration),
    Figure("figure-8-21b", "Figure 8.21b: PD control, one actuator", (24,), draw_single_controlled),
    Figure("figure-8-22", "Figure 8.22: structural damping", (25, 26), draw_structural),
)
