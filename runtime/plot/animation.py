"""Films of a mechanism in motion."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.names.near_names import require_known
from eomc.runtime.output.whole_file import whole_file
from eomc.runtime.plot.film import film_writer
from eomc.runtime.plot.run import Run
from eomc.runtime.plot.stick_figure import StickFigure, draw_limits, plane_of, stick_figure

Array = NDArray[np.float64]

_MOST_FRAMES = 2000
# Points of a trace from one picture to the next.
_FINE = 4
_STICK, _JOINT, _TIP, _ELEMENT = "tab:blue", "black", "tab:red", "tab:green"


def animate(
    run: Run,
    path: str | os.PathLike[str],
    *,
    fps: float = 25.0,
    speed: float = 1.0,
    shapes: Mapping[str, ArrayLike] | None = None,
    trace: str | Sequence[str] | None = None,
    view: tuple[float, float] = (20.0, -60.0),
    dpi: float = 90.0,
    progress: bool | None = None,
) -> None:
    """Write a film of the run; see `Trajectory.animate`."""
    duration = float(run.t[-1] - run.t[0])
    count = check_film(path, duration, fps=fps, speed=speed, dpi=dpi)
    times = np.linspace(run.t[0], run.t[-1], _FINE * max(count - 1, 1) + 1)
    figure = stick_figure(run.resampled(times), shapes)
    traced = [trace] if isinstance(trace, str) else list(figure.tips if trace is None else trace)
    require_known(traced, figure.tips, "trace: no frame")
    traces = {name: figure.tips[name] for name in traced}
    canvas = _Canvas(run.name, times, figure, traces, view)
    canvas.write(Path(path), fps, dpi, progress)


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


class _Canvas:
    """The picture and its moving parts."""

    def __init__(
        self,
        title: str,
        times: Array,
        figure: StickFigure,
        traces: Mapping[str, Array],
        view: tuple[float, float],
    ) -> None:
        from matplotlib.figure import Figure

        self.times = times
        points = figure.points
        plane = plane_of(points)
        self.axes = [0, 1, 2] if plane is None else list(plane)
        self.picture = Figure(figsize=(5.0, 5.0), layout="constrained")
        ax: Any = self.picture.add_subplot(projection="3d" if plane is None else None)
        self.ax = ax
        if plane is None:
            self.ax.view_init(*view)
            self.ax.set_box_aspect((1, 1, 1))
        else:
            self.ax.set_aspect("equal")
            self.ax.grid(alpha=0.3)
        draw_limits(self.ax, points[:, self.axes])
        for name, axis in zip("xyz", self.axes, strict=False):
            getattr(self.ax, f"set_{name}label")(f"{'xyz'[axis]} [m]")
        self.ax.set_title(title)
        self.parts: list[tuple[Any, Array]] = []
        for line in figure.lines.values():
            self._add(line, color=_STICK, lw=3, solid_capstyle="round")
        for name, mark in figure.marks.items():
            self._add(mark, color=_JOINT if name.startswith("joint ") else _ELEMENT, lw=0.8)
        self._add(figure.joints, color=_JOINT, ls="", marker="o", ms=3)
        for tip in figure.tips.values():
            self._add(tip[:, None], color=_TIP, ls="", marker="o", ms=4)
        self.traces = [
            (self._line(color=_TIP, lw=0.8, alpha=0.6), trace[:, self.axes])
            for trace in traces.values()
        ]
        place: dict[str, Any] = {"transform": self.ax.transAxes, "va": "top"}
        write = self.ax.text2D if plane is None else self.ax.text
        self.clock = write(0.02, 0.98, "", **place)

    def _line(self, **style: Any) -> Any:
        (artist,) = self.ax.plot(*[[] for _ in self.axes], **style)
        return artist

    def _add(self, points: Array, **style: Any) -> None:
        """A part whose points (n, k, 3) change with time."""
        self.parts.append((self._line(**style), points[:, :, self.axes]))

    def show(self, row: int) -> None:
        """Draw the picture at one of the times."""
        row *= _FINE
        for artist, points in self.parts:
            _place(artist, points[row])
        for artist, points in self.traces:
            _place(artist, points[: row + 1])
        self.clock.set_text(f"t = {self.times[row]:.2f} s")

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


def _place(artist: Any, points: Array) -> None:
    columns = points.T
    if len(columns) == 3:
        artist.set_data_3d(*columns)
    else:
        artist.set_data(*columns)
