"""Eigenvalues along a parameter, in the complex plane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.plot.axes import new_axes

#: Share of the largest root below which distances are alike.
_ALIKE = 1e-9


def connected(rows: Sequence[ArrayLike], at: ArrayLike | None = None) -> NDArray[np.complex128]:
    """(n, k): each row reordered so that roots continue those of the row before.

    Neighbours are matched for the least sum of distances, where two rows back exist by distances to
    their straight continuation over the values `at` of the parameter, evenly spaced if not given.
    Of a pair that becomes two real roots, the one of positive frequency becomes the root farther
    right. Roots that come nearer to each other than a step moves them are taken to cross: only
    shorter steps show whether they veer.

    >>> connected([[0.0, 1.0], [1.1, 0.1]]).real.tolist()
    [[0.0, 1.0], [0.1, 1.1]]
    """
    from scipy.optimize import linear_sum_assignment

    steps = np.diff(np.arange(len(rows)) if at is None else np.asarray(at, dtype=float))
    found: list[NDArray[np.complex128]] = []
    for k, row in enumerate(rows):
        values = np.asarray(row, dtype=complex)
        if found:
            guess = found[-1]
            if k > 1 and steps[k - 2]:
                guess = guess + steps[k - 1] / steps[k - 2] * (guess - found[-2])
            apart = np.abs(guess[:, None] - values[None])
            swapped = np.abs(_rank(found[-1])[:, None] - _rank(values)[None])
            alike = _ALIKE * np.abs(values).max(initial=0.0)
            _, order = linear_sum_assignment(apart + alike * swapped)
            values = values[order]
        found.append(values)
    return np.array(found)


def _rank(roots: NDArray[np.complex128]) -> NDArray[np.intp]:
    """Places by frequency, then by real part, falling."""
    return np.argsort(np.lexsort((-roots.real, -roots.imag)))


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
