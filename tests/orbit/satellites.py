"""Satellites about the Earth, for the tests of gravity and orbits."""

from __future__ import annotations

import numpy as np

from eomc.derive.model import Model

MU = 398600.4418e9
RADIUS = 6778e3
RATE = float(np.sqrt(MU / RADIUS**3))
"""Mean motion of the circular orbit of that radius [rad/s]."""


def robot(**gravity: object) -> Model:
    """A satellite on spherical coordinates with an arm on a skew hinge, masses off the origins."""
    model = Model("robot", gravity=(0, 0, 0))
    model.body("frame")
    model.body("sat", mass=100, com=(0.1, 0.2, -0.1), inertia=(30, 50, 60, 1, 2, -3))
    model.body("box", mass=7, com=(0.1, 0, 0.3), inertia=(1, 2, 2.5))
    model.body("arm", mass=10, com=(1, 0, 0), inertia=(0.1, 3, 3))
    model.joint("orbit", "orbit_spherical", parent="world", child="frame")
    model.joint("attitude", "spherical_euler", parent="frame", child="sat", sequence="zyx")
    model.joint("mount", "fixed", parent="sat", child="box", placement=(0.3, 0.1, -1))
    # A rotation whose entries are exact: others, rounded, are not orthogonal to better than 1e-16.
    place = {"xyz": (1, 0, 0.5), "rotation": ((0, 0, 1), (1, 0, 0), (0, 1, 0))}
    model.joint("elbow", "revolute", parent="sat", child="arm", axis=(0, 1, 0), placement=place)
    model.central_gravity("earth", mu=MU, **gravity)
    return model


def dumbbell(mass: float = 50.0, half: float = 10.0, *, joint: str = "orbit_planar") -> Model:
    """Two equal point masses on a massless rod along x, its middle at the origin."""
    model = Model("dumbbell", gravity=(0, 0, 0))
    model.body("rod")
    model.joint("orbit", joint, parent="world", child="rod")
    for name, x in (("ahead", half), ("behind", -half)):
        model.body(name, mass=mass)
        model.joint(name, "fixed", parent="rod", child=name, placement=(x, 0, 0))
    return model
