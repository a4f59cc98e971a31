"""Cables, contacts, bearings, unknowns and orbits."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from contacts.test_ovals import in_pipe
from contacts.test_rigid import ball
from element_states.test_algebraic import _TABLE
from joints.test_involutes import KINDS, ends
from orbit.satellites import dumbbell, robot
from verification.test_cable_witness import WITNESSES

from eomc.derive.formats.toml import parse_toml
from eomc.derive.model import Model, Point


def sledge() -> Model:
    """A blunt body that rubs by bristles on a plane."""
    model = Model("sledge")
    model.body("sledge", mass=1, inertia=(0.1, 0.2, 0.25))
    model.joint("free", "floating", parent="world", child="sledge")
    model.contact(
        "ahead",
        shape={"kind": "ellipsoid", "at": "sledge", "semi_axes": (1, 0.5, 0.3)},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 100, "exponent": 1.5, "dissipation": 0.3},
        friction={
            "kind": "bristles",
            "stiffness": 10,
            "kinetic": 0.3,
            "static": 0.4,
            "stribeck_speed": 1,
            "damping": 0.1,
        },
        width=0.1,
    )
    return model


def bouncer() -> Model:
    """Soft contacts of a sphere and a box in a plane."""
    model = Model("bouncer")
    model.body("box", mass=1, com=(0.05, 0, 0.02), inertia=(0.1, 0.2, 0.25))
    model.joint("way", "planar", parent="world", child="box", axis=(0, 1, 0.1))
    model.contact(
        "corner",
        shape={"kind": "box", "at": "box", "half_sizes": (0.3, 0.2, 0.1)},
        surface={"kind": "plane", "at": "world", "normal": (0.1, 0, 1)},
        normal={"kind": "spring", "stiffness": 100, "dissipation": 0.3},
        friction={"kind": "coulomb", "coefficient": 0.3, "slip_speed": 0.1},
        width=0.1,
    )
    model.contact(
        "side",
        shape={"kind": "sphere", "at": "box", "radius": 0.2},
        surface={"kind": "sphere", "at": {"body": "world", "xyz": (0.4, 0, 0)}, "radius": 0.3},
        normal={
            "kind": "spring",
            "stiffness": 50,
            "exponent": 1.5,
            "restitution": 0.7,
            "speed": 0.5,
        },
        width=0.1,
    )
    model.stop("wall", "way_x", {"kind": "spring", "stiffness": 1e3}, lower=-0.5)
    return model


def creeping() -> Model:
    """A wheel that creeps on its rail."""
    model = Model("wheel")
    model.body("wheel", mass=2, inertia=(0.10, 0.16, 0.10))
    model.joint("free", "floating", parent="world", child="wheel")
    model.contact(
        "rail",
        shape={"kind": "disc", "at": "wheel", "radius": 0.4, "axis": (0, 1, 0)},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 1e3},
        width=0.1,
        friction={
            "kind": "creep",
            "along": 10,
            "across": 8,
            "load": 20,
            "rolling_speed": 0.2,
            "spin": 2,
            "spin_moment": 0.5,
            "limit": 0.3,
        },
    )
    return model


def journal() -> Model:
    """A pendulum on a journal, with a slide that jams."""
    model = Model("journal", gravity=(0.3, 0.2, -9.81))
    model.body("arm", mass=1.3, com=(0, 0.1, -0.7), inertia=(0.05, 0.06, 0.07))
    model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 1, 0))
    model.bearing(
        "rub", speed="hinge", friction=0.4, radius=0.12, slip_speed=1e-2, minimum_load=1e-3
    )
    model.body("block", mass=0.5, com=(0, 0, 0.3), inertia=(0.1, 0.1, 0.1))
    model.joint("way", "prismatic", parent="arm", child="block", axis=(1, 0, 0))
    model.bearing("guide", speed="way", friction=0.2, span=0.5, slip_speed=1e-2, minimum_load=1e-3)
    return model


def orbit(kind: str, **gravity: Any) -> Callable[[], Model]:
    """A satellite with an arm near an attracting mass."""

    def make() -> Model:
        model = Model(kind, gravity=(0, 0, 0))
        model.body("frame", mass=3, com=(0.1, -0.3, 0.2), inertia=(1, 2, 2.5, 0.1, 0.2, -0.1))
        model.joint("orbit", kind, parent="world", child="frame")
        model.body("arm", mass=1, com=(0.5, 0, 0.1), inertia=(0.1, 0.3, 0.3))
        model.joint(
            "elbow",
            "revolute",
            parent="frame",
            child="arm",
            axis=(0, 1, 0),
            placement=(0.3, 0.1, 0),
        )
        model.central_gravity("earth", mu=50.0, **gravity)
        return model

    return make


def near_planet() -> Model:
    """Two points close to an attracting mass."""
    model = dumbbell(half=0.4, joint="orbit_planar")
    model.central_gravity("earth", mu=50.0, expansion="exact")
    return model


def tether() -> Model:
    """A rope that goes slack."""
    model = Model("bob")
    model.body("bob", mass=2, inertia=(0.01, 0.01, 0.01))
    model.joint("free", "translational", parent="world", child="bob", placement=(0.5, 0, 0))
    model.tether("string", route=["world", Point("bob", (0, 0, 0))], length=1.0)
    return model


def limited() -> Model:
    """A variable that an equation finds in one step, but not beyond its ends."""
    model = Model("limited", gravity=(0.3, 0, -9.81))
    model.body("bob", mass=1.1, com=(0.1, 0, -0.5), inertia=(0.1, 0.2, 0.15))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    model.algebraic("w", equation="2*w - hinge - 0.1", lower=-0.4, upper=0.4)
    model.generalized_force("back", "hinge", "-3*w")
    return model


def progressive() -> Model:
    """A slide on a spring whose law has a power that is neither whole nor half."""
    model = Model("progressive", gravity=(0.3, 0, -9.81))
    model.body("block", mass=1.1)
    model.joint("way", "prismatic", parent="world", child="block", axis=(0.6, 0, 0.8))
    model.joint_spring("spring", joint="way", law="7*x*(1 + x**2)**(1/3) + 0.2*v")
    return model


MODELS: dict[str, Callable[[], Any]] = {
    **WITNESSES,
    "limited": limited,
    "progressive": progressive,
    "sledge": sledge,
    "bouncer": bouncer,
    "wheel": creeping,
    "in_pipe": partial(in_pipe, 1e4),
    "rigid_ball": partial(ball, friction={"kind": "dry", "kinetic": 0.3}),
    "tether": tether,
    "journal": journal,
    "pulled": partial(parse_toml, _TABLE),
    "involutes": partial(ends, *KINDS),
    "robot": robot,
    "orbit_planar": orbit("orbit_planar"),
    "dumbbell": near_planet,
    "orbit_polar": orbit("orbit_polar"),
    "orbit_spherical": orbit("orbit_spherical", expansion="second_order"),
}
