"""The translational joint: what carries point masses."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc import Model, ModelError


def stone(kind: str) -> Model:
    model = Model("stone", gravity=(1.0, -2.0, -9.81))
    model.body("stone", mass=2)
    model.joint("place", kind, parent="world", child="stone")
    return model


def test_a_point_mass_falls_and_is_verified() -> None:
    model = stone("translational")
    model.force("wind", at="stone", direction=(1, 0, 0), magnitude="-3*speed(place_x)")
    compiled = eomc.build(model)
    assert compiled.coordinates == compiled.speeds == ("place_x", "place_y", "place_z")
    u = np.array([1.0, 2.0, 3.0])
    got = compiled.forward_dynamics(np.zeros(3), u, np.zeros(3))
    assert np.allclose(got, (1.0 - 1.5, -2.0, -9.81), rtol=1e-15)
    assert eomc.verify(model, quick=True).ok


def test_floating_point_masses_are_told_of_it() -> None:
    with pytest.raises(ModelError, match="'translational' lets a point mass move freely"):
        stone("floating").validate()


def test_it_closes_loops_with_losses() -> None:
    """A gantry of three slides held by the same joint once more: the damping acts there."""
    model = Model("gantry", gravity=(0, 0, -9.81))
    model.body("head", mass=1.5, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.15))
    model.joint("free", "floating", parent="world", child="head")
    model.joint("guide", "translational", parent="world", child="head", cut=True, damping=(1, 2, 3))
    compiled = eomc.build(model)
    run = eomc.simulate(compiled, u={"free_vx": 1.0}, t_span=1.0)
    assert run.u[-1, 0] == pytest.approx(np.exp(-1 / 1.5), rel=1e-6)
    assert np.allclose(run.q[-1, 3:], (1, 0, 0, 0), atol=1e-9)
