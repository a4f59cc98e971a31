"""Eigenvalues along a parameter, in the complex plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.plot.axes import new_axes


def connected(rows: Sequence[ArrayLike], at: ArrayLike | None = None) -> NDArray[np.complex128]:
    """(n, k): each row reordered so that roots continue those of the row before.

    Neighbours are matched for the least sum of distances, where two rows back exist by distances to
    their straight continuation over the values `at` (n,) of the parameter, evenly spaced by
    default. Roots that meet, as where damping becomes critical, leave in either order.

    >>> connected([[0.0, 1.0], [1.1, 0.1]]).real.tolist()
    [[0.0, 1.0], [0.1, 1.1]]
    """
    from scipy.optimize import linear_sum_assignment

    places = np.arange(len(rows)) if at is None else np.asarray(at, dtype=float)
    steps = np.diff(places)
    found: list[NDArray[np.complex128]] = []
    for k, row in enumerate(rows):
        values = np.asarray(row, dtype=complex)
        if found:
            guess = found[-1]
            if k > 1 and steps[k - 2]:
                guess = guess + (guess - found[-2]) * (steps[k - 1] / steps[k - 2])
            _, order = linear_sum_assignment(np.abs(guess[:, None] - values[None]))
            values = values[order]
        found.append(values)
    return np.array(found)


def plot_root_locus(
    parameter: str,
    values: ArrayLike,
    eigenvalues: Sequence[ArrayLike],
    ax: Any = None,
    title: str = "",
) -> Any:
    """Lines of the eigenvalues over the values of a parameter; returns the axes.

    Crosses stand at the first value, circles at the last; roots right of the dashed line grow.
    Raises ImportError without matplotlib.
    """
    if ax is None:
        ax = new_axes(7.0, 6.0)
    span = np.asarray(values, dtype=float)
    roots = connected(eigenvalues, span)
    for column in roots.T:
        ax.plot(column.real, column.imag, lw=1.2)
    ax.plot(roots[0].real, roots[0].imag, "kx", ms=6, label=f"{parameter} = {span[0]:.4g}")
    ax.plot(
        roots[-1].real,
        roots[-1].imag,
        "ko",
        ms=5,
        mfc="none",
        label=f"{parameter} = {span[-1]:.4g}",
    )
    ax.axvline(0.0, color="0.5", ls="--", lw=0.8)
    ax.set_xlabel("Re [1/s]")
    ax.set_ylabel("Im [rad/s]")
    ax.grid(alpha=0.3)
    ax.set_title(title or f"eigenvalues along {parameter}", fontsize="medium")
    ax.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0)
    return ax
