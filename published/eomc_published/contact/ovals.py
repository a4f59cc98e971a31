"""Of case 4: ellipsoids and rings on what is curved, against a search over their points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from eomc.binding.arrays import Array
from eomc.building import build
from eomc.derive.model import Model
from eomc_published.case import CaseCheck, at_most

_STONE, _EGG = np.array([0.2, 0.15, 0.1]), np.array([0.4, 0.3, 0.5])
_RING, _TUBE = 0.2, 0.05
_ELLIPSOID: dict[str, Any] = {
    "kind": "ellipsoid",
    "at": "stone",
    "semi_axes": tuple(_STONE.tolist()),
}
_TORUS: dict[str, Any] = {"kind": "torus", "at": "stone", "radius": _RING, "tube": _TUBE}
_PIPE: dict[str, Any] = {"kind": "cylinder", "at": "world", "radius": 3.0, "side": "inside"}
_CYLINDER: dict[str, Any] = {"kind": "cylinder", "at": "world", "radius": 0.3}
_BALL: dict[str, Any] = {"kind": "ellipsoid", "at": "world", "semi_axes": tuple(_EGG.tolist())}

Height = Callable[[Array], Array]
"""Distance of places (n, 3) from a surface."""


def _from_pipe(x: Array) -> Array:
    return np.asarray(3.0 - np.hypot(x[:, 0], x[:, 1]))


def _from_cylinder(x: Array) -> Array:
    return np.asarray(np.hypot(x[:, 0], x[:, 1]) - 0.3)


def _from_ball(x: Array) -> Array:
    """By bisection of the root t of sum (a y/(t + a^2))^2 = 1."""
    squares = _EGG**2
    low, high = np.zeros(len(x)), np.linalg.norm(_EGG * x, axis=1)
    for _ in range(70):
        t = (low + high) / 2
        above = np.sum((_EGG * x / (t[:, None] + squares)) ** 2, axis=1) > 1
        low, high = np.where(above, t, low), np.where(above, high, t)
    return np.asarray(np.linalg.norm(x - squares * x / (low[:, None] + squares), axis=1))


def _points(angles: Array) -> Array:
    a, b = angles.T
    way = [np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)]
    return np.asarray(np.stack(way, axis=1) * _STONE)


def _circle(angles: Array) -> Array:
    a = angles[:, 0]
    return np.asarray(_RING * np.stack([np.cos(a), np.sin(a), 0 * a], axis=1))


_PAIRS: dict[str, tuple[dict[str, Any], dict[str, Any], Height]] = {
    "egg_in_pipe": (_ELLIPSOID, _PIPE, _from_pipe),
    "egg_on_cylinder": (_ELLIPSOID, _CYLINDER, _from_cylinder),
    "egg_on_egg": (_ELLIPSOID, _BALL, _from_ball),
    "ring_in_pipe": (_TORUS, _PIPE, _from_pipe),
    "ring_on_cylinder": (_TORUS, _CYLINDER, _from_cylinder),
}


def searched(points: Callable[[Array], Array], height: Height, q: Array) -> float:
    """The least distance of any point: grids about the best one, each finer by a third."""
    R, center, width = _rotation(q[3:]), np.zeros(2), np.array([np.pi, np.pi / 2])
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, 61)] * 2), axis=-1).reshape(-1, 2)
    least = np.inf
    for k in range(36):
        angles = center + width * (grid if k == 0 else grid[::4])
        heights = height(q[:3] + points(angles) @ R.T)
        best = int(np.argmin(heights))
        least = min(least, float(heights[best]))
        center, width = angles[best], width / (8 if k == 0 else 2)
    return least


def _rotation(kappa: Array) -> Array:
    w, e = kappa[0], kappa[1:]
    turn = -np.cross(np.eye(3), -e)
    found = (2 * w * w - 1) * np.eye(3) + 2 * np.outer(e, e) + 2 * w * turn
    return np.asarray(found)


def on_what_is_curved() -> Iterator[CaseCheck]:
    """Near and far, at any attitude."""
    model = Model("pairs", gravity=(0, 0, 0))
    model.body("stone", mass=1, inertia=(1, 2, 2.5))
    model.joint("stone", "floating", parent="world", child="stone")
    for name, (shape, surface, _) in _PAIRS.items():
        model.contact(
            name, shape=shape, surface=surface, normal={"kind": "spring", "stiffness": 1e3}
        )
    compiled = build(model, functions=["element_outputs"], flags=("-O0",))
    rng = np.random.default_rng(4)
    q = rng.normal(size=(4, 7))
    q[:, :3] *= np.array([[0.7], [0.9], [1.2], [1.7]]) / np.linalg.norm(q[:, :2], axis=1)[:, None]
    q[:, 3:] /= np.linalg.norm(q[:, 3:], axis=1)[:, None]
    told = compiled.outputs(q, np.zeros((4, 6)))
    for name, (shape, _, height) in _PAIRS.items():
        points, tube = (_circle, _TUBE) if shape is _TORUS else (_points, 0.0)
        expected = [searched(points, height, at) - tube for at in q]
        off = float(np.abs(told[f"{name}.gap"] - expected).max())
        yield at_most(f"{name.replace('_', ' ')}: gap off a search [m]", off, 1e-12)
