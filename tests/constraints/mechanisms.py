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


def five_bar() -> Model:
    """Two cranks and two bars between them, one joint cut; losses in the cranks."""
    model = Model("five_bar", gravity=(0, -9.81, 0))
    for name, length in (("p", 1.0), ("q", 1.5), ("r", 1.5), ("s", 1.0)):
        model.body(name, mass=length, com=(length / 2, 0, 0), inertia=(0.01, 0.2, 0.2))
    for name, parent, child, at in (
        ("j1", "world", "p", 0),
        ("j2", "p", "q", 1),
        ("j3", "world", "s", 1.2),
        ("j4", "s", "r", 1),
    ):
        damping = {"damping": 0.3} if parent == "world" else {}
        model.joint(
            name,
            "revolute",
            parent=parent,
            child=child,
            axis=(0, 0, 1),
            placement=(at, 0, 0),
            **damping,
        )
    model.joint(
        "j5",
        "revolute",
        parent="q",
        child="r",
        axis=(0, 0, 1),
        cut=True,
        placement=(1.5, 0, 0),
        child_placement=(1.5, 0, 0),
    )
    return model
