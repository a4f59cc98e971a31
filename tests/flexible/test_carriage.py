"""A carriage rides along a flexible free beam: nothing of momentum and energy is lost."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.bodies import Beam
from eomc.derive.model import Model

pytestmark = pytest.mark.variants


@pytest.mark.parametrize("stiffening", [False, True])
def test_riding_along_a_flexible_platform(stiffening: bool) -> None:
    model = Model("rail", gravity=(0, 0, 0))
    rail = Beam(
        length=12,
        mass_per_length=4,
        EI=3e3,
        modes=(2, 0),
        shapes="free-free",
        origin="middle",
        stiffening=stiffening,
    )
    model.deformable("rail", rail)
    model.joint("base", "planar", parent="world", child="rail")
    model.body("cart", mass=15, inertia=(2, 2, 2), com=(0, 0.4, 0))
    model.joint("ride", "track", parent="rail", child="cart")
    names = ("forward_dynamics", "kinetic_energy", "potential_energy", "momentum")
    built = eomc.build(model, functions=names)
    start = {"ride": -3.0, "rail_y1": 0.1, "rail_y2": -0.03}
    speeds = {"ride": 0.8, "base_theta": 0.15, "base_x": 0.1}
    run = eomc.simulate(built, start, speeds, t_span=6.0, rtol=1e-10, atol=1e-12)
    assert run["ride"][-1] > 0
    assert np.ptp(run.energy) < 1e-8 * run.energy[0]
    momenta = np.array([built.momentum(q, u) for q, u in zip(run.q, run.u, strict=True)])
    assert np.max(np.ptp(momenta, axis=0)) < 1e-8 * np.max(np.abs(momenta))
