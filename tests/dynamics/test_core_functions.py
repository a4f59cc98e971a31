"""`CORE` may be asked for with more: what the model has not is left out."""

import pytest

import eomc
from eomc.derive.model import ModelError


def test_core_and_more() -> None:
    equations = eomc.derive("examples/models/pendulum.toml")
    program = equations.program(functions=[*eomc.CORE, "difference", "computed_torque"])
    names = [function.name for function in program.functions]
    assert "computed_torque" in names and "forward_dynamics" in names
    assert "constraint_jacobian" not in names and "driven_dynamics" not in names
    with pytest.raises(ModelError, match="no function 'computed'; did you mean"):
        equations.program(functions=[*eomc.CORE, "computed"])


def test_files_are_loaded() -> None:
    path = "examples/models/pendulum.toml"
    assert eomc.derive(path).operations == eomc.derive(eomc.load(path)).operations
    with pytest.raises(ModelError, match="cannot derive 'int'"):
        eomc.derive(3)  # type: ignore[arg-type]
