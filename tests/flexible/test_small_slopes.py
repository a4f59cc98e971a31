"""Beams bent beyond the range of their theory: what runs says so, once, with body and slope."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import eomc
from eomc import Model
from eomc.derive.bodies import Beam


def pulled() -> eomc.CompiledModel:
    model = Model("soft", gravity=(0, 0, 0))
    model.deformable("rod", Beam(length=1, mass_per_length=1, EI=1, modes=(2, 1)))
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.attachment("tip", body="rod", at="tip")
    model.input("F")
    model.force("pull", at="tip", direction=(0, 1, 0), magnitude="F")
    return eomc.build(model)


def test_equilibrium_and_simulation_beyond_small_slopes() -> None:
    """P l^2 / EI = 10: the slope at the tip is 5 by linear theory, 1.4 in truth."""
    rod = pulled()
    with pytest.warns(UserWarning, match=r"body 'rod' bends to a slope of [45]\.\d rad") as told:
        eomc.equilibrium(rod, inputs={"F": 10.0})
    assert len(told) == 1
    with pytest.warns(UserWarning, match="body 'rod' bends to a slope of") as told:
        eomc.simulate(rod, q={"rod_z1": 0.5}, t=0.1)
    assert len(told) == 1


def test_small_slopes_are_silent() -> None:
    rod = pulled()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = eomc.equilibrium(rod, inputs={"F": 0.1})
        run = eomc.simulate(rod, q={"rod_y1": 0.02}, t=0.1)
    assert np.isfinite(run.q).all() and state.q[0] > 0
