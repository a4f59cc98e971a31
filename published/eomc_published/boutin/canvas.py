"""Time histories in panels, as the thesis draws them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

_DPI = 130

Line = tuple[Any, Any, str, str]
"""Abscissae, ordinates, matplotlib's style, label or nothing."""


def canvas(width: float, height: float) -> Any:
    """A figure of that many inches."""
    from matplotlib.figure import Figure as Canvas

    return Canvas(figsize=(width, height), layout="constrained")


def save(figure: Any, path: Path) -> None:
    """Write it."""
    figure.savefig(path, dpi=_DPI)


def draw_panels(
    path: Path, panels: Sequence[tuple[str, Sequence[Line]]], *, columns: int = 1
) -> None:
    """Panels (title of the ordinate, lines) over time, in columns; above those whose lines bear
    other labels than the lines before, a legend."""
    rows = -(-len(panels) // columns)
    figure = canvas(9 if columns == 1 else 11, 0.6 + 2.1 * rows)
    axes = figure.subplots(rows, columns, sharex=True, squeeze=False)
    told: list[str] = []
    for ax, (title, lines) in zip(axes.ravel(), panels, strict=True):
        for t, values, style, label in lines:
            ax.plot(t, values, style, lw=0.9, label=label or None)
        ax.set_ylabel(title)
        ax.grid(alpha=0.3)
        labels = [line[3] for line in lines if line[3]]
        if labels and labels != told:
            ax.legend(
                fontsize="small",
                loc="lower left",
                bbox_to_anchor=(0, 1),
                ncols=len(labels),
                frameon=False,
                borderaxespad=0.1,
            )
            told = labels
    for ax in axes[-1]:
        ax.set_xlabel("time [s]")
    save(figure, path)
