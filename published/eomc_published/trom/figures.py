"""Pictures of the reproduced cases."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from eomc.runtime.linearization import linearize, unreduced_eigenvalues
from eomc.runtime.linearization.spectrum import Spectrum
from eomc.runtime.plot.linear_models import plot_mode_shape, plot_root_locus
from eomc_published.trom.chain import FREQUENCIES, simulated
from eomc_published.trom.eigenvectors import drawn
from eomc_published.trom.eigenvectors import modes as modes_of_truck
from eomc_published.trom.functions_of_time import SYSTEMS
from eomc_published.trom.functions_of_time import simulated as simulated_function
from eomc_published.trom.models import (
    car,
    car_at_rest,
    five_axles,
    five_axles_turning,
    seven,
    slider,
    truck,
    truck_turning,
)
from eomc_published.trom.suspensions import frequencies, model_of
from eomc_published.trom.suspensions import simulated as simulated_suspension
from eomc_published.trom.truck import COORDINATES, TABLE
from eomc_published.work import Figure

_DPI = 130


def _figure(width: float, height: float) -> Any:
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), layout="constrained")


def _spectrum(ax: Any, found: Spectrum, names: tuple[str, ...], eigenvalues: Any) -> None:
    for name, column in zip(names, found.amplitude.T, strict=True):
        if column.max() > 1e-8:
            ax.semilogy(found.frequency, np.maximum(column, 1e-9), lw=0.9, label=name)
    for k, frequency in enumerate(eigenvalues):
        ax.axvline(frequency, color="0.4", ls="--", lw=0.7, label=None if k else "eigenfrequency")
    ax.set_xlabel("frequency [Hz]")
    ax.set_ylabel("amplitude")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="x-small", ncols=2)


def draw_chain(path: Path) -> None:
    """Spectra of the chain's run, and its eigenfrequencies."""
    figure = _figure(9, 5)
    ax = figure.subplots()
    _spectrum(ax, simulated(), seven().coordinates, FREQUENCIES)
    ax.set_xlim(0.1, 2.0)
    ax.set_title("Chain of seven coordinates: 200 s at 5 Hz (table 3.6)")
    figure.savefig(path, dpi=_DPI)


def draw_suspensions(path: Path) -> None:
    """Spectra of strut and twist axle."""
    figure = _figure(11, 4.5)
    for ax, name in zip(figure.subplots(1, 2), ("strut", "twist axle"), strict=True):
        found = simulated_suspension(name)
        _spectrum(ax, found, model_of(name).coordinates, frequencies(name))
        ax.set_xlim(8, 14)
        ax.set_title(f"{name} (table 4.2)")
    figure.savefig(path, dpi=_DPI)


def draw_eigenvectors(path: Path) -> None:
    """Magnitudes and phases of modes of the semitrailer, coordinates in the thesis's order."""
    modes = modes_of_truck()
    order = [modes.coordinates.index(name) for name in COORDINATES]
    rows = replace(modes.model, basis=modes.model.basis[order])
    shown = replace(modes, coordinates=COORDINATES, model=rows)
    figure = _figure(17, 11)
    for ax, (number, mode) in zip(figure.subplots(3, 3).ravel(), drawn().items(), strict=True):
        plot_mode_shape(shown, mode, ax)
        title = f"eigenvalue {number}: {modes.eigenvalues[mode]:.2f}"
        ax.set_title(title, loc="left", fontsize="small")
    figure.suptitle("Tractor semitrailer in a steady turn of 0.25 g (figures 5.4 to 5.12)")
    figure.savefig(path, dpi=_DPI)


def draw_eigenvalues(path: Path) -> None:
    """Eigenvalues of the semitrailer beside the thesis's, and of the planar truck both ways."""
    figure = _figure(11, 5)
    left, right = figure.subplots(1, 2)
    own = linearize(five_axles(), five_axles_turning()).modes().eigenvalues
    printed = np.array(TABLE)
    left.plot(own.real, np.abs(own.imag), "o", mfc="none", label="here, own data")
    left.plot(printed[:, 0], printed[:, 1], "x", label="table 5.2, data lost")
    left.set_title("Tractor semitrailer")
    for frame, mark in (("inertial", "o"), ("body", "x")):
        values = linearize(truck(frame), truck_turning(frame)).modes().eigenvalues
        name = "inertial, frozen" if frame == "inertial" else "body axes, constant"
        right.plot(values.real, values.imag, mark, mfc="none", label=name)
    right.set_title("Planar truck")
    for ax in (left, right):
        ax.set_xlabel("Re [1/s]")
        ax.set_ylabel("Im [rad/s]")
        ax.grid(alpha=0.3)
        ax.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_locus(path: Path) -> None:
    """Eigenvalues of the slider-pendulum over its damper."""
    model = slider(20.0)
    values = np.linspace(0, 120, 61)
    rows = [linearize(model, parameters={"c": float(c)}).modes().eigenvalues for c in values]
    figure = _figure(7, 5)
    plot_root_locus("c", values, rows, figure.subplots())
    figure.savefig(path, dpi=_DPI)


def draw_functions_of_time(path: Path) -> None:
    """Runs of what constraints move as functions of time, on their closed forms."""
    figure = _figure(8, 5)
    ax = figure.subplots()
    for moved in SYSTEMS[:-1]:
        run = simulated_function(moved)
        (line,) = ax.plot(run.t, run[moved.follows], label=moved.name)
        ax.plot(run.t[::4], moved.of_motion(run.t[::4]), "o", mfc="none", color=line.get_color())
    ax.set_xlabel("t [s]")
    ax.set_ylabel("[m, rad]")
    ax.set_title("Constraints as functions of time (table 2.5); circles: closed forms")
    ax.grid(alpha=0.3)
    ax.legend(fontsize="small")
    figure.savefig(path, dpi=_DPI)


def draw_car(path: Path) -> None:
    """Eigenvalues of the passenger car both ways."""
    figure = _figure(7, 5)
    ax = figure.subplots()
    reduced = linearize(car(), car_at_rest()).modes().eigenvalues
    unreduced = unreduced_eigenvalues(car(), car_at_rest())
    ax.plot(reduced.real, reduced.imag, "o", mfc="none", label="QR, 20 states")
    ax.plot(unreduced.real, unreduced.imag, "x", label="QZ, 77 unknowns")
    ax.set_xlabel("Re [1/s]")
    ax.set_ylabel("Im [rad/s]")
    ax.grid(alpha=0.3)
    ax.legend()
    figure.savefig(path, dpi=_DPI)


FIGURES = (
    Figure("chain_spectra", "Spectra of the chain and its eigenfrequencies", (21,), draw_chain),
    Figure("suspension_spectra", "Spectra of the suspensions", (42,), draw_suspensions),
    Figure("eigenvectors", "Eigenvectors of the semitrailer", (34, 45), draw_eigenvectors),
    Figure("eigenvalues", "Eigenvalues of the trucks", (31, 32, 34), draw_eigenvalues),
    Figure("functions_of_time", "Table 2.5: closed forms", (43,), draw_functions_of_time),
    Figure("car", "Eigenvalues of the passenger car by QR and by QZ", (44,), draw_car),
    Figure("root_locus", "Slider-pendulum over its damper", (5, 35), draw_locus),
)
