"""Stability map of a system over two of its parameters."""

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
    shown = ax.pcolormesh(
        x, y, counts, shading="nearest", cmap=_white_to_red(most), vmin=-0.5, vmax=most + 0.5
    )
    bar = ax.figure.colorbar(shown, ax=ax, ticks=np.arange(most + 1))
    bar.set_label("growing roots")
    ax.set_xlabel(x_name)
    ax.set_ylabel(y_name)
    ax.set_title(title or "stability", fontsize="medium")
    return ax


def _white_to_red(most: int) -> Any:
    """White for none, and a shade for each further root; gray where the table tells nothing."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    shades = colormaps["OrRd"](np.linspace(0.35, 0.85, most))
    return ListedColormap(np.vstack([np.ones((1, 4)), shades])).with_extremes(bad="0.7")
