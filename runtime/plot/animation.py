"""Films of a mechanism in motion."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from eomc.binding.arrays import Array
from eomc.runtime.names.near_names import require_known
from eomc.runtime.output.files import whole_file
from eomc.runtime.picture.placed import PlacedPicture, placed
from eomc.runtime.plot.arrows import Arrows, Vectors, at_times, largest, seen_from
from eomc.runtime.plot.beside import CurveAxes, Curves, checked
from eomc.runtime.plot.canvas import Canvas, place, plain, plane_of
from eomc.runtime.plot.film import film_writer
from eomc.runtime.plot.time_history import PlottedRun

_MOST_FRAMES = 2000
# Points of a trace from one picture to the next.
_FINE = 4
_TIP = "tab:red"


def animate(
    run: PlottedRun,
    path: str | os.PathLike[str],
    *,
    fps: float = 25.0,
    speed: float = 1.0,
    shapes: Mapping[str, ArrayLike] | None = None,
    trace: str | Sequence[str] | None = None,
    view: tuple[float, float] = (20.0, -60.0),
    arrows: Vectors | None = None,
    beside: Curves | None = None,
    dpi: float = 90.0,
    forces: bool | str | Sequence[str] = False,
    progress: bool | None = None,
) -> None:
    """Write a film of the run; see `Trajectory.animate`."""
    duration = float(run.t[-1] - run.t[0])
    count = check_film(path, duration, fps=fps, speed=speed, dpi=dpi)
    times = np.linspace(run.t[0], run.t[-1], _FINE * max(count - 1, 1) + 1)
    shown = placed(run.resampled(times), lines=shapes, forces=forces)
    frames = shown.description["frames"]
    traced = [trace] if isinstance(trace, str) else list(frames if trace is None else trace)
    require_known(traced, frames, "trace: no frame")
    pushed = seen_from(shown.origin, at_times(arrows or {}, run.t, times))
    curves = run.t, checked(beside or {}, run.t)
    sizes = largest(arrows or {})
    film = _Film(run.name, times, shown, traced, view, (pushed, sizes), curves)
    film.write(Path(path), fps, dpi, progress)


def check_film(
    path: str | os.PathLike[str],
    duration: float,
    *,
    fps: float = 25.0,
    speed: float = 1.0,
    dpi: float = 90.0,
) -> int:
    """The number of pictures of a film of a run of that duration [s].

    Raises ValueError for wrong arguments, too many pictures, or a file that cannot be written here;
    ImportError without matplotlib.
    """
    film_writer(Path(path))
    for name, value in (("fps", fps), ("speed", speed), ("dpi", dpi)):
        if not (np.isfinite(value) and value > 0):
            raise ValueError(f"{name} is {value!r}; give a positive number")
    intervals = duration / speed * fps
    if intervals >= _MOST_FRAMES:
        raise ValueError(
            f"{duration:g} s at {fps:g} pictures a second, speed {speed:g}: {intervals:.6g} "
            f"pictures, more than {_MOST_FRAMES}: raise speed"
        )
    return round(intervals) + 1


class _Film:
    """The picture and its moving parts."""

    def __init__(
        self,
        title: str,
        times: Array,
        shown: PlacedPicture,
        traced: Sequence[str],
        view: tuple[float, float],
        arrows: tuple[Mapping[str, tuple[Array, Array]], Sequence[float]] | None = None,
        curves: tuple[Array, Mapping[str, Mapping[str, Array]]] | None = None,
    ) -> None:
        from matplotlib.figure import Figure

        self.times = times
        tips = {name: shown.poses[name][:, :3, 3] for name in shown.description["frames"]}
        plane = plane_of(shown.skeleton)
        t, drawn = curves or (times, {})
        count = len(drawn)
        width = 10.0 if count else 5.0
        self.picture = Figure(figsize=(width, 5.0), layout="constrained")
        grid: Any = self.picture.add_gridspec(max(count, 1), 2 if count else 1)
        ax: Any = self.picture.add_subplot(grid[:, 0], projection="3d" if plane is None else None)
        self.ax = ax
        panels = [self.picture.add_subplot(grid[k, 1]) for k in range(count)]
        self.beside = CurveAxes(panels, drawn, t) if count else None
        if plane is None:
            self.ax.view_init(*view)
        self.canvas = Canvas(self.ax, shown, plane)
        self.ax.set_title(plain(title))
        self.arrows = Arrows(self.canvas, *(arrows or ({}, ())))
        axes = self.canvas.axes
        self.tips = [
            (self._line(color=_TIP, ls="", marker="o", ms=4, zorder=5), tip[:, axes])
            for tip in tips.values()
        ]
        self.traces = [
            (self._line(color=_TIP, lw=0.8, alpha=0.6, zorder=5), tips[name][:, axes])
            for name in traced
        ]
        place: dict[str, Any] = {"transform": self.ax.transAxes, "va": "top"}
        write = self.ax.text2D if plane is None else self.ax.text
        self.clock = write(0.02, 0.98, "", **place)
        self.note = f"\n{shown.note}" if shown.note else ""

    def _line(self, **style: Any) -> Any:
        (artist,) = self.ax.plot(*[[] for _ in self.canvas.axes], **style)
        return artist

    def show(self, row: int) -> None:
        """Draw the picture at one of the times."""
        row *= _FINE
        self.canvas.show(row)
        self.arrows.show(row)
        if self.beside:
            self.beside.show(float(self.times[row]))
        for artist, points in self.tips:
            place(artist, points[row : row + 1])
        for artist, points in self.traces:
            place(artist, points[: row + 1])
        self.clock.set_text(f"t = {self.times[row]:.2f} s{self.note}")

    def write(self, path: Path, fps: float, dpi: float, progress: bool | None) -> None:
        """All pictures into one file, which appears whole or not at all."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        from eomc.runtime.output.progress import time_bar

        FigureCanvasAgg(self.picture)
        film = film_writer(path)(fps)
        start, end = float(self.times[0]), float(self.times[-1])
        with whole_file(path) as target, time_bar(start, end, progress) as report:
            # The writers take the format from the file's name.
            named = target.with_name(target.name + path.suffix.lower())
            try:
                with film.saving(self.picture, str(named), dpi):
                    for row, t in enumerate(self.times[::_FINE].tolist()):
                        self.show(row)
                        film.grab_frame()
                        report(t)
                os.replace(named, target)
            finally:
                named.unlink(missing_ok=True)
