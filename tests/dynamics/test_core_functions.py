"""`CORE` may be asked for with more: what the model has not is left out."""

from pathlib import Path

import pytest

import eomc
from eomc.derive.model import ModelError

PENDULUM = Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"


def test_core_and_more() -> None:
    equations = eomc.derive(PENDULUM)
    program = equations.program(functions=[*eomc.CORE, "difference", "computed_torque"])
    names = [function.name for function in program.functions]
    assert "computed_torque" in names and "forward_dynamics" in names
    assert "constraint_jacobian" not in names and "driven_dynamics" not in names
    with pytest.raises(ModelError, match="no function 'computed'; did you mean"):
        equations.program(functions=[*eomc.CORE, "computed"])


def test_files_are_loaded() -> None:
    assert eomc.derive(str(PENDULUM)).operations == eomc.derive(eomc.load(PENDULUM)).operations
    with pytest.raises(ModelError, match="cannot derive 'int'"):
        eomc.derive(3)  # type: ignore[arg-type]
