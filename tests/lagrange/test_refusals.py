"""What no system can be made of is refused by name."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from lagrange.example_systems import double_pendulum, g, k, m
from sympy.physics.mechanics import dynamicsymbols

from eomc.derive.graph import evaluate
from eomc.derive.lagrange import LagrangianSystem
from eomc.derive.language.errors import ModelError

ARGUMENTS = [
    *("name", "coordinates", "kinetic_energy", "potential_energy", "dissipation"),
    *("generalized_forces", "holonomic", "nonholonomic", "parameters", "tunable", "inputs"),
]
theta, phi = dynamicsymbols("theta phi")
w = theta.diff()
T = m * w**2 / 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"coordinates": []}, "at least one coordinate"),
        ({"coordinates": [sp.Symbol("x")]}, "coordinate Symbol x: give a function of time"),
        ({"coordinates": [theta, theta]}, r"theta\(t\) stands for two"),
        ({"kinetic_energy": k * w**2}, "'bad', kinetic energy: k has no meaning here"),
        ({"kinetic_energy": sp.gamma(theta) * w**2}, "kinetic energy: SymPy function 'gamma'"),
        ({"potential_energy": sp.Symbol("l") * w}, "potential energy: l has no meaning"),
        ({"potential_energy": m * w}, "potential energy depends on speeds"),
        ({"kinetic_energy": m * w**4}, "not quadratic in the speeds"),
        ({"kinetic_energy": m * sp.sqrt(1 + w**2)}, "not quadratic in the speeds"),
        ({"kinetic_energy": 0}, "no kinetic energy belongs to some motion of 'theta'"),
        ({"holonomic": [theta.diff() - 1]}, r"holonomic\[0\]: depends on speeds"),
        ({"holonomic": [m - 1]}, r"holonomic\[0\]: depends on no coordinate"),
        ({"nonholonomic": [sp.sin(theta)]}, r"nonholonomic\[0\]: depends on no speed"),
        ({"nonholonomic": [w**2 - 1]}, r"nonholonomic\[0\]: not linear in the speeds"),
        ({"generalized_forces": {phi: 1}}, r"no coordinate 'phi\(t\)'"),
        ({"parameters": {m: float("nan")}}, "parameter 'm': float nan is not a finite real number"),
        ({"parameters": {m: 1, theta: 1}}, "a parameter is a plain symbol"),
        ({"parameters": {m: 1, "theta'": 1, "theta": 2}}, "would have the same name 'theta'"),
        ({"parameters": {m: 1, "t": 2}}, "must not be named 't'"),
        ({"inputs": [m]}, "symbol m is an input and a parameter"),
        ({"tunable": ["x"]}, "no parameter 'x' to tune"),
        ({"name": "a b"}, "the name is str a b, no identifier"),
    ],
)
def test_errors_name_the_offender(arguments: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {
        "name": "bad",
        "coordinates": [theta],
        "kinetic_energy": T,
        "parameters": {m: 1.0},
    }
    with pytest.raises(ModelError, match=message):
        LagrangianSystem(**{**given, **arguments}).program()


def test_hidden_singularities_are_found() -> None:
    """Neither is visible in the form of the expressions."""
    both = (theta.diff() + phi.diff()) ** 2 * m / 2
    with pytest.raises(ModelError, match="some motion of 'theta', 'phi'"):
        LagrangianSystem("bad", [theta, phi], both, parameters={m: 1.0}).program()
    kinetic = m * (theta.diff() ** 2 + phi.diff() ** 2) / 2
    with pytest.raises(ModelError, match="holonomic_0, holonomic_1 depend on each other"):
        LagrangianSystem(
            "bad",
            [theta, phi],
            kinetic,
            holonomic=[sp.sin(theta) ** 2 + phi, sp.cos(2 * theta) - 2 * phi],
            parameters={m: 1.0},
        ).program()


def test_singular_configurations_are_guarded() -> None:
    """A spherical pendulum at its pole: the guard is negative there and positive elsewhere."""
    kinetic = m * (theta.diff() ** 2 + sp.sin(theta) ** 2 * phi.diff() ** 2) / 2
    system = LagrangianSystem("polar", [theta, phi], kinetic, parameters={m: 1.0})
    program = system.program(functions=["forward_dynamics"])
    (function,) = program.functions
    assert {guard.code for guard in function.guards} == {"singular_mass_matrix"}
    nodes = [guard.node for guard in function.guards]
    values = {f"q[{i}]": 0.0 for i in range(2)}
    assert min(float(v) for v in evaluate(program.graph, nodes, values)) <= 0
    values["q[0]"] = 0.5
    assert min(float(v) for v in evaluate(program.graph, nodes, values)) > 0


def test_unknown_functions_are_suggested() -> None:
    system, _ = double_pendulum()
    with pytest.raises(AttributeError, match="did you mean 'mass_matrix'"):
        system.mass_matrx  # noqa: B018
    assert "mass_matrix" in dir(system)
    assert "constraint_forces" not in system.function_names


garbage = st.one_of(
    st.none(),
    st.booleans(),
    st.floats(),
    st.text(max_size=8),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.floats(), max_size=2),
    st.sampled_from(
        [
            *(theta, phi, w, m, T, -T, T**2, 1 / theta, sp.oo, sp.nan, sp.I, sp.true, object()),
            *(sp.Matrix([theta, w]), sp.Eq(theta, m), sp.Piecewise((T, theta > 0))),
            *(sp.gamma(theta), {theta: w}, {m: None}, {theta: w**2}, (m, g), {m}),
            *([theta, phi], [w], [sp.sin(theta)], [w * theta], [sp.Matrix([m])]),
        ]
    ),
)


@settings(max_examples=400)
@given(st.dictionaries(st.sampled_from(ARGUMENTS), garbage, min_size=1, max_size=3))
def test_garbage_is_refused_with_one_message(arguments: dict[str, Any]) -> None:
    base: dict[str, Any] = {"name": "bad", "coordinates": [theta], "kinetic_energy": T}
    try:
        system = LagrangianSystem(**{**base, "parameters": {m: 1.0}, **arguments})
        system.program()
    except ModelError as error:
        assert str(error) and "\n" not in str(error)
