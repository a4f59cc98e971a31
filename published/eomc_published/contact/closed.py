"""Case 48: equilibrium and linearization with closed rigid contacts.

A ball of radius r in a bowl of radius R swings by w^2 = g/(R - r) if it slides, and by
w^2 = g/((R - r)(1 + 2/5)) if it rolls. A ladder that leans at an angle theta on a smooth wall, its
foot stuck, presses on the wall by m g/(2 tan theta).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, sqrt, tan
from typing import Any

import numpy as np

from eomc.building import build
from eomc.derive.model import Model
from eomc.runtime.equilibria import equilibrium
from eomc.runtime.linearization.linearize import linearize
from eomc_published.case import Case, CaseCheck, agrees

G, MASS, BOWL, BALL = 9.81, 2.0, 1.0, 0.1
RIGID = {"kind": "rigid", "restitution": 0}
DRY = {"kind": "dry", "kinetic": 0.6}


def _in_bowl(**laws: Any) -> Model:
    model = Model("bowl")
    model.body("ball", mass=MASS, inertia=(0.4 * MASS * BALL**2,) * 3)
    model.joint("free", "floating", parent="world", child="ball")
    shape = {"kind": "sphere", "at": "ball", "radius": BALL}
    bowl = {"kind": "sphere", "at": "world", "radius": BOWL, "side": "inside"}
    model.contact("touch", shape=shape, surface=bowl, normal=RIGID, **laws)
    return model.closed("touch")


def _bowls() -> Iterator[CaseCheck]:
    slow = sqrt(G / (BOWL - BALL))
    rolling: dict[str, Any] = {"friction": DRY}
    for word, laws, rate in (("slides", {}, slow), ("rolls", rolling, slow / sqrt(1.4))):
        model = build(_in_bowl(**laws))
        rest = equilibrium(model, {"free_x": 0.02, "free_z": -0.85})
        yield agrees(f"what {word} rests below", [0, 0, BALL - BOWL], rest.q[:3], 1e-10)
        yield agrees(f"and presses [N] ({word})", MASS * G, rest.multipliers[0], 1e-9)
        modes = linearize(model, q={"free_z": BALL - BOWL}).modes()
        found = 2 * pi * np.sort(modes.natural_frequency)[-2:]
        yield agrees(f"swinging [rad/s] ({word})", [rate, rate], found, 1e-9)


def _ladder() -> Iterator[CaseCheck]:
    angle, half = 1.0, 2.0
    model = Model("ladder")
    model.body("ladder", mass=MASS, inertia=(0.1, 3, 3))
    model.joint("way", "planar", parent="world", child="ladder", axis=(0, 1, 0))
    ends: tuple[tuple[str, float, dict[str, Any]], ...] = (
        ("foot", -half, {"friction": DRY}),
        ("top", half, {}),
    )
    for name, end, laws in ends:
        at = {"body": "ladder", "xyz": (end, 0, 0)}
        wall: dict[str, Any] = {"body": "world", "xyz": (2 * half * cos(angle), 0, 0)}
        side: dict[str, Any] = (
            {"at": "world"} if name == "foot" else {"at": wall, "normal": (-1, 0, 0)}
        )
        shape, surface = {"kind": "point", "at": at}, {"kind": "plane", **side}
        model.contact(name, shape=shape, surface=surface, normal=RIGID, **laws)
    compiled = build(model.closed("foot", "top"))
    place = {"way_x": half * sin(angle), "way_y": half * cos(angle), "way_theta": -angle}
    rest = equilibrium(compiled, place)
    told = dict(zip(compiled.output_names("constraint_jacobian"), rest.multipliers, strict=True))
    push = MASS * G / (2 * tan(angle))
    yield agrees(
        "wall and floor [N]",
        [push, MASS * G],
        [float(told["top.gap"]), float(told["foot.gap"])],
        1e-9,
    )


def _closed() -> Iterator[CaseCheck]:
    yield from _bowls()
    yield from _ladder()


CASES = (
    Case(
        48, "Closed rigid contacts", "exact", "equilibria, their forces and small motions", _closed
    ),
)
