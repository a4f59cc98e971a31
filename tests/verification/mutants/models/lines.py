"""Cables that hang, tendons that slacken, and rods of every order and basis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.derive.model import Model, Point


def mooring() -> Model:
    """A buoy on a line that sags, and on one that is taut, down a slope."""
    model = Model("mooring", gravity=(0.3, 0.2, -9.81))
    model.body("buoy", mass=20, com=(0.1, 0, 0.05), inertia=(1, 2, 1.5))
    model.joint(
        "swing",
        "revolute",
        parent="world",
        child="buoy",
        axis=(0, 0.6, 0.8),
        placement=(0.5, 0.2, 0.1),
    )
    model.catenary(
        "slack",
        a=Point("world", (4, 1, -3)),
        b=Point("buoy", (0.8, 0.1, 0.2)),
        length=7,
        weight=12,
        modulus=5e3,
    )
    model.catenary(
        "taut",
        a=Point("buoy", (0.9, -0.1, 0)),
        b=Point("world", (-3, 0, 2)),
        length=3,
        weight=5,
        modulus=2e3,
        area=0.4,
    )
    return model


def braked() -> Model:
    """A block between cables whose damping outweighs their elasticity, one of which may push."""
    model = Model("braked", gravity=(0.3, 0, -9.81))
    model.body("block", mass=1.5)
    model.joint("way", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    for name, x, damping in (("ahead", 2, "pulls"), ("behind", -2, "pushes")):
        model.cable(
            name,
            [Point("world", (x, 0.3, 0)), Point("block", (x / 8, 0, 0))],
            length=1.5,
            modulus=20,
            viscosity=30,
            damping=damping,
        )
    return model


def _rod(name: str, **more: Any) -> Model:
    model = Model(name, gravity=(0.4, -9.81, 0.3))
    given: dict[str, Any] = {
        "length": 1.3,
        "mass_per_length": "0.7*(1 - x/4)",
        "EI": (1, 2),
        "GJ": 1.5,
        "EA": 300,
        "GA": (200, 150),
        "damping": 0.02,
        "section_inertia": (0.03, 0.01, 0.02),
    }
    model.deformable("rod", "rod", **{**given, **more})
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 0.6, 0.8))
    return model


def ribbon() -> Model:
    """Of the sixth order, twist and bending coupled, one shape held; a load midway."""
    model = _rod(
        "ribbon",
        strains={"twist": 1, "bend_y": 2},
        order=6,
        points=3,
        coupling=[("twist", "bend_y", "0.3 + x/9")],
        fixed={"ky2": 0.2},
    )
    model.body("bob", mass=0.4, com=(0.1, 0.02, 0))
    model.joint("grip", "attachment", parent="rod", child="bob", at=0.4)
    return model


def strip() -> Model:
    """Of the second order, in two pieces, by powers and splines; tendons slack and damped."""
    model = _rod(
        "strip",
        order=2,
        points=2,
        curvature=(0, 0, 0.3),
        strains={
            "bend_z": {"kind": "polynomial", "degree": 0},
            "stretch": {"kind": "b-spline", "degree": 0, "knots": [0.6]},
        },
    )
    model.parameter("wound", 0.6)
    model.tendon(
        "inner",
        body="rod",
        offset=(0.05, 0.02),
        start="root",
        end="tip",
        stiffness=30,
        damping=2,
        free_length="wound + hinge/9",
    )
    model.tendon(
        "outer",
        body="rod",
        offset=("x/30 - 0.05", 0.01),
        end=0.9,
        stiffness=20,
        free_length="wound + 0.3",
    )
    return model


MODELS: dict[str, Callable[[], Any]] = {
    "mooring": mooring,
    "braked": braked,
    "ribbon": ribbon,
    "strip": strip,
}
