"""A mechanism as a stick figure: where its frames are along a run, and what joins them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from eomc.runtime.model.frame_kinematics import function_names
from eomc.runtime.names.near_names import require_known
from eomc.runtime.plot.deformed import deformed
from eomc.runtime.plot.marks import anchors, element_lines, marks
from eomc.runtime.plot.run import Run

Array = NDArray[np.float64]

WORLD = "world"
# Size of a mark, of half the width of the picture.
_MARK = 0.05
# A body whose origin moves less than this [m] over a run stands still.
_FIXED = 1e-9


@dataclass(frozen=True)
class StickFigure:
    """Sticks over time.

    Attributes
    ----------
    lines : name to (n, k, 3) array
        Polylines in the world frame [m], at each of n times.
    joints : (n, m, 3) array
        Origins of the bodies: where they are joined.
    tips : name to (n, 3) array
        Origins of declared frames.
    anchors : sequence of (n, k, 3) arrays
        Where marks stand, and lines of elements.
    marks : name to (n, k, 3) array
        How joints and elements are drawn, in a size that follows that of the figure, or by lines
        of their own, such as a cable on its pulleys.
    """

    lines: Mapping[str, Array]
    joints: Array
    tips: Mapping[str, Array]
    anchors: Sequence[Array]
    marks: Mapping[str, Array] = field(default_factory=dict)

    @property
    def points(self) -> Array:
        """All points of all times, (k, 3), without those of marks, which have a width of their
        own."""
        parts = [*self.lines.values(), self.joints, *self.tips.values(), *self.anchors]
        return np.concatenate([part.reshape(-1, 3) for part in parts])


def stick_figure(run: Run, shapes: Mapping[str, ArrayLike] | None = None) -> StickFigure:
    """The stick figure of a run: a line from each body to those it carries, and to its frames, and
    the marks of joints and elements.

    Joints that close loops are drawn from both of their bodies.

    shapes : body or frame to (k, 3) array
        Further polylines to draw, fixed in that body's axes [m]; one point stands for the line from
        the origin to it.

    A body that carries nothing, nor a frame, is drawn to its centre of mass. Raises ValueError
    without a model, if it has no frames, or for shapes of unknown bodies or wrong form.
    """
    model = run.model
    if model is None:
        raise ValueError("an animation needs the model: from_npz(path, model)")
    if not model.frames:
        raise ValueError(f"model {model.name!r} has no bodies or frames that could be drawn")
    metadata = model.manifest["metadata"]
    links = {
        joint["child"]: joint["parent"] for joint in metadata["joints"] if not joint.get("cut")
    }
    poses = _poses(run)
    lines = {
        f"{parent} {child}": np.stack([poses[parent][:, :3, 3], poses[child][:, :3, 3]], axis=1)
        for child, parent in links.items()
        if parent != WORLD or _stands_still(poses[child])
    }
    tips = {}
    for name, body in metadata["frame_bodies"].items():
        tips[name] = poses[name][:, :3, 3]
        if body != WORLD:
            lines[f"{body} {name}"] = np.stack([poses[body][:, :3, 3], tips[name]], axis=1)
    closed = metadata.get("closures", ())
    for joint in closed:
        for end in joint["ends"]:
            if end["body"] != WORLD:
                label = f"{end['body']} {joint['name']}"
                lines[label] = _shape(end["body"], end["origin"], poses)
    drawn = {*links.values(), *metadata["frame_bodies"].values(), *(shapes or {})}
    drawn |= {end["body"] for joint in closed for end in joint["ends"]}
    for body in metadata["bodies"]:
        if body["name"] not in drawn and any(body["com"]):
            lines[body["name"]] = _shape(body["name"], body["com"], poses)
    for name, points in (shapes or {}).items():
        lines[f"shape of {name}"] = _shape(name, points, poses)
    lines |= deformed(run, metadata, poses)
    joints = np.stack([poses[body][:, :3, 3] for body in links], axis=1)
    drawing = metadata.get("drawing", {})
    moving = element_lines(run, drawing)
    figure = StickFigure(lines, joints, tips, [*anchors(drawing, poses), *moving.values()])
    size = _MARK * square_limits(figure.points)[1]
    return replace(figure, marks=marks(drawing, poses, size) | moving)


def _stands_still(pose: Array) -> bool:
    """Whether the origin keeps its place: then it is joined to the world there."""
    return bool(np.ptp(pose[:, :3, 3], axis=0).max() < _FIXED)


def _poses(run: Run) -> dict[str, Array]:
    """Poses (n, 4, 4) of world, bodies and frames along the run."""
    assert run.model is not None
    names = {frame: function_names(frame)[0] for frame in run.model.frames}
    run.model.prepare(*names.values())
    shape = (len(run), 4, 4)
    poses = {
        frame: np.broadcast_to(run.evaluate(function), shape) for frame, function in names.items()
    }
    poses.setdefault(WORLD, np.broadcast_to(np.eye(4), shape))
    return poses


def _shape(name: str, points: ArrayLike, poses: Mapping[str, Array]) -> Array:
    """A polyline of a body, in the world frame, (n, k, 3)."""
    require_known([name], poses, "shapes: no body or frame")
    line = np.array(points, dtype=np.float64)
    if line.shape == (3,):
        line = np.stack([np.zeros(3), line])
    if line.ndim != 2 or line.shape[1] != 3 or not np.isfinite(line).all():
        raise ValueError(f"shapes: give {name!r} a row of finite points (k, 3)")
    pose = poses[name]
    placed: Array = line @ pose[:, :3, :3].transpose(0, 2, 1) + pose[:, None, :3, 3]
    return placed


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


def square_limits(points: Array, margin: float = 0.08) -> tuple[Array, float]:
    """Centre and half width of a cube around all points.

    >>> center, half = square_limits(np.array([[0.0, 0.0], [2.0, 1.0]]), margin=0.0)
    >>> center.tolist(), half
    ([1.0, 0.5], 1.0)
    """
    low, high = points.min(axis=0), points.max(axis=0)
    half = float((high - low).max()) / 2
    return (low + high) / 2, (half or 0.5) * (1 + 2 * margin)


def draw_limits(ax: Any, points: Array) -> None:
    """Equal axes around all points."""
    center, half = square_limits(points)
    names = "xyz"[: len(center)]
    for name, middle in zip(names, center, strict=True):
        getattr(ax, f"set_{name}lim")(middle - half, middle + half)
