"""A run as a strip of pictures, with arrows, and curves below."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.picture.placed import placed
from eomc.runtime.plot.arrows import Arrows, Vectors, at_times, largest, seen_from
from eomc.runtime.plot.beside import CurveAxes, Curves, checked
from eomc.runtime.plot.canvas import Canvas, plane_of
from eomc.runtime.plot.time_history import PlottedRun

_WIDTH, _HEIGHT = 4.0, 2.6
"""Of a picture, and of curves [inch]."""


def strip(
    run: PlottedRun,
    path: str | os.PathLike[str],
    times: Sequence[float],
    *,
    arrows: Vectors | None = None,
    beside: Curves | None = None,
    shapes: Mapping[str, ArrayLike] | None = None,
    view: tuple[float, float] = (20.0, -60.0),
    dpi: float = 110.0,
) -> None:
    """Write pictures of the run at some times side by side, and curves over all of it below.

    arrows, beside, shapes, view : as of `Trajectory.animate`

    Raises ValueError for wrong arguments or a run without a model; ImportError without matplotlib.
    """
    from matplotlib.figure import Figure

    at = np.asarray(times, dtype=np.float64)
    shown = placed(run.resampled(at), lines=shapes)
    plane = plane_of(shown.skeleton)
    curves = checked(beside or {}, run.t)
    pushed = seen_from(shown.origin, at_times(arrows or {}, run.t, at))
    count, rows = max(len(at), 1), -(-len(curves) // len(at))
    figure = Figure(
        figsize=(_WIDTH * count, _WIDTH + _HEIGHT * rows), layout="constrained", dpi=dpi
    )
    grid: Any = figure.add_gridspec(1 + rows, count, height_ratios=[_WIDTH, *[_HEIGHT] * rows])
    for k, t in enumerate(at.tolist()):
        ax: Any = figure.add_subplot(grid[0, k], projection="3d" if plane is None else None)
        if plane is None:
            ax.view_init(*view)
        canvas = Canvas(ax, shown, plane)
        drawn = Arrows(canvas, pushed, largest(arrows or {}))
        ax.set_title(f"t = {t:.3g} s")
        canvas.show(k)
        drawn.show(k)
    for k, (name, lines) in enumerate(curves.items()):
        panel = figure.add_subplot(grid[1 + k // count, k % count])
        CurveAxes([panel], {name: lines}, run.t).mark(at.tolist())
    figure.savefig(Path(path))
