"""Curves beside a film, with a line that tells the time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.plot.canvas import plain

Curves = Mapping[str, Mapping[str, ArrayLike]]
"""Label of an axis to curves by their labels, (n,) each, at the times of a run."""


def checked(curves: Curves, t: Array) -> dict[str, dict[str, Array]]:
    """The curves as arrays; ValueError that names what has another shape."""
    found: dict[str, dict[str, Array]] = {}
    for axis, rows in curves.items():
        found[axis] = {}
        for label, given in rows.items():
            row = np.asarray(given, dtype=np.float64)
            if row.shape != t.shape:
                raise ValueError(
                    f"beside: curve {label!r} of {axis!r} has shape {row.shape}, expected {t.shape}"
                )
            found[axis][label] = row
    return found


class CurveAxes:
    """Axes with curves over time."""

    def __init__(
        self, axes: Sequence[Any], curves: Mapping[str, Mapping[str, Array]], t: Array
    ) -> None:
        self._clocks = []
        for ax, (name, rows) in zip(axes, curves.items(), strict=True):
            for label, row in rows.items():
                ax.plot(t, row, lw=1.1, label=plain(label))
            ax.set_title(plain(name), fontsize="small", loc="left", pad=2)
            ax.tick_params(labelsize="small")
            ax.grid(alpha=0.3)
            ax.set_xlim(t[0], t[-1])
            ax.legend(loc="best", fontsize="x-small")
            self._clocks.append(ax.axvline(t[0], color="0.3", lw=0.9))
        self._axes = axes
        axes[-1].set_xlabel("t [s]")

    def mark(self, times: Sequence[float]) -> None:
        """Lines at several times, instead of one that moves."""
        for ax, clock in zip(self._axes, self._clocks, strict=True):
            clock.remove()
            for t in times:
                ax.axvline(t, color="0.6", lw=0.7, ls=":")

    def show(self, t: float) -> None:
        """Move the line to a time."""
        for clock in self._clocks:
            clock.set_xdata([t, t])
