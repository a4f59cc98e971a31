"""Arrows of one's own in films, from points of the world, and dots there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.plot.canvas import plain

Vectors = Mapping[str, tuple[ArrayLike, ArrayLike]]
"""Label to points (n, 3) and vectors (n, 3) in the world, at the times of a run; one point or
vector (3,) stays."""

_COLORS = ("tab:orange", "tab:green", "tab:purple", "tab:brown", "tab:cyan")
_LONGEST, _SHORTEST, _HEAD = 0.5, 0.01, 0.22
"""Of arrows, in half widths of the picture, and of heads, in lengths of arrows."""


def at_times(arrows: Vectors, t: Array, times: Array) -> dict[str, tuple[Array, Array]]:
    """Points and vectors at other times, linear between those of the run.

    Raises ValueError that names what has another shape.
    """
    found = {}
    for label, (points, vectors) in arrows.items():
        parts = []
        for what, given in (("points", points), ("vectors", vectors)):
            rows = np.asarray(given, dtype=np.float64)
            if rows.shape not in ((3,), (len(t), 3)):
                raise ValueError(
                    f"arrows: {what} of {label!r} have shape {rows.shape}, expected ({len(t)}, 3) "
                    "or (3,)"
                )
            rows = np.broadcast_to(rows, (len(t), 3))
            parts.append(np.column_stack([np.interp(times, t, column) for column in rows.T]))
        found[label] = (parts[0], parts[1])
    return found


def seen_from(
    origin: Array | None, arrows: Mapping[str, tuple[Array, Array]]
) -> dict[str, tuple[Array, Array]]:
    """The same with points relative to an origin (n, 3) at these times, if there is one."""
    if origin is None:
        return dict(arrows)
    return {label: (at - origin, along) for label, (at, along) in arrows.items()}


def largest(arrows: Vectors) -> list[float]:
    """The largest of each force [N].

    >>> largest({"push": (np.zeros(3), [[3.0, 4.0, 0.0], [1.0, 0.0, 0.0]])})
    [5.0]
    """
    return [
        float(np.linalg.norm(np.atleast_2d(np.asarray(vectors, float)), axis=1).max(initial=0.0))
        for _, vectors in arrows.values()
    ]


class Arrows:
    """Arrows on the axes of a canvas; the largest force of all is half as long as half the picture.

    forces : points and vectors at the times of the canvas; sizes : the largest of each in the run
    """

    def __init__(
        self, canvas: Any, forces: Mapping[str, tuple[Array, Array]], sizes: Sequence[float]
    ) -> None:
        self._axes, self._forces = canvas.axes, forces
        most = max(sizes, default=0.0)
        self._scale = _LONGEST * canvas.half / most if most > 0 else 0.0
        self._shortest = _SHORTEST * canvas.half
        self._parts = []
        for k, (label, size) in enumerate(zip(forces, sizes, strict=True)):
            style: dict[str, Any] = {"color": _COLORS[k % len(_COLORS)], "zorder": 6}
            nothing: list[list[float]] = [[] for _ in self._axes]
            told = f"{label}, at most {size:.3g} N" if size > 0 else label
            (shaft,) = canvas.ax.plot(*nothing, lw=1.8, label=plain(told), **style)
            (dot,) = canvas.ax.plot(
                *nothing, ls="", marker="o", ms=5.5, mec="white", mew=0.7, **style
            )
            self._parts.append((shaft, dot))
        if forces:
            canvas.ax.legend(loc="lower left", fontsize="x-small", framealpha=0.8)

    def show(self, row: int) -> None:
        """Draw those of one time: dots, and arrows where they are long enough to be seen."""
        from eomc.runtime.plot.canvas import place

        for (shaft, dot), (points, vectors) in zip(self._parts, self._forces.values(), strict=True):
            start, along = points[row], self._scale * vectors[row]
            shown = np.linalg.norm(along) > self._shortest
            line = _arrow(start[self._axes], along[self._axes]) if shown else start[None][:0]
            place(shaft, line if shown else line[:, self._axes])
            place(dot, points[row : row + 1][:, self._axes])


def _arrow(start: Array, along: Array) -> Array:
    """Shaft and head in one line."""
    end = start + along
    side = np.zeros_like(along)
    if len(along) == 2:
        side[:] = -along[1], along[0]
    else:
        axis = np.eye(3)[int(np.argmin(np.abs(along)))]
        side = np.cross(along, axis)
        side *= np.linalg.norm(along) / np.linalg.norm(side)
    back = end - _HEAD * along
    half = 0.5 * _HEAD * side
    return np.array([start, end, back + half, end, back - half])
