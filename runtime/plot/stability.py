"""Where a system is stable, over two of its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.runtime.plot.axes import new_axes


def plot_stability(
    across: tuple[str, ArrayLike],
    up: tuple[str, ArrayLike],
    growing: ArrayLike,
    ax: Any = None,
    title: str = "",
) -> Any:
    """A map of how many roots grow; returns the axes. White is stable.

    Parameters
    ----------
    across, up : name and values of a parameter, (n,) and (m,)
    growing : (m, n), as `eomc.derive.equations.routh.growing_roots` tells

    Raises ValueError for another shape and ImportError without matplotlib.
    """
    (x_name, x), (y_name, y) = ((name, np.asarray(row, float)) for name, row in (across, up))
    counts = np.asarray(growing, dtype=np.float64)
    if counts.shape != (y.size, x.size):
        raise ValueError(f"growing has shape {counts.shape}, expected ({y.size}, {x.size})")
    if ax is None:
        ax = new_axes(7.0, 5.0)
    most = max(1, int(np.nanmax(counts, initial=0.0)))
    levels = np.arange(most + 2) - 0.5
    shown = ax.contourf(x, y, np.nan_to_num(counts), levels, cmap="OrRd", vmin=0, vmax=most)
    ax.contour(x, y, np.nan_to_num(counts), [0.5], colors="k", linewidths=1.0)
    bar = ax.figure.colorbar(shown, ax=ax, ticks=np.arange(most + 1))
    bar.set_label("growing roots")
    ax.set_xlabel(x_name)
    ax.set_ylabel(y_name)
    ax.set_title(title or "stability", fontsize="medium")
    return ax
