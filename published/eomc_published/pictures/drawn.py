"""Case 14: figures of matplotlib show bodies where kinematics by hand puts them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from math import cos, sin
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc.derive.placement.placement import Point
from eomc.runtime.picture.placed import placed
from eomc.runtime.plot.canvas import Canvas, plane_of
from eomc_published.case import Case, CaseCheck, agrees, at_most, holds
from eomc_published.pictures.shapes import Still

_PIXELS = 800
_FIRST, _SECOND = 0.8, 0.6
_COLORS = {"upper": "#ff00ff", "lower": "#00ff00"}


def _arms(spatial: bool) -> Model:
    """Two arms with a ball at the end of each; the second hinge is across the first, or along."""
    model = Model("arms")
    places = {"upper": (0, 0, 0), "lower": (0, 0, -_FIRST)}
    for name, parent, length in (("upper", "world", _FIRST), ("lower", "upper", _SECOND)):
        model.body(name, mass=1, com=(0, 0, -length / 2), inertia=(0.1, 0.1, 0.01))
        axis = (1, 0, 0) if spatial and name == "lower" else (0, 1, 0)
        model.joint(
            f"{name}_hinge",
            "revolute",
            parent=parent,
            child=name,
            axis=axis,
            placement=places[name],
        )
        model.visual(
            f"{name}_ball",
            body=name,
            shape={"kind": "sphere", "radius": 0.05},
            color=_COLORS[name],
            placement=(0, 0, -length),
        )
    return model


def _by_hand(q: Array, spatial: bool) -> dict[str, Array]:
    """Centres of the balls: turns about y, then about y again or about the turned x."""
    a, b = q
    down, side = np.array([-sin(a), 0, -cos(a)]), np.array([-cos(a), 0, sin(a)])
    across = np.array([0.0, 1.0, 0.0]) if spatial else side
    upper = _FIRST * down
    return {"upper": upper, "lower": upper + _SECOND * (cos(b) * down + sin(b) * across)}


def _centroid(image: Array, color: str) -> Array:
    """Of the pixels of a pure colour, whatever the light [px from the lower left]."""
    full = np.array([color[k : k + 2] == "ff" for k in (1, 3, 5)])
    seen = np.all(np.where(full, image > 110, image < 40), axis=2)
    rows, columns = np.nonzero(seen)
    if not len(rows):
        return np.full(2, np.nan)
    return np.array([columns.mean() + 0.5, len(image) - rows.mean() - 0.5])


def _figure(spatial: bool) -> Iterator[CaseCheck]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d import proj3d

    model = build(_arms(spatial), functions=["poses"])
    states = np.array([[0.5, 0.9], [-1.1, 0.4], [2.3, -0.8]])
    shown = placed(Still(model, states))
    plane = plane_of(shown.skeleton)
    name = "in space" if spatial else "in a plane"
    yield holds(
        f"{name}: drawn so",
        name,
        name if (plane is None) is spatial else str(plane),
        (plane is None) is spatial,
    )
    figure = Figure(figsize=(8, 8), dpi=_PIXELS / 8)
    canvas: Any = FigureCanvasAgg(figure)
    ax: Any = figure.add_subplot(projection="3d" if spatial else None)
    drawn = Canvas(ax, shown, plane)
    for row, q in enumerate(states):
        drawn.show(row)
        canvas.draw()
        image = np.asarray(canvas.buffer_rgba())[:, :, :3].astype(float)
        for body, at in _by_hand(q, spatial).items():
            flat = proj3d.proj_transform(*at, ax.get_proj())[:2] if spatial else at[[0, 2]]
            expected = ax.transData.transform(flat)
            off = float(np.linalg.norm(_centroid(image, _COLORS[body]) - expected))
            yield at_most(f"{name}, state {row + 1}: ball of {body} [px of 800]", off, 2.0)


def _coil() -> Iterator[CaseCheck]:
    """A coil from its one end to the other, round in between, whatever the motion."""
    model = Model("hung", gravity=(0, 0, 0))
    model.body("weight", mass=1)
    model.joint("free", "translational", parent="world", child="weight")
    ends = (0.1, 0.2, 0.9), (0.0, 0.05, 0.1)
    model.spring("coil", Point("world", ends[0]), Point("weight", ends[1]), stiffness=1)
    compiled = build(model, functions=["poses"])
    q = np.random.default_rng(14).uniform(-0.5, 0.5, (8, 3))
    shown = placed(Still(compiled, q))
    (line,) = [line for line in shown.lines if line.record["kind"] == "spring"]
    first = np.broadcast_to(ends[0], q.shape)
    last = q + np.array(ends[1])
    yield agrees("first ends of the coil [m]", first, line.points[:, 0], 1e-12)
    yield agrees("last ends of the coil [m]", last, line.points[:, -1], 1e-12)
    along = (last - first) / np.linalg.norm(last - first, axis=1, keepdims=True)
    turns = line.points[:, 2:-2] - first[:, None]
    across = turns - np.einsum("nki,ni->nk", turns, along)[:, :, None] * along[:, None]
    radius = np.linalg.norm(across, axis=2)
    yield agrees(
        "radius of the coil [m]",
        np.full(radius.shape, 1.3 * shown.description["radius"]),
        radius,
        1e-6,
    )


def _all() -> Iterator[CaseCheck]:
    yield from _figure(spatial=False)
    yield from _figure(spatial=True)
    yield from _coil()


def _lacking() -> str:
    return "" if find_spec("matplotlib") else "matplotlib is not here: pip install 'eomc[plot]'"


CASES = (
    Case(
        14,
        "figures",
        "balls on two arms in figures of matplotlib, and a coil",
        "kinematics by hand, projected as the axes say",
        _all,
        unavailable=_lacking(),
    ),
)
