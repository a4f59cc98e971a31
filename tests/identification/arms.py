"""Arms to identify, and what is measured of them."""

from __future__ import annotations

from functools import cache

import numpy as np

import eomc
from eomc.runtime.identification import exciting_motion

FUNCTIONS = ("inverse_dynamics", "regressor", "inertial_parameters", "neutral")


def arm() -> eomc.Model:
    """Three turns and a slide, with a spring that is known."""
    model = eomc.Model("arm", gravity=(0, 0, -9.81))
    for k, name in enumerate(("turret", "boom", "stick", "piston")):
        model.body(
            name,
            mass=4.0 - k,
            com=(0.1, 0.05 * k, 0.2),
            inertia=(0.08, 0.06, 0.05, 0.004, -0.003, 0.002),
        )
    limits = {"lower": -2, "upper": 2, "velocity_limit": 3}
    model.joint(
        "yaw",
        "revolute",
        parent="world",
        child="turret",
        axis=(0, 0, 1),
        rotor_inertia=0.1,
        **limits,
    )
    model.joint(
        "lift",
        "revolute",
        parent="turret",
        child="boom",
        axis=(0, 1, 0),
        placement=(0.1, 0, 0.4),
        **limits,
    )
    model.joint(
        "bend",
        "revolute",
        parent="boom",
        child="stick",
        axis=(0, 1, 0),
        placement=(0.6, 0, 0),
        **limits,
    )
    model.joint(
        "reach",
        "prismatic",
        parent="stick",
        child="piston",
        axis=(1, 0, 0),
        placement=(0.4, 0, 0),
        lower=0,
        upper=0.3,
        velocity_limit=0.5,
    )
    model.joint_spring("balance", joint="lift", stiffness=30, free_angle=0.2)
    return model


@cache
def compiled() -> eomc.CompiledModel:
    """The arm."""
    return eomc.build(arm(), functions=FUNCTIONS, flags=("-O0",))


@cache
def measured() -> tuple[np.ndarray, ...]:
    """(q, u, a, tau) along an exciting motion, exact."""
    found = exciting_motion(compiled(), period=6.0, acceleration=15.0, iterations=10)
    sample = found.motion(np.linspace(0, 6, 150, endpoint=False))
    return (*sample, compiled().inverse_dynamics(*sample))
