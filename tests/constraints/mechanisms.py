"""Mechanisms with loops."""

from __future__ import annotations

from typing import Any

from eomc.derive.model import Model

LENGTHS = {"crank": 1.0, "coupler": 2.0, "rocker": 1.5}


def four_bar(cut: str | None = None, **joints: Any) -> Model:
    """In the xy plane; world -a- crank -b- coupler -c- rocker -d- world, `joints` more of each."""
    model = Model("four_bar", gravity=(0, -9.81, 0))
    for name, length in LENGTHS.items():
        inertia = (0.01, length**3 / 6, length**3 / 6)
        model.body(name, mass=2 * length, com=(length / 2, 0, 0), inertia=inertia)
    ends: dict[str, dict[str, Any]] = {
        "a": {"parent": "world", "child": "crank"},
        "b": {"parent": "crank", "child": "coupler", "placement": (1, 0, 0)},
        "d": {"parent": "world", "child": "rocker", "placement": (2, 0, 0)},
        "c": {
            "parent": "coupler",
            "child": "rocker",
            "placement": (2, 0, 0),
            "child_placement": (1.5, 0, 0),
        },
    }
    for name, between in ends.items():
        more = {**between, **joints.get(name, {})}
        model.joint(name, "revolute", axis=(0, 0, 1), **{"cut": name == cut, **more})
    return model
