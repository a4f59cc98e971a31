"""Names of models that cannot be names of files or prefixes: another one is taken, with a word."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import eomc
from eomc import Model
from eomc.codegen.plan.errors import EmissionError


def hinged(name: str, body: str = "rod") -> Model:
    model = Model(name)
    model.body(body, mass=1, inertia=(1, 1, 1))
    model.joint(body, "revolute", parent="world", child=body, axis=(0, 0, 1))
    return model


@pytest.mark.parametrize("name", ["r", "W", "x"])
def test_macros_of_the_system(tmp_path: Path, name: str) -> None:
    """The word is for who reads the code."""
    with pytest.warns(UserWarning, match=f"begin with '{name}_model': {name.upper()}_OK is a mac"):
        eomc.emit(hinged(name), tmp_path, functions=["mass_matrix"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert eomc.build(hinged(name), functions=["mass_matrix"]).mass_matrix([0.0]) == 1


def test_long_names(tmp_path: Path) -> None:
    """Of a model they are shortened, those of bodies and joints stand in no file's name."""
    with pytest.warns(UserWarning, match=r"begin with 'm{60}_[0-9a-f]{8}': the name is too long"):
        eomc.emit(hinged("m" * 256), tmp_path, functions=["mass_matrix"])
    assert eomc.build(hinged("m" * 256), functions=["mass_matrix"]).mass_matrix([0.0]) == 1
    assert eomc.build(hinged("m", "b" * 256), functions=["mass_matrix"]).speeds == ("b" * 256,)
    with pytest.raises(EmissionError, match="a prefix of 200 characters is too long"):
        eomc.build(hinged("m"), functions=["mass_matrix"], name="n" * 200)
