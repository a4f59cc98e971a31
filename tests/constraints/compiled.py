"""Compiled mechanisms that the tests of runs share."""

from __future__ import annotations

from functools import cache

import numpy as np
from constraints.mechanisms import four_bar

import eomc
from eomc.derive.model import Model

GUESS = {"a": 1.0, "b": -0.5, "d": 1.5}
"""Near a configuration of the four-bar that closes."""


def spatial_loop() -> Model:
    """World - revolute - crank - spherical - coupler - universal - rocker - revolute - world.

    The spherical joint is in the tree, so that there are quaternions; one freedom.
    """
    model = Model("spatial_loop", gravity=(0, 0, -9.81))
    model.body("crank", mass=1.1, com=(0, 0.02, -0.2), inertia=(0.05, 0.05, 0.02, 0.002, 0, 0.001))
    model.body("coupler", mass=0.8, com=(0.55, 0, 0.03), inertia=(0.02, 0.09, 0.1, 0, 0.003, 0))
    model.body("rocker", mass=1.4, com=(0.01, 0, -0.4), inertia=(0.08, 0.09, 0.02, 0, 0.001, 0))
    model.joint("in", "revolute", parent="world", child="crank", axis=(1, 0, 0))
    model.joint("ball", "spherical", parent="crank", child="coupler", placement=(0, 0, -0.4))
    model.joint(
        "out", "revolute", parent="world", child="rocker", axis=(0, 1, 0), placement=(1, 0, 0)
    )
    model.joint(
        "cross",
        "universal",
        parent="coupler",
        child="rocker",
        axis=(0, 0, 1),
        axis_2=(0, 1, 0),
        placement=(1.15, 0, 0),
        child_placement=(0, 0, -0.8),
        cut=True,
    )
    return model


@cache
def four_bar_model() -> eomc.CompiledModel:
    """The planar four-bar, over-constrained in space."""
    return eomc.build(four_bar())


@cache
def spatial_model() -> eomc.CompiledModel:
    """The spatial loop."""
    return eomc.build(spatial_loop())


def residuals(run: eomc.Trajectory) -> tuple[float, float]:
    """The largest |phi| and |G u + b| along a run without explicit time."""
    model = run.model
    assert model is not None
    phi = model.function("constraint_residual")(run.q)
    rate = model.function("constraint_velocity")(run.q, run.u)
    return float(np.abs(phi).max()), float(np.abs(rate).max())
