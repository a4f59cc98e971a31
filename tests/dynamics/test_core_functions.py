"""`CORE` may be asked for with more: what the model has not is left out."""

from pathlib import Path

import pytest

import eomc
from eomc.derive.model import ModelError

PENDULUM = Path(__file__).parents[2] / "examples" / "models" / "pendulum.toml"


def test_core_and_more() -> None:
    equations = eomc.equations(PENDULUM)
    program = equations.program(functions=[*eomc.CORE, "difference", "computed_torque"])
    names = [function.name for function in program.functions]
    assert "computed_torque" in names and "forward_dynamics" in names
    assert "constraint_jacobian" not in names and "driven_dynamics" not in names
    with pytest.raises(ModelError, match="no function 'computed'; did you mean"):
        equations.program(functions=[*eomc.CORE, "computed"])


def test_files_are_loaded() -> None:
    assert (
        eomc.equations(str(PENDULUM)).operations == eomc.equations(eomc.load(PENDULUM)).operations
    )
    with pytest.raises(ModelError, match="cannot derive 'int'"):
        eomc.equations(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("constraint_jacobian", "it has no loops and no constraints"),
        ("closure_residual", "it has no loops and no constraints"),
        ("driven_dynamics", "none of its speeds is driven"),
        ("input_matrix", "it has no inputs"),
        ("prescribed_forces", "its motion is nowhere prescribed"),
    ],
)
def test_a_function_of_other_models_is_refused_with_the_reason(name: str, reason: str) -> None:
    equations = eomc.equations(PENDULUM)
    with pytest.raises(ModelError, match=f"'pendulum' has no function '{name}': {reason}"):
        equations.program(functions=[name])
    with pytest.raises(AttributeError, match=reason):
        getattr(equations, name)


def test_state_space_of_a_loop_names_the_way_to_it() -> None:
    equations = eomc.equations(PENDULUM.with_name("four_bar.toml"))
    with pytest.raises(ModelError, match=r"has no function 'state_space': .* eomc\.linearize"):
        equations.program(functions=["state_space"])


def test_flywheel_without_mass() -> None:
    """Inertia alone turns: there is no centre of mass, and nothing else is missing."""
    model = eomc.Model("flywheel")
    model.body("wheel", inertia=(0.1, 0.1, 0.2))
    model.joint("spin", "revolute", parent="world", child="wheel", axis=(0, 0, 1))
    model.body("stand", mass=3.0)
    model.joint("weld", "fixed", parent="world", child="stand")
    equations = eomc.equations(model)
    names = {function.name for function in equations.program().functions}
    assert "forward_dynamics" in names and not any("center_of_mass" in name for name in names)
    assert float(equations.mass_matrix.evaluate(q=[0.3])[0, 0]) == pytest.approx(0.2)
    with pytest.raises(AttributeError, match="no function 'center_of_mass': nothing that moves"):
        _ = equations.center_of_mass
