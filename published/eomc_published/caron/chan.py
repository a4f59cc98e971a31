"""The two-link arm of Chan (1990), with which the thesis compares (figures 3-4 and 3-5)."""

from __future__ import annotations

from functools import cache
from math import pi

import numpy as np

from eomc.building import build
from eomc.derive.bodies.beam import Beam
from eomc.derive.model import Model
from eomc.runtime import Trajectory, simulate
from eomc.systems.flexible_manipulator.data import MU
from eomc.systems.flexible_manipulator.scenario import ORBIT, RADIUS, RATE, turn

LINK_MASS, LINK_LENGTH = 1600.0, 7.5
_STIFFNESS = {2: 3.0e6, 3: 2.0e6}


def two_links() -> Model:
    """A rigid platform of 214 t and 115 m, uniform links on flexible joints at its middle.

    Coordinates as of `Manipulator`: alpha2, alpha3 with twists, and one mode of each link.
    """
    model = Model("two_links", gravity=(0, 0, 0))
    across = 214e3 * 115.0**2 / 12
    model.body("platform", mass=214e3, inertia=(0, across, across))
    model.joint("orbit", "orbit_planar", parent="world", child="platform")
    parent = "platform"
    for i, stiffness in _STIFFNESS.items():
        beam = Beam(
            length=LINK_LENGTH,
            mass_per_length=LINK_MASS / LINK_LENGTH,
            EI=stiffness,
            modes=(1, 0),
            shapes="tip-mass" if i == 2 else "clamped-free",
            tip_mass_ratio=1.0 if i == 2 else 0.0,
        )
        model.body(f"unit{i}")
        model.deformable(f"unit{i}", beam)
        model.flexible_joint(
            f"alpha{i}", parent=parent, child=f"unit{i}", axis=(0, 0, 1), stiffness=1.2e5
        )
        model.prescribed(f"alpha{i}")
        parent = f"tip{i}"
        model.attachment(parent, body=f"unit{i}", at="tip")
    model.central_gravity("earth", mu=MU, expansion="second_order", about="platform")
    return model


@cache
def slewing() -> Trajectory:
    """Half a turn of the outer link in 0.01 orbit, then as long at rest."""
    model = build(two_links())
    motion = {"alpha2": pi / 2, "alpha3": turn(0, 180)}
    t = np.linspace(0, 0.02 * ORBIT, 2001)
    return simulate(
        model,
        {"orbit_r": RADIUS},
        {"orbit_theta": RATE},
        t,
        prescribed=motion,
        rtol=1e-9,
        atol=1e-12,
        progress=False,
    )
