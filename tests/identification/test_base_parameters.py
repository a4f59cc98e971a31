"""Base parameters by numbers span what base parameters in symbols do."""

from __future__ import annotations

import numpy as np
import pytest
from identification.arms import arm, compiled

import eomc
from eomc.runtime.identification import base_parameters


def test_they_are_those_in_symbols() -> None:
    found, told = base_parameters(compiled()), eomc.equations(arm()).base_parameters()
    assert len(found) == len(told) and found.parameters == told.parameters
    shares = np.linalg.lstsq(told.matrix.T, found.matrix.T, rcond=None)[0]
    np.testing.assert_allclose(told.matrix.T @ shares, found.matrix.T, atol=1e-9)


def test_forces_are_those_of_base_parameters() -> None:
    model, base = compiled(), base_parameters(compiled())
    rng = np.random.default_rng(4)
    q, u, a = rng.normal(size=(3, 20, model.nu))
    Y, b = model.regressor(q, u, a)
    beta = base.of(model.inertial_parameters())
    forces = base.regressor(Y) @ beta + b
    np.testing.assert_allclose(forces, model.inverse_dynamics(q, u, a), rtol=1e-9, atol=1e-9)
    assert base.to_text().count("\n") == len(base) - 1


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="give a compiled one"):
        base_parameters(arm())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="motions: 3 cannot tell 40 parameters; give at least 10"):
        base_parameters(compiled(), motions=3)
    four_bar = eomc.build("examples/models/four_bar.toml", functions=["neutral"])
    with pytest.raises(ValueError, match="loops or constraints, whose forces nobody measures"):
        base_parameters(four_bar)
