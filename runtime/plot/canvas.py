"""A model in matplotlib: axes, faces and lines in a plane or in space, and pictures as bytes."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.picture.placed import PicturedRun, PlacedLine, PlacedPicture, placed

__all__ = ["Canvas", "plane_of", "square_limits"]


def plain(text: str) -> str:
    r"""Text of a legend or title that matplotlib draws as it is, and does not hide.

    >>> plain("a$b$"), plain("_x")
    ('a\\$b\\$', ' _x')
    """
    text = text.replace("$", r"\$")
    return f" {text}" if text.startswith("_") else text


def new_axes(width: float, height: float, rows: int = 1) -> Any:
    """Axes one below the other, of a figure of that size [inch]; ImportError without matplotlib."""
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'eomc[plot]'") from None
    return pyplot.subplots(rows, sharex=True, figsize=(width, height), layout="constrained")[1]


def png(figure: Any, dpi: float = 110.0) -> bytes:
    """A matplotlib figure as PNG, with nothing in the file but the picture."""
    stream = BytesIO()
    figure.savefig(stream, format="png", dpi=dpi, metadata={"Software": None})
    return stream.getvalue()


# Where the light comes from, and how much of it is everywhere.
_LIGHT = np.array([0.35, -0.5, 0.8]) / np.linalg.norm([0.35, -0.5, 0.8])


_AMBIENT = 0.55


# Rows at which solids are measured.
_MEASURED = 40


_POINTS_PER_INCH = 72.0


def plane_of(points: Array, flat: float = 1e-6) -> tuple[int, int] | None:
    """The two world axes in whose plane all points lie, if they do.

    >>> plane_of(np.array([[0.0, 1.0, 0.0], [1.0, 1.0, 2.0]]))
    (0, 2)
    """
    extent = np.ptp(points, axis=0)
    axis = int(np.argmin(extent))
    if extent[axis] > flat * max(float(extent.max()), 1e-300):
        return None
    across = {0: (1, 2), 1: (0, 2), 2: (0, 1)}
    return across[axis]


def square_limits(points: Array, margin: float = 0.06) -> tuple[Array, float]:
    """Centre and half width of a cube around all points.

    >>> center, half = square_limits(np.array([[0.0, 0.0], [2.0, 1.0]]), margin=0.0)
    >>> center.tolist(), half
    ([1.0, 0.5], 1.0)
    """
    low, high = points.min(axis=0), points.max(axis=0)
    half = float((high - low).max()) / 2
    return (low + high) / 2, (half or 0.5) * (1 + 2 * margin)


class Canvas:
    """Axes that show a placed model at one of its times.

    Attributes
    ----------
    plane : two axes or None
        Where all of it stays in a plane of the world.
    """

    def __init__(self, ax: Any, shown: PlacedPicture, plane: tuple[int, int] | None) -> None:
        self.ax, self.shown, self.plane = ax, shown, plane
        self.axes = [0, 1, 2] if plane is None else list(plane)
        self._limits()
        self._colors = _colors(shown)
        self._faces = self._collection()
        self._lines = [(self._line(line), line) for line in shown.lines]

    def _limits(self) -> None:
        """Equal axes around everything that is ever shown."""
        count = len(next(iter(self.shown.poses.values())))
        rows = np.unique(np.linspace(0, count - 1, _MEASURED).astype(int))
        parts = [face.reshape(-1, 3) for row in rows for face in self.shown.faces(int(row))]
        lines = [line.points.reshape(-1, 3) for line in self.shown.lines]
        points = np.concatenate([self.shown.skeleton, *parts, *lines])
        points = points[np.isfinite(points).all(axis=1)]
        center, self.half = square_limits(points[:, self.axes])
        for name, middle in zip("xyz", center, strict=False):
            getattr(self.ax, f"set_{name}lim")(middle - self.half, middle + self.half)
        for name, axis in zip("xyz", self.axes, strict=False):
            getattr(self.ax, f"set_{name}label")(f"{'xyz'[axis]} [m]")
        if self.plane is None:
            self.ax.set_box_aspect((1, 1, 1))
            self.ax.computed_zorder = False
        else:
            self.ax.set_aspect("equal")
            self.ax.grid(alpha=0.3)
            self.ax.set_axisbelow(True)

    def _collection(self) -> Any:
        if self.plane is None:
            from mpl_toolkits.mplot3d.art3d import Poly3DCollection

            solid = Poly3DCollection(np.zeros((1, 4, 3)), linewidths=0.2, zorder=3)
            return self.ax.add_collection3d(solid)
        from matplotlib.collections import PolyCollection

        return self.ax.add_collection(PolyCollection([], linewidths=0.3, zorder=3))

    def _line(self, line: PlacedLine) -> Any:
        """Widths in metres become points on paper."""
        width = 1.8 if line.record.get("kind") in ("arrow", "moment") else 1.1
        if line.width:
            inches = self.ax.figure.get_size_inches()[0] * self.ax.get_position().width
            scale = 0.62 if self.plane is None else 1.0
            width = max(line.width / (2 * self.half) * inches * _POINTS_PER_INCH * scale, 0.8)
        order = 2 if line.width else 4
        (artist,) = self.ax.plot(
            *[[] for _ in self.axes],
            color=line.color,
            lw=width,
            solid_capstyle="round",
            zorder=order,
        )
        return artist

    def show(self, row: int) -> None:
        """Draw the model at one of its times."""
        for artist, line in self._lines:
            place(artist, line.points[row][:, self.axes])
        if not self.shown.solids:
            return
        faces = np.concatenate(self.shown.faces(row))
        colors = _lit(faces, self._colors)
        if self.plane is None:
            self._faces.set_verts(faces)
        else:
            depth = ({0, 1, 2} - set(self.plane)).pop()
            toward = -1.0 if self.plane == (0, 2) else 1.0  # who sees x and z looks along y
            order = np.argsort(toward * faces[:, :, depth].mean(axis=1), kind="stable")
            faces, colors = faces[order], colors[order]
            self._faces.set_verts(faces[:, :, self.axes])
        self._faces.set_facecolor(colors)
        self._faces.set_edgecolor(colors)


def place(artist: Any, points: Array) -> None:
    """Give a line other points (k, 2) or (k, 3)."""
    columns = points.T
    if len(columns) == 3:
        artist.set_data_3d(*columns)
    else:
        artist.set_data(*columns)


def _colors(shown: PlacedPicture) -> Array:
    """(f, 4) of all faces."""
    parts = [np.zeros((0, 4))]
    for solid in shown.solids:
        text = solid.color
        rgb = [int(text[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        parts.append(np.tile([*rgb, solid.opacity], (len(solid.faces), 1)))
    return np.concatenate(parts)


def _lit(faces: Array, colors: Array) -> Array:
    """Colours as the light falls on the faces (Lambert)."""
    normal = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1])
    normal += np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    share = np.clip((normal / np.where(length > 0, length, 1.0)) @ _LIGHT, 0.0, 1.0)
    found: Array = colors.copy()
    found[:, :3] *= (_AMBIENT + (1 - _AMBIENT) * share)[:, None]
    return found


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
