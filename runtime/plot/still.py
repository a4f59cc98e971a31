"""A model drawn in one state."""

from __future__ import annotations

from typing import Any

import numpy as np

from eomc.runtime.picture.placed import PicturedRun, placed
from eomc.runtime.plot.canvas import Canvas, plane_of
from eomc.runtime.plot.png import png


def still(
    run: PicturedRun, row: int = 0, *, view: tuple[float, float] = (20.0, -60.0), dpi: float = 110.0
) -> bytes:
    """PNG of the model in one row of a run, as films draw it.

    view : elevation and azimuth [deg] of models that are not plane

    Raises ValueError for a model without bodies, ImportError without matplotlib.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install 'eomc[plot]'") from None
    shown = placed(run)
    plane = plane_of(shown.skeleton)
    figure = Figure(figsize=(4.6, 4.6), layout="constrained")
    FigureCanvasAgg(figure)
    ax: Any = figure.add_subplot(projection="3d" if plane is None else None)
    if plane is None:
        ax.view_init(*view)
    canvas = Canvas(ax, shown, plane)
    if plane is None:
        ax.set_box_aspect((1, 1, 1), zoom=0.88)  # room for what stands at the axes
    canvas.show(int(np.arange(run.count)[row]))
    return png(figure, dpi)
