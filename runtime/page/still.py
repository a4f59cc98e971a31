"""A still picture of a model for browsers that cannot run a page: outlines of its parts, as SVG."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.runtime.picture.placed import PlacedPicture, placed

_WIDTH, _HEIGHT, _MARGIN = 640.0, 420.0, 20.0
_TOWARDS = (1.1, -1.6, 0.75)
_THIN = 1.2
_ROUND = 'stroke-linejoin="round" stroke-linecap="round"'


@dataclass(frozen=True)
class _DrawnPart:
    """Points (k, 2) of a filled outline or of a line of some width [m], and how near it is."""

    near: float
    points: Array
    color: str
    opacity: float = 1.0
    width: float | None = None

    def drawn(self, points: Array, scale: float) -> str:
        """The element, at points of the picture."""
        text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        if self.width is None:
            look = f'fill="{self.color}" fill-opacity="{self.opacity:g}" stroke="#0007"'
            return f'<polygon points="{text}" {look} stroke-width="0.8"/>'
        stroke = max(self.width * scale, _THIN)
        look = f'fill="none" stroke="{self.color}" stroke-width="{stroke:.1f}"'
        return f'<polyline points="{text}" {look} {_ROUND}/>'


class PageModel:
    """A model as pictures read it, by the manifest of its page: nothing is compiled."""

    def __init__(self, model: Any, manifest: Mapping[str, Any]) -> None:
        self.name, self.manifests = model.name, (manifest,)
        self.frames, self.mesh_folders = model.frames, model.mesh_folders

    def prepare(self, *names: str) -> None:
        """Nothing to do."""


class Posed:
    """One row of a run whose functions another evaluates: from the graph, without a compiler."""

    count = 1

    def __init__(
        self,
        model: PageModel,
        values: Mapping[str, Any],
        evaluate: Callable[[str, Mapping[str, Any]], Any],
    ) -> None:
        self.model = model
        self._values, self._evaluate = values, evaluate

    def evaluate(self, function: str) -> Any:
        """Its value, (1, ...)."""
        return np.asarray(self._evaluate(function, self._values))[None]


def still_of(run: Posed) -> str:
    """The element `svg`, seen from where the page's camera stands, without perspective."""
    return drawn(placed(run))


def drawn(shown: PlacedPicture) -> str:
    """The same of what is placed already, at its first time."""
    right, up, towards = _view(shown.description)
    plane = np.array([right, up]).T
    parts = []
    for solid, faces in zip(shown.solids, shown.faces(0), strict=True):
        points = np.unique(faces.reshape(-1, 3), axis=0)
        corners = outline(points @ plane)
        if len(corners) > 2:
            near = float((points @ towards).mean())
            parts.append(_DrawnPart(near, corners, solid.color, solid.opacity))
    for line in shown.lines:
        for piece in _pieces(line.points[0]):
            near = float((piece @ towards).mean())
            parts.append(_DrawnPart(near, piece @ plane, line.color, width=line.width))
    return _svg(shown.description["name"], sorted(parts, key=lambda part: part.near))


def _view(description: Mapping[str, Any]) -> tuple[Array, Array, Array]:
    """Axes of the picture in the world: to the right, upwards, towards who looks."""
    towards = np.array((description.get("camera") or {}).get("direction") or _TOWARDS, dtype=float)
    towards /= np.linalg.norm(towards)
    right = np.cross((0.0, 0.0, 1.0), towards)
    if np.linalg.norm(right) < 1e-6:
        right = np.array((1.0, 0.0, 0.0))
    right /= np.linalg.norm(right)
    return right, np.cross(towards, right), towards


def _pieces(points: Array) -> list[Array]:
    """The parts of a line between its gaps."""
    gaps = np.flatnonzero(~np.isfinite(points).all(axis=1))
    pieces = np.split(points, gaps)
    kept = [piece[np.isfinite(piece).all(axis=1)] for piece in pieces]
    return [piece for piece in kept if len(piece) > 1]


def outline(points: Array) -> Array:
    """Corners of the convex outline of points (k, 2), counterclockwise (Andrew's chain).

    >>> outline(np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]])).tolist()
    [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]
    """

    def half(ordered: Array) -> list[Array]:
        chain: list[Array] = []
        for p in ordered:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0:
                    break
                chain.pop()
            chain.append(p)
        return chain[:-1]

    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    return np.array([*half(ordered), *half(ordered[::-1])])


def _svg(name: str, parts: list[_DrawnPart]) -> str:
    """All parts fitted into the picture, the farthest first."""
    every = np.concatenate([part.points for part in parts]) if parts else np.zeros((1, 2))
    low, high = every.min(axis=0), every.max(axis=0)
    room = np.array([_WIDTH, _HEIGHT]) - 2 * _MARGIN
    scale = float((room / np.maximum(high - low, 1e-9 + 1e-6 * np.ptp(every))).min())
    middle, center = (low + high) / 2, np.array([_WIDTH, _HEIGHT]) / 2
    inside = "".join(
        part.drawn(center + (part.points - middle) * scale * (1, -1), scale) for part in parts
    )
    box = f"0 0 {_WIDTH:g} {_HEIGHT:g}"
    return f'<svg viewBox="{box}" role="img" aria-label="{html.escape(name)}">{inside}</svg>'
