"""Figures 5.5 to 5.14 of the thesis: runs of the variants, of the strut and of the manipulator."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.systems.tensegrity.manipulator import HEIGHT
from eomc_published.tensegrity.control import tracked
from eomc_published.tensegrity.manipulator import hub, tip
from eomc_published.tensegrity.manipulator_control import horizontal, settled, vertical
from eomc_published.tensegrity.massive_ends import END_MASS, deviation, simulated
from eomc_published.tensegrity.single_strut_tree import VARIANTS, histories
from eomc_published.tensegrity.splines import swing
from eomc_published.work import Figure

_STRUT = ("phi [rad]", "psi [rad]")
_STRAINS = tuple(f"strain {i}" for i in (1, 2, 3))
Panel = tuple[str, dict[str, Array]]


def _draw(path: Path, t: Array, panels: list[Panel]) -> None:
    """One axes a panel, each with a label for its vertical axis and named histories."""
    from matplotlib.figure import Figure as Canvas

    rows = -(-len(panels) // 2)
    figure = Canvas(figsize=(10, 2.6 * rows + 0.5), layout="constrained")
    axes = figure.subplots(rows, 2, squeeze=False).ravel()
    for ax, (label, lines) in zip(axes, panels, strict=False):
        for name, values in lines.items():
            ax.plot(t, values, linewidth=0.8, label=name)
        ax.set_ylabel(label)
        ax.set_xlabel("t [s]")
        ax.grid(alpha=0.3)
        if len(lines) > 1:
            ax.legend(fontsize="x-small")
    for ax in axes[len(panels) :]:
        ax.set_axis_off()
    figure.savefig(path, dpi=130)


def _each(labels: tuple[str, ...], rows: Any) -> list[Panel]:
    return [(label, {"": row}) for label, row in zip(labels, rows, strict=True)]


def draw_reference(path: Path) -> None:
    """Angles of the strut with strains as coordinates."""
    t, found = histories("strain")
    _draw(path, t, _each(_STRUT, found[:2]))


def draw_variants(path: Path) -> None:
    """Deviations of the other variants."""
    t, reference = histories("strain")
    apart = {variant: histories(variant)[1] - reference for variant in VARIANTS[1:]}
    labels = (*_STRUT, *_STRAINS)
    panels = [
        (f"d {label}", {name: rows[k] for name, rows in apart.items()})
        for k, label in enumerate(labels)
    ]
    _draw(path, t, panels)


def draw_composed(path: Path) -> None:
    """Deviations of ends with mass, on stock joints and on the own kind."""
    found = {name: deviation(name, END_MASS) for name in ("composed", "length")}
    panels = [
        (f"d {name}", {kind: rows[name] for kind, rows in found.items()})
        for name in ("phi", "psi", "unwound1_length", "unwound2_length")
    ]
    _draw(path, simulated("length", 0.0).t, panels)


def draw_swing(path: Path) -> None:
    """Table 5.6."""
    t = np.linspace(0, 9, 901)
    sample = swing()(t)
    _draw(path, t, _each((*_STRUT, "phi' [rad/s]", "psi' [rad/s]"), [*sample[0].T, *sample[1].T]))


def draw_tracked(modulus: float, path: Path) -> None:
    """Errors and strains under near-rigid control."""
    t, errors, strains = tracked(modulus)
    panels = _each(("d phi [rad]", "d psi [rad]"), errors.T)
    lines = dict(zip(_STRAINS, strains.T, strict=True))
    _draw(path, t, [*panels, ("strain / first strain", lines)])


def draw_settled(path: Path) -> None:
    """The hub off its place, and the turn of the top of a strut."""
    run = settled()
    places = np.array([hub(q) for q in run.q]) - [0, 0, HEIGHT]
    twist = np.degrees([np.arctan2(*tip(q, 1)[1::-1]) for q in run.q])
    panels = _each(("d x [m]", "d y [m]", "d z [m]"), places.T)
    _draw(path, run.t, [*panels, ("twist [deg]", {"": twist})])


def draw_path(name: str, path: Path) -> None:
    """Errors of the end-effector and strains along table 5.8 (z) or 5.9."""
    run = vertical() if name == "z" else horizontal(1)
    strains = {f"cable {k + 1}": row for k, row in enumerate(run.strains.T)}
    panels = _each(("d x [m]", "d y [m]", "d z [m]"), run.errors.T)
    _draw(path, run.t, [*panels, ("strains", strains)])


def _figure(number: str, title: str, case: int, draw: Any) -> Figure:
    return Figure(f"figure-{number}", f"Figure {number}: {title}", (case,), draw)


FIGURES = (
    _figure("5.5", "the strut falls", 25, draw_reference),
    _figure("5.6", "deviations of the variants", 25, draw_variants),
    _figure("5.7", "cable ends with mass on stock joints", 37, draw_composed),
    _figure("5.8", "the motion of table 5.6", 6, draw_swing),
    _figure("5.9", "near-rigid control at 200 MPa", 29, partial(draw_tracked, 2e8)),
    _figure("5.10", "near-rigid control at 2 GPa", 29, partial(draw_tracked, 2e9)),
    _figure("5.11", "near-rigid control at 20 GPa", 29, partial(draw_tracked, 2e10)),
    _figure("5.12", "stabilization out of the prism", 39, draw_settled),
    _figure("5.13", "the vertical motion of table 5.8", 31, partial(draw_path, "z")),
    _figure("5.14", "the horizontal motion of table 5.9", 31, partial(draw_path, "y")),
)
