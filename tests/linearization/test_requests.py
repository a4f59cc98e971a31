"""What is refused, and how it is told."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

import eomc
from eomc.runtime import UserForce, equilibrium, linearize
from eomc.runtime.errors import EquilibriumError, LinearizationError
from eomc.runtime.linearization import Steps
from eomc.runtime.linearization.steady import _require_free
from eomc.runtime.model.errors import numerical_errors


def test_forces_and_accelerations_that_contradict(slider: eomc.CompiledModel) -> None:
    with pytest.raises(LinearizationError, match=r"contradict.*'y'"):
        linearize(slider, q={"y": 1.0}, a=[0.0, 0.0], tau=[0.0, 0.0])


def test_forces_and_accelerations_that_agree(slider: eomc.CompiledModel) -> None:
    q, tau = [1.0, 0.2], [3.0, -2.0]
    a = slider.forward_dynamics(q, [0.0, 0.0], tau)
    both = linearize(slider, q=q, a=a, tau=tau)
    assert pytest.approx(linearize(slider, q=q, tau=tau).A, rel=1e-12) == both.A


def test_units_do_not_decide_whether_rates_are_free() -> None:
    """The matrix of second derivatives may be small in all of its entries."""
    linear = SimpleNamespace(name="small")
    _require_free(linear, ("x", "y"), 1e-13 * np.eye(2))  # type: ignore[arg-type]
    with pytest.raises(LinearizationError, match="no second-order form in x, y"):
        _require_free(linear, ("x", "y"), 1e-13 * np.ones((2, 2)))  # type: ignore[arg-type]


def test_a_dependent_coordinate(bars: eomc.CompiledModel) -> None:
    with pytest.raises(LinearizationError, match=r"phi3_2 cannot be independent.*rank 2 of 3"):
        linearize(bars, independent=["phi3_2"])
    with pytest.raises(LinearizationError, match="leave 1 independent, but 2 were named"):
        linearize(bars, independent=["phi2", "phi4"])
    with pytest.raises(ValueError, match="no coordinate 'phi5'"):
        linearize(bars, independent=["phi5"])


def test_independent_coordinates_of_an_open_chain(slider: eomc.CompiledModel) -> None:
    with pytest.raises(LinearizationError, match="no constraints"):
        linearize(slider, independent=["y"])


def test_an_inconsistent_point(bars: eomc.CompiledModel) -> None:
    with pytest.raises(LinearizationError, match=r"violates constraint 'ball\.force_z'.*position"):
        linearize(bars, q={"phi2": 0.1})
    with pytest.raises(LinearizationError, match="velocity residual"):
        linearize(bars, u={"phi2": 0.1})
    with pytest.raises(LinearizationError, match="acceleration residual"):
        linearize(bars, a={"phi2": 0.1})


def test_a_singular_configuration() -> None:
    """A particle on a circle whose constraint is the square of itself at the bottom."""
    model = eomc.Model("flat")
    model.body("slide", mass=1)
    model.body("particle", mass=1)
    model.joint("y", "prismatic", parent="world", child="slide", axis=(0, 1, 0))
    model.joint("z", "prismatic", parent="slide", child="particle", axis=(0, 0, 1))
    model.constraint("cusp", "expression", expression="y**3 - z**2")
    compiled = eomc.build(model)
    with pytest.raises(LinearizationError, match=r"rank 0 here.*'cusp"):
        linearize(compiled, a=[0.0, 0.0])


def test_a_force_with_a_jump(slider: eomc.CompiledModel) -> None:
    stop = UserForce(lambda t, q, u: np.array([100.0 if q[0] < 0 else 0.0, 0.0]), name="stop")
    with pytest.raises(LinearizationError, match=r"displacement \(of stop\) 'y' do not settle"):
        linearize(slider, forces=stop)


def test_a_smooth_force_takes_two_evaluations_a_variable(slider: eomc.CompiledModel) -> None:
    asked = []

    def law(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        asked.append(q)
        return np.array([-50.0 * q[0] ** 3 - 4.0 * u[0], 7.0 * q[1] ** 2])

    found = linearize(slider, q=[0.4, 0.0], a=[0.0, 0.0], forces=UserForce(law))
    plain = linearize(slider, q=[0.4, 0.0], a=[0.0, 0.0])
    # At the point, then by two coordinates and two speeds; the square at 0 takes one step more, as
    # its slopes ahead and behind differ in sign.
    assert len(asked) == 1 + 2 * (2 + 2) + 2
    change = found.stiffness - plain.stiffness
    assert change == pytest.approx(np.diag([24.0, 0.0]), abs=1e-6)


def test_errors_alone_look_for_the_name_of_a_model() -> None:
    class Nameless:
        def __getattr__(self, name: str) -> str:
            raise AssertionError(name)

    run = numerical_errors(LinearizationError)(lambda model: 3)
    assert run(Nameless()) == 3


def test_a_derivative_of_wrong_shape(slider: eomc.CompiledModel) -> None:
    force = UserForce(lambda t, q, u: np.zeros(2), lambda t, q, u: (np.zeros(2), np.zeros((2, 2))))
    with pytest.raises(ValueError, match=r"dQ/dq must be a finite matrix of shape \(2, 2\)"):
        linearize(slider, forces=force)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "fast"}, "give one of 'exact'"),
        ({"outputs": ["theta", "mass_center.q"]}, "output 'mass_center.q'"),
        ({"outputs": ["thet"]}, "did you mean 'theta'"),
        ({"q": [np.nan, 0.0]}, "not finite"),
        ({"forces": [3]}, "UserForce"),
        ({"state": 3}, "state: give"),
    ],
)
def test_wrong_arguments(slider: eomc.CompiledModel, options: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        linearize(slider, **options)


def test_wrong_steps() -> None:
    for options in ({"shrink": 1.0}, {"fixed": -1.0}, {"scheme": "best"}, {"absolute": 0.0}):
        with pytest.raises(ValueError, match=r"give|must"):
            Steps(**options)


def test_states_that_act_on_others_stay(slider: eomc.CompiledModel) -> None:
    linear = linearize(slider)
    with pytest.raises(LinearizationError, match="'y' acts on"):
        linear.without("y")
    with pytest.raises(ValueError, match="no state 'x'"):
        linear.without("x")


def test_a_nonholonomic_model_has_no_second_order_form(sled: eomc.CompiledModel) -> None:
    linear = linearize(sled)
    with pytest.raises(LinearizationError, match="3 displacements and 2 speeds"):
        _ = linear.mass
    assert json.loads(json.dumps(linear.as_dict(), allow_nan=False))["second_order"] == {}


def test_an_undamped_resonance_has_no_response() -> None:
    model = eomc.Model("mass", gravity=(0, 0, 0))
    model.body("mass", mass=1)
    model.joint("x", "prismatic", parent="world", child="mass", axis=(1, 0, 0))
    model.joint_spring("k", joint="x", stiffness=4)
    linear = linearize(eomc.build(model))
    with pytest.raises(LinearizationError, match="omega = 2 rad/s is an undamped"):
        linear.frequency_response(2.0)
    response = linear.frequency_response([1.0]).between("x", "tau(x)")
    assert response[0] == pytest.approx(1 / 3)


def test_no_equilibrium() -> None:
    model = eomc.Model("free", gravity=(0, 0, -9.81))
    model.body("ball", mass=1)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    compiled = eomc.build(model)
    with pytest.raises(EquilibriumError, match=r"9\.81 on 'z' stays unbalanced.*rank 0 in 1"):
        equilibrium(compiled)
    assert equilibrium(compiled, fixed=["z"])["tau(z)"] == pytest.approx(9.81)
    with pytest.raises(ValueError, match="no 'zz'"):
        equilibrium(compiled, solve_for=["zz"])
