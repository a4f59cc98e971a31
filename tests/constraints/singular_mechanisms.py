"""Plane mechanisms whose branches of motion meet, with starts on one branch and its measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from eomc.binding.arrays import Array
from eomc.derive.model import Model

AXIS = (0, 0, 1)


@dataclass(frozen=True)
class Mechanism:
    """start : speed of the crank -> (q, u); off : q (n, nq) -> distance from the branch."""

    model: Model
    start: Callable[[float], tuple[dict[str, float], dict[str, float]]]
    off: Callable[[Array], Array]


def bar(model: Model, name: str, length: float, size: float = 1.0, mass: float = 1.0) -> None:
    """A bar along x."""
    model.body(
        name,
        mass=mass,
        com=(size * length / 2, 0, 0),
        inertia=tuple(mass * size**2 * entry for entry in (0.01, 0.1, 0.1)),
    )


def parallelograms(count: int, size: float = 1.0, mass: float = 1.0) -> Mechanism:
    """Cranks of length 1 in a row, their ends joined by couplers of length 2."""
    model = Model(f"parallelograms_{count}", gravity=(0, -9.81 * size, 0))
    for k in range(count + 1):
        bar(model, f"c{k}", 1.0, size, mass)
        place = (2.0 * size * k, 0, 0)
        model.joint(f"c{k}", "revolute", parent="world", child=f"c{k}", axis=AXIS, placement=place)
    tip, end = (size, 0, 0), (2.0 * size, 0, 0)
    for k in range(count):
        bar(model, f"b{k}", 2.0, size, mass)
        model.joint(f"b{k}", "revolute", parent=f"c{k}", child=f"b{k}", axis=AXIS, placement=tip)
        model.joint(
            f"d{k}",
            "revolute",
            parent=f"b{k}",
            child=f"c{k + 1}",
            axis=AXIS,
            placement=end,
            child_placement=tip,
            cut=True,
        )
    signs = {name: -1.0 if name[0] == "b" else 1.0 for name in model.coordinates}

    def start(speed: float) -> tuple[dict[str, float], dict[str, float]]:
        return dict(signs), {name: sign * speed for name, sign in signs.items()}

    def off(q: Array) -> Array:
        found: Array = np.abs(q * list(signs.values()) - q[:, :1]).max(axis=1)
        return found

    return Mechanism(model, start, off)


def isosceles_slider_crank() -> Mechanism:
    """Crank and rod of length 1: the slider passes the crank's pivot, or stays there."""
    model = Model("isosceles", gravity=(0, -9.81, 0))
    bar(model, "crank", 1.0)
    bar(model, "rod", 1.0)
    model.body("slider", mass=1.0)
    model.joint("crank", "revolute", parent="world", child="crank", axis=AXIS)
    model.joint("rod", "revolute", parent="crank", child="rod", axis=AXIS, placement=(1, 0, 0))
    model.joint("slider", "prismatic", parent="world", child="slider", axis=(1, 0, 0))
    model.joint(
        "pin", "revolute", parent="rod", child="slider", axis=AXIS, placement=(1, 0, 0), cut=True
    )

    def start(speed: float) -> tuple[dict[str, float], dict[str, float]]:
        q = {"crank": 0.3, "rod": -0.6, "slider": 2 * np.cos(0.3)}
        return q, {"crank": speed, "rod": -2 * speed, "slider": -2 * speed * np.sin(0.3)}

    return Mechanism(model, start, lambda q: np.abs(q[:, 1] + 2 * q[:, 0]))


def _rocker(crank: float) -> float:
    """Of the deltoid: its end is the crank's pivot mirrored at the line through the crank's end."""
    return float(np.pi + 2 * np.arctan2(-np.sin(crank), 2 - np.cos(crank)))


def deltoid() -> Mechanism:
    """Crank and coupler of length 1, rocker and ground of length 2."""
    model = Model("deltoid", gravity=(0, -9.81, 0))
    for name, length in (("crank", 1.0), ("coupler", 1.0), ("rocker", 2.0)):
        bar(model, name, length)
    model.joint("a", "revolute", parent="world", child="crank", axis=AXIS)
    model.joint("b", "revolute", parent="crank", child="coupler", axis=AXIS, placement=(1, 0, 0))
    model.joint("d", "revolute", parent="world", child="rocker", axis=AXIS, placement=(2, 0, 0))
    model.joint(
        "c",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=AXIS,
        placement=(1, 0, 0),
        child_placement=(2, 0, 0),
        cut=True,
    )

    def coordinates(crank: float) -> dict[str, float]:
        rocker = _rocker(crank)
        end = np.array([2 + 2 * np.cos(rocker), 2 * np.sin(rocker)])
        along = end - [np.cos(crank), np.sin(crank)]
        return {"a": crank, "b": float(np.arctan2(along[1], along[0])) - crank, "d": rocker}

    def start(speed: float) -> tuple[dict[str, float], dict[str, float]]:
        small, here = 1e-6, coordinates(1.0)
        there, back = coordinates(1.0 + small), coordinates(1.0 - small)
        return here, {name: (there[name] - back[name]) / (2 * small) * speed for name in here}

    def off(q: Array) -> Array:
        wanted = np.array([_rocker(crank) for crank in q[:, 0]])
        found: Array = np.abs(2 * np.sin((q[:, 2] - wanted) / 2))
        return found

    return Mechanism(model, start, off)


MECHANISMS: dict[str, Callable[[], Mechanism]] = {
    "parallelogram": partial(parallelograms, 1),
    "two parallelograms": partial(parallelograms, 2),
    "isosceles slider-crank": isosceles_slider_crank,
    "deltoid": deltoid,
}
