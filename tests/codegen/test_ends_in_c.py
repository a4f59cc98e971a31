"""Compiled derivatives where laws end: values, codes of failures, and what Python says of them."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import eomc

NAMES = [
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "inverse_dynamics_derivatives",
    "inverse_dynamics_vjp",
    "forward_dynamics_jvp",
    "linearization",
]


def point_mass(law: str) -> eomc.Model:
    """Two sliders of 1 kg; the force `law` along x."""
    model = eomc.Model("sliders", gravity=(0, 0, 0))
    for name, axis in (("x", (1, 0, 0)), ("y", (0, 1, 0))):
        model.body(f"body_{name}", mass=1)
        model.joint(name, "prismatic", parent="world", child=f"body_{name}", axis=axis)
    model.generalized_force("valve", speed="x", expression=law)
    return model


@cache
def compiled(law: str, small: bool = False, lanes: int = 1) -> eomc.CompiledModel:
    return eomc.build(point_mass(law), functions=NAMES, small=small, lanes=lanes)


HERTZ = "3*max(x,0)**1.5 + acos(min(1, y)) + where(y > 0, sqrt(y), 0)"


def slope(model: eomc.CompiledModel, q: list[float]) -> np.ndarray:
    by_q = model.forward_dynamics_derivatives(q, [0.0, 0.0], [0.0, 0.0])[0]
    return np.asarray(by_q)[..., 0, :]


@pytest.mark.parametrize(
    ("q", "wanted"),
    [([-1.0, 2.0], [0, 0.125**0.5]), ([0.0, 1.0], [0, 0.5]), ([4.0, 1.0], [9, 0.5])],
)
def test_slopes_of_laws_that_are_off(q: list[float], wanted: list[float]) -> None:
    """By hand; acos(min(1, y)) has at y = 1 the slope of the side where it is constant."""
    assert slope(compiled(HERTZ), q) == pytest.approx(wanted, rel=1e-15, abs=0)


def test_the_end_where_a_law_is_not_off_has_no_slope() -> None:
    with pytest.raises(FloatingPointError, match="no_derivative_of_valve"):
        slope(compiled(HERTZ), [0.0, -1.0])


def test_small_code_and_lanes_say_the_same() -> None:
    usual, small, lanes = (compiled(HERTZ, **how) for how in ({}, {"small": True}, {"lanes": 4}))
    states = [[-1.0, 2.0], [0.0, 0.5], [1.0, 1.0], [2.0, 0.25], [-3.0, 0.0]]
    wanted = np.array([slope(usual, q) for q in states])
    assert np.array_equal(np.array([slope(small, q) for q in states]), wanted)
    assert np.array_equal(slope(lanes, states), wanted)


ENDING = "sqrt(x) + where(y > 0, sqrt(y), 0)"
POINT = {
    "q": [0.0, 1.0],
    "u": [0.0, 0.0],
    "a": [0.0, 0.0],
    "tau": [0.0, 0.0],
    "tau_bar": [1.0, 0.0],
    "along_q": [1.0, 0.0],
    "along_u": [0.0, 0.0],
    "along_tau": [0.0, 0.0],
}


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("name", NAMES[1:])
def test_no_derivative_has_a_code(name: str, small: bool) -> None:
    model = compiled(ENDING, small)
    inputs = model.inputs_of(name)
    with pytest.raises(FloatingPointError, match=r"the law of 'valve'.*x = 0, y = 1.*_of_valve"):
        model.function(name)(*(POINT[word] for word in inputs))
    beside = {**POINT, "q": [1.0, -1.0]}
    found = model.function(name)(*(beside[word] for word in inputs))
    assert all(np.isfinite(part).all() for part in found)


def test_linearization_and_runs_name_the_law() -> None:
    model = compiled(ENDING)
    told = r"the law of 'valve' has no finite derivative in this state \(q: x = 0, y = 1"
    with pytest.raises(ArithmeticError, match=told):
        eomc.linearize(model, q=[0.0, 1.0])
    with pytest.raises(ArithmeticError, match=told):
        eomc.simulate(model, [0.0, 1.0], t_span=1.0, method="Radau")
    with pytest.raises(ArithmeticError, match=told):
        eomc.equilibrium(model, {"x": 0.0, "y": 1.0})


def test_linearization_and_runs_of_a_law_that_is_off() -> None:
    model = compiled("max(x,0)**1.5")
    assert np.array_equal(eomc.linearize(model, q=[-1.0, 0.0]).A[2:, :2], np.zeros((2, 2)))
    run = eomc.simulate(model, [-1.0, 0.0], u=[0.5, 0.0], t_span=1.0, method="Radau")
    assert run.q[-1] == pytest.approx([-0.5, 0.0])
