"""Constraints, loops that redundancy visits, and systems of SymPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from constraints.compiled import spatial_loop
from constraints.mechanisms import four_bar
from constraints.test_linkages import bennett
from constraints.test_massless import _with_body, _with_distance
from lagrange.example_systems import constrained_pendulum, knife_edge
from lagrange.test_compiled import bead_on_a_turning_hoop
from lagrange.test_full_citizens import disc, linkage

from eomc.derive.model import Model


def coin() -> Model:
    """A coin that rolls."""
    model = Model("coin", gravity=(0, 0, -9.81))
    model.body("coin", mass=1.0, inertia=(0.02, 0.04, 0.02))
    model.joint("free", "floating_euler", parent="world", child="coin", sequence="zxy")
    model.constraint(
        "roll",
        "rolling_contact",
        shape={"kind": "disc", "at": "coin", "radius": 0.3, "axis": (0, 1, 0)},
        surface={"kind": "plane", "at": "world", "normal": (0.0, 0.0, 1.0)},
    )
    return model


def pushed() -> Model:
    """A four-bar whose crank is driven by a law of time."""
    model = four_bar("c")
    model.constraint("drive", "driver", first="a", expression="0.3*sin(2*t)")
    return model


def flat() -> Model:
    """A body in a plane, and one that only shifts, joined by a spring."""
    model = Model("flat", gravity=(0.3, -9.81, 0.4))
    model.body("plate", mass=1.3, com=(0.1, 0.05, 0), inertia=(0.1, 0.2, 0.25))
    model.joint("lies", "planar_body", parent="world", child="plate", axis=(0, 0.6, 0.8))
    model.body("stone", mass=0.7)
    model.joint("goes", "translational", parent="plate", child="stone")
    model.spring("band", a="plate", b="stone", stiffness=20, free_length=0.1)
    return model


MODELS: dict[str, Callable[[], Any]] = {
    "coin": coin,
    "pushed": pushed,
    "spatial_loop": spatial_loop,
    "bennett": lambda: bennett().cut_at(2),
    "massless": lambda: _with_body(0.0),
    "distance": _with_distance,
    "flat": flat,
    "constrained_pendulum": constrained_pendulum,
    "knife_edge": knife_edge,
    "hoop": bead_on_a_turning_hoop,
    "disc": disc,
    "linkage": linkage,
}
