"""A speed that moves links of several branches, and a constraint that holds them."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.model import Model, Point


def test_geared_cranks_that_carry_a_rod() -> None:
    """M a + c = G^T lambda, G a + g = 0, solved by a dense method."""
    model = Model("geared", gravity=(0, -9.81, 0))
    for name in ("a", "b"):
        model.body(name, mass=1, com=(0.5, 0, 0), inertia=(0.1, 0.2, 0.3))
    model.joint("a", "revolute", parent="world", child="a", axis=(0, 0, 1))
    model.joint(
        "b",
        "revolute",
        parent="world",
        child="b",
        axis=(0, 0, 1),
        placement=(2, 0, 0),
        mimic={"joint": "a", "multiplier": -0.5},
    )
    model.body("rod", mass=1, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.joint("e", "revolute", parent="a", child="rod", axis=(0, 0, 1), placement=(1, 0, 0))
    model.body("slider", mass=2)
    model.joint("s", "prismatic", parent="b", child="slider", axis=(1, 0, 0))
    model.constraint("bar", "distance", a=Point("rod", (1, 0, 0)), b="slider", length=2.0)
    built = eomc.build(model)
    at = eomc.assemble(built, {"a": 1.1, "e": -0.7, "s": 0.3}, {"a": 1.0})
    g, bias = built.constraint_jacobian(at.q), built.constraint_bias(at.q, at.u)
    mass, force = built.mass_matrix(at.q), built.bias(at.q, at.u)
    whole = np.block([[mass, -g.T], [-g, np.zeros((1, 1))]])
    expected = np.linalg.solve(whole, np.concatenate([-force, bias]))
    assert built.forward_dynamics(at.q, at.u, np.zeros(3)) == pytest.approx(expected[:3], rel=1e-12)
    assert at.multipliers == pytest.approx(expected[3:], rel=1e-12)
