"""Chains, cylinders, flexible joints and lumped cables: words that declare several elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.derive.model import Model, Placement, Point

_ROW = {"mass": 0.9, "com": (0.1, -0.05, 0.2), "inertia": (0.11, 0.12, 0.13, 0.01, 0.02, 0.03)}


def _chain(convention: str) -> Callable[[], Model]:
    def make() -> Model:
        model = Model(f"chain_{convention}", gravity=(0.3, 0.2, -9.81))
        links = [
            {"a": 0.3, "alpha": 0.4, "d": 0.2, "theta": 0.1, "damping": 0.3, **_ROW},
            {"a": 0.2, "alpha": -1.2, "d": 0.1, "kind": "prismatic", "theta": 0.5, **_ROW},
            {"a": 0.25, "alpha": "pi/2", "d": -0.1, "theta": -0.3, "name": "wrist", **_ROW},
        ]
        model.dh_chain(
            "arm",
            links=links,
            convention=convention,
            base=Placement((0.1, 0.2, 0.3), rpy=(0.3, 0.2, 0.1)),
            tool=Placement((0, 0, 0.2), rpy=(0, 0.4, 0)),
        )
        return model

    return make


def flexible() -> Model:
    """A hinge with a rotor and a spring."""
    model = Model("flexible", gravity=(0.3, 0.2, -9.81))
    model.body("link", **_ROW)
    model.flexible_joint(
        "elbow",
        parent="world",
        child="link",
        axis=(0.6, 0, 0.8),
        stiffness=40,
        damping=0.3,
        rotor_mass=0.2,
        rotor_inertia=0.1,
        placement=Placement((0.1, 0, 0.2), rpy=(0.2, 0.3, 0)),
        child_placement=(0.1, 0, 0.05),
    )
    return model


def _jack(name: str, **drive: Any) -> Callable[[], Model]:
    """A jib on a cylinder."""

    def make() -> Model:
        model = Model(name, gravity=(0, -9.81, 0))
        model.body("jib", mass=2, com=(1, 0.1, 0), inertia=(0.1, 1.3, 1.3))
        model.joint("luff", "revolute", parent="world", child="jib", axis=(0, 0, 1))
        model.cylinder(
            "jack",
            a=Point("world", (0.1, -1, 0.2)),
            b=Point("jib", (1.2, -0.1, 0.2)),
            axis=(0, 0, 2),
            direction=(1, 1, 0),
            length=1.2,
            barrel_mass=0.4,
            rod_mass=0.3,
            damping=0.5,
            **drive,
        )
        return model

    return make


def line() -> Model:
    """A cable of three links between a block that slides and the world."""
    model = Model("line", gravity=(0, 0.3, -9.81))
    model.body("block", mass=1.5)
    model.joint(
        "way", "prismatic", parent="world", child="block", axis=(1, 0, 0), placement=(0.1, 0.2, 0.3)
    )
    model.lumped_cable(
        "rope",
        a=Point("block", (0.1, 0, 0.05)),
        b=Point("world", (4, 1, 0.5)),
        length=3.6,
        line_mass=0.4,
        lumps=3,
        modulus=90,
        viscosity=2,
        width=0.05,
    )
    return model


MODELS: dict[str, Callable[[], Any]] = {
    "chain_standard": _chain("standard"),
    "chain_modified": _chain("modified"),
    "flexible": flexible,
    "jack_force": _jack("jack_force", force_limits=(-20, 30)),
    "jack_lag": _jack("jack_lag", lag=0.2, command="5*sin(t)"),
    "jack_given": _jack("jack_given", drive="extension"),
    "jack_flow": _jack(
        "jack_flow",
        drive="velocity",
        stiffness=300,
        lag=0.1,
        force_limits=(-20, 30),
        stroke=(-0.2, 0.4),
        stop={"kind": "spring", "stiffness": 1e3},
    ),
    "line": line,
}
