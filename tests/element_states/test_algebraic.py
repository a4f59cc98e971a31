"""Variables of elements without inertia: roots, exact derivatives, C, batches, verification."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import eomc
from eomc.derive.language.errors import ModelError

_TABLE = """
name = "pulled"
gravity = [0, 0, 0]

[[input]]
name = "push"

[[parameter]]
name = "k"
value = 40.0
tunable = true

[[body]]
name = "block"
mass = 2

[[joint]]
name = "x"
kind = "prismatic"
parent = "world"
child = "block"
axis = [1, 0, 0]

[[algebraic]]
name = "s"
energy = "k*(x - s)**2/2 + 300*(x - s)**4/4 + 60*s**2/2"
initial_guess = "x/2"

[[algebraic]]
name = "lever"
equation = "3*lever - x - 0.1*push - s"

[[algebraic]]
name = "first"
equation = "first + 0.3*sin(second) - speed(x)*lever"
lower = -5
upper = 5

[[algebraic]]
name = "second"
equation = "second + 0.3*cos(first) - s"

[[generalized_force]]
name = "drive"
speed = "x"
expression = "0.3*first + push"
"""


def pulled(folder: Path) -> eomc.Model:
    """A block that pulls at a slider; one variable in closed form, two that need each other."""
    file = folder / "pulled.toml"
    file.write_text(_TABLE)
    return eomc.load(file)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> eomc.Model:
    return pulled(tmp_path_factory.mktemp("algebraic"))


@pytest.fixture(scope="module")
def compiled(model: eomc.Model) -> eomc.CompiledModel:
    return eomc.build(model, functions=_ASKED)


_ASKED = [
    "forward_dynamics",
    "element_outputs",
    "state_space",
    "linearization",
    "input_matrix",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "mass_matrix",
    "bias",
    "integrate",
    "coordinate_rates",
]


def by_hand(x: float, v: float, push: float, k: float = 40.0) -> tuple[list[float], float]:
    """The variables as roots of one function each, and the acceleration."""
    s = brentq(lambda s: k * (x - s) + 300 * (x - s) ** 3 - 60 * s, -9, 9, xtol=1e-15, rtol=1e-15)
    lever = (x + 0.1 * push + s) / 3

    def left(first: float) -> float:
        return first + 0.3 * np.sin(s - 0.3 * np.cos(first)) - v * lever

    first = brentq(left, -5, 5, xtol=1e-15, rtol=1e-15)
    a = (push + 0.3 * first - k * (x - s) - 300 * (x - s) ** 3) / 2
    return [s, lever, first, s - 0.3 * np.cos(first)], a


def test_roots_and_what_they_do(compiled: eomc.CompiledModel) -> None:
    """Also in batches, on tunable parameters."""
    x, v, push = np.random.default_rng(5).uniform(-1, 1, (3, 16))
    q, u, r = x[:, None], v[:, None], push[:, None]
    told = compiled.element_outputs(q, u, r)
    a = compiled.forward_dynamics(q, u, np.zeros_like(q), r)
    names = ["s.value", "lever.value", "first.value", "second.value"]
    assert list(compiled.output_names("element_outputs")) == names
    for row, rate, *at in zip(told, a[:, 0], x, v, push, strict=True):
        wanted, exact = by_hand(*at)
        assert np.abs(row - wanted).max() < 1e-14
        assert abs(rate - exact) < 1e-12 * (1 + abs(exact))
    (other,) = compiled.forward_dynamics([0.3], [0.2], [0], [0.5], parameters={"k": 55.0})
    assert abs(other - by_hand(0.3, 0.2, 0.5, k=55.0)[1]) < 1e-12


def test_linearization_is_that_of_the_implicit_function(compiled: eomc.CompiledModel) -> None:
    """Springs one behind the other; the rest by a complex step of the equations by hand."""
    x, v, push = 0.3, -0.4, 0.7
    linear = eomc.linearize(compiled, q=[x], u=[v], tau=[0], inputs={"push": push})
    (s, lever, first, second), _ = by_hand(x, v, push)
    near, far = 40 + 900 * (x - s) ** 2, 60.0
    ds = near / (near + far)
    # d(first, second) of [1, .3 cos second; -.3 sin first, 1] d = (v dlever + lever dv, ds)
    both = np.array([[1, 0.3 * np.cos(second)], [-0.3 * np.sin(first), 1]])
    by_x = np.linalg.solve(both, [v * (1 + ds) / 3, ds])[0]
    by_v = np.linalg.solve(both, [lever, 0])[0]
    by_push = np.linalg.solve(both, [v * 0.1 / 3, 0])[0]
    wanted = [[0, 1], [(0.3 * by_x - near * far / (near + far)) / 2, 0.15 * by_v]]
    assert np.abs(linear.A - wanted).max() < 1e-12
    assert abs(linear.B[1, linear.inputs.index("push")] - (1 + 0.3 * by_push) / 2) < 1e-12


def test_emitted_steps_are_those_of_scipy(compiled: eomc.CompiledModel) -> None:
    runs = [
        eomc.simulate(compiled, {"x": 0.5}, t_span=np.linspace(0, 1, 11), method=method, **tight)
        for method, tight in (("rk4", {"step": 5e-4}), ("DOP853", {"rtol": 1e-12, "atol": 1e-13}))
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < 1e-9


def test_it_is_verified(model: eomc.Model) -> None:
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)


def test_derivatives_do_not_pass_through_the_iteration() -> None:
    """The forces' own derivative takes a few operations more than they, not ten times as many."""
    model = eomc.Model("one", gravity=(0, 0, 0))
    model.body("block", mass=2)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.algebraic("w", equation="w + sin(w)*x + x**2")
    model.generalized_force("f", speed="x", expression="w")
    equations = eomc.equations(model)
    alone = equations.forward_dynamics.flops
    with_derivatives = max(entry.flops for entry in equations.forward_dynamics_derivatives)
    assert with_derivatives < 1.5 * alone
    model.algebraic("none", equation="none**2 + 1 + x**2", initial_guess=2)
    model.generalized_force("g", speed="x", expression="none")
    compiled = eomc.build(model, functions=["forward_dynamics"])
    with pytest.raises(ArithmeticError, match="no_solution_of_none"):
        compiled.forward_dynamics([0.3], [0], [0])


_FAULTS = [
    ({}, "has neither equation nor energy; give one of them"),
    ({"equation": "w - x", "energy": "w**2"}, "has equation and energy; give one of them"),
    ({"equation": "x"}, "equation does not hold 'w', the variable that it should find"),
    ({"equation": "w - y"}, "equation: unknown name 'y'; "),
    (
        {"equation": "w - x", "initial_guess": "speed(x)"},
        "initial_guess: 'speed\\(x\\)' is one of the speeds",
    ),
    ({"equation": "w - x", "scale": 0}, "scale is 0; give a positive number"),
    ({"equation": "w - x", "lower": 2, "upper": 1}, "lower is 2 and upper 1; give lower < upper"),
    ({"energy": "w**2 - x*speed(x)"}, "energy: 'speed\\(x\\)' is one of the speeds"),
    ({"energy": "w**2 - x*other"}, "energy holds 'other', the unknown of another element"),
]


def _bad(**given: object) -> eomc.Model:
    model = eomc.Model("bad")
    model.body("block", mass=2)
    model.joint("x", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.algebraic("other", equation="other - x")
    model.algebraic("w", **given)
    return model


@pytest.mark.parametrize(("given", "message"), _FAULTS)
def test_bad_input(given: dict[str, object], message: str) -> None:
    with pytest.raises(ModelError, match=f"algebraic 'w': {message}"):
        _bad(**given).validate()


def test_bad_places() -> None:
    model = _bad(equation="w - speed(x)")
    model.constraint("held", "expression", expression="x - w")
    with pytest.raises(ModelError, match="constraint 'held': an unknown in it depends on speeds"):
        eomc.equations(model).program(["forward_dynamics"])
    model = _bad(equation="w + third - x")
    model.algebraic("third", equation="w + third - 2*x")
    with pytest.raises(ModelError, match="what should vanish does not determine w, third"):
        eomc.equations(model).program(["forward_dynamics"])
    model = eomc.Model("bad")
    model.body("block", mass=2)
    model.joint("w", "prismatic", parent="world", child="block", axis=(1, 0, 0))
    model.algebraic("w", equation="w")
    with pytest.raises(ModelError, match="its unknown 'w' has the name of a coordinate of joint"):
        model.validate()
