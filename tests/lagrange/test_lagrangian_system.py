"""Lagrange's equations on the graph against SymPy's own derivation, and against differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from lagrange.example_systems import (
    VALUES,
    cart_pendulum,
    constrained_pendulum,
    double_pendulum,
    ell,
    g,
    knife_edge,
    m,
    t,
)
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from eomc.derive.fields.parameter import Parameter
from eomc.derive.graph import Argument
from eomc.derive.lagrange import LagrangianSystem
from eomc.derive.language.errors import ModelError


def vanishes(expr: Any) -> bool:
    """Symbolically zero after simplification, entry by entry."""
    return sp.simplify(sp.Matrix([expr]).applyfunc(sp.expand)).is_zero_matrix is True


@pytest.mark.slow
@pytest.mark.parametrize("make", [double_pendulum, cart_pendulum])
def test_equals_sympy_term_by_term(make: Any) -> None:
    system, method = make()
    method.form_lagranges_equations()
    assert vanishes(system.mass_matrix.to_sympy() - method.mass_matrix)
    assert vanishes(system.bias.to_sympy() + method.forcing)
    qdd = [q.diff(t, 2) for q in method.q]
    tau = [sp.Symbol(f"tau_{name}") for name in system.speeds]
    assert vanishes(system.inverse_dynamics.to_sympy() - method.eom)
    acceleration = method.mass_matrix.LUsolve(method.forcing + sp.Matrix(tau))
    assert vanishes(system.forward_dynamics.to_sympy() - acceleration)
    assert system.inverse_dynamics.to_sympy().atoms(sp.Derivative) >= set(qdd)


def test_plain_symbols_and_functions_of_time_give_the_same_equations() -> None:
    by_time, _ = double_pendulum()
    q1, q2, w1, w2 = sp.symbols("q1 q2 w1 w2")
    f1, f2 = dynamicsymbols("q1 q2")
    plain = {f1.diff(): w1, f2.diff(): w2, f1: q1, f2: q2}
    system = LagrangianSystem(
        "plain",
        [(q1, w1), (q2, w2)],
        by_time.given.kinetic_energy.subs(plain),
        by_time.given.potential_energy.subs(plain),
        parameters={c.symbol: c.value for c in by_time.variables.constants},
    )
    assert system.coordinates == ("q1", "q2") and system.speeds == ("w1", "w2")
    state = np.array([0.3, -0.8]), np.array([1.1, 0.4]), np.array([0.2, -0.1])
    np.testing.assert_allclose(
        system.forward_dynamics.evaluate(*state),
        by_time.forward_dynamics.evaluate(*state),
        rtol=1e-13,
    )
    w1dot = sp.Symbol("w1d")
    assert system.inverse_dynamics.to_sympy().has(w1dot)


def test_rheonomic_kinetic_energy_equals_sympy() -> None:
    """A pendulum whose support moves as s(t): s, s', s'' are inputs."""
    theta, s = dynamicsymbols("theta s")
    v = sp.Matrix([s + ell * sp.sin(theta), -ell * sp.cos(theta)]).diff(t)
    kinetic, potential = m * v.dot(v) / 2, -m * g * ell * sp.cos(theta)
    system = LagrangianSystem(
        "driven", [theta], kinetic, potential, parameters=VALUES, inputs=[s, s.diff(), s.diff(t, 2)]
    )
    assert system.inputs == ("s", "s_rate", "s_acceleration")
    method = LagrangesMethod(kinetic - potential, [theta])
    method.form_lagranges_equations()
    assert vanishes(system.bias.to_sympy() + method.forcing)
    unrated = LagrangianSystem(
        "driven", [theta], kinetic, potential, parameters=VALUES, inputs=[s, s.diff()]
    )
    with pytest.raises(ModelError, match=r"its rate matters; add Derivative\(s\(t\), \(t, 2\)\)"):
        unrated.program()


def test_arguments_of_functions() -> None:
    system, _ = cart_pendulum()
    expected = {
        "inverse_dynamics": (["q", "u", "a", "r"], ["tau"]),
        "forward_dynamics": (["q", "u", "tau", "r"], ["a"]),
        "mass_matrix": (["q"], ["M"]),
        "bias": (["q", "u", "r"], ["c"]),
        "gravity": (["q"], ["g"]),
        "kinetic_energy": (["q", "u"], ["T"]),
        "potential_energy": (["q"], ["V"]),
        "power": (["q", "u", "tau", "r"], ["P"]),
        "coordinate_rates": (["q", "u"], ["q_rate"]),
        "integrate": (["q", "du"], ["q_next"]),
        "difference": (["q0", "q1"], ["du"]),
        "neutral": ([], ["q"]),
        "normalize": (["q"], ["q_unit"]),
        "inverse_dynamics_derivatives": (["q", "u", "a", "r"], ["dtau_dq", "dtau_du", "dtau_da"]),
        "forward_dynamics_derivatives": (["q", "u", "tau", "r"], ["da_dq", "da_du", "da_dtau"]),
        "inverse_dynamics_parameter_derivatives": (["q", "u", "a", "r"], ["dtau_dp"]),
        "forward_dynamics_parameter_derivatives": (["q", "u", "tau", "r"], ["da_dp"]),
        "forward_dynamics_input_derivatives": (["q", "u", "tau", "r"], ["da_dr"]),
        "forcing": (["q", "u", "r"], ["f"]),
        "linearization": (["q", "u", "a", "r"], ["M", "C", "K", "W", "W_rate"]),
        "input_matrix": (["q", "u", "a", "r"], ["B_r"]),
        "state_space": (["q", "u", "tau", "r"], ["A", "B", "C", "D"]),
        "linearization_derivative": (
            ["q", "u", "a", "r", "along_q", "along_u", "along_a", "along_p"],
            ["dM", "dC", "dK", "dW", "dW_rate"],
        ),
        "pd": (["q", "u", "q_d", "u_d", "kp", "kd"], ["tau"]),
        "pd_with_gravity": (["q", "u", "q_d", "u_d", "kp", "kd"], ["tau"]),
        "computed_torque": (["q", "u", "q_d", "u_d", "a_d", "kp", "kd", "r"], ["tau"]),
        "state_feedback": (["q", "u", "q_d", "u_d", "tau_d", "K"], ["tau"]),
    }
    for kind, last, out in (("inverse", "a", "tau"), ("forward", "tau", "a")):
        state, known = ["q", "u", last, "r"], ["q", "u", last, "r", "p"]
        along, bars = [f"along_{x}" for x in known], [f"{x}_bar" for x in known]
        weighted = [*state, f"{out}_bar"]
        expected |= {
            f"{kind}_dynamics_vjp": (weighted, bars),
            f"{kind}_dynamics_jvp": ([*state, *along], [f"d{out}"]),
            f"{kind}_dynamics_hvp": ([*weighted, *along], [f"d{bar}" for bar in bars]),
            f"{kind}_dynamics_hessian": (weighted, ["H"]),
        }
    stepped, ends = ["q", "u", "tau", "r", "h"], ["q_next", "u_next"]
    bars = ["q_bar", "u_bar", "tau_bar", "r_bar", "p_bar"]
    for step in ("rk4_step", "midpoint_step"):
        expected[f"{step}_vjp"] = ([*stepped, "q_next_bar", "u_next_bar"], bars)
        expected[step] = (stepped, ends)
        expected[f"{step}_derivatives"] = (stepped, [*ends, "A", "B", "B_p", "b_h"])
        expected[f"{step}_hessian"] = ([*stepped, "weights"], ["H"])
    expected["displacement_rates"] = (["du", "u"], ["du_rate"])
    expected["step_matrix"] = (["q", "u", "tau", "rate", "r"], ["E", "mass", "by_displacement"])
    expected["inverse_dynamics_second_derivatives"] = (
        ["q", "u", "a", "r"],
        ["d2tau_dqdq", "d2tau_dudq", "d2tau_dudu", "d2tau_dadq"],
    )
    expected["forward_dynamics_second_derivatives"] = (
        ["q", "u", "tau", "r"],
        ["d2a_dqdq", "d2a_dudq", "d2a_dudu", "d2a_dtaudq"],
    )
    program = system.program(functions=system.function_names, tunable="all")
    got = {
        f.name: ([a.name for a in f.inputs], [a.name for a in f.outputs]) for f in program.functions
    }
    assert got == expected
    for function in program.functions:
        for argument in (*function.inputs, *function.outputs):
            assert isinstance(argument, Argument)
            assert len(argument.entries) == np.prod(argument.shape, dtype=int)


# -- derivatives ---------------------------------------------------------------------------------


@pytest.mark.parametrize("make", ["double", "cart", "rod", "sleigh"])
def test_derivatives_agree_with_differences(make: str) -> None:
    system = {
        "double": lambda: double_pendulum()[0],
        "cart": lambda: cart_pendulum()[0],
        "rod": constrained_pendulum,
        "sleigh": knife_edge,
    }[make]()
    rng = np.random.default_rng(4)
    n, h = len(system.coordinates), 1e-6
    for function, inputs in (("forward_dynamics", "q u tau r"), ("inverse_dynamics", "q u a r")):
        value = getattr(system, function)
        state = {a.name: rng.uniform(0.2, 1.0, size=a.shape) for a in value.inputs}
        derivatives = getattr(system, f"{function}_derivatives")
        varied = inputs.split()[: 3 if not system.inputs else 4]
        exact = dict(zip(varied, derivatives, strict=False))
        if "r" in varied and function == "forward_dynamics":
            exact["r"] = system.forward_dynamics_input_derivatives
        for name, quantity in exact.items():
            for j in range(len(state[name])):
                step = np.zeros(len(state[name]))
                step[j] = h
                ahead = value.evaluate(**{**state, name: state[name] + step})
                behind = value.evaluate(**{**state, name: state[name] - step})
                got = quantity.evaluate(**state)
                assert got.shape == (n, len(state[name]))
                np.testing.assert_allclose(
                    got[:, j], (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-6
                )
        by_parameters = getattr(system, f"{function}_parameter_derivatives").evaluate(**state)
        for j, (name, number) in enumerate(system.parameters.items()):
            ahead = value.evaluate(**state, values={name: number + h})
            behind = value.evaluate(**state, values={name: number - h})
            np.testing.assert_allclose(
                by_parameters[:, j], (ahead - behind) / (2 * h), rtol=1e-6, atol=1e-6
            )


def test_power_is_the_rate_of_energy() -> None:
    system, _ = cart_pendulum()
    rng = np.random.default_rng(8)
    q, u, tau, r = (rng.normal(size=n) for n in (2, 2, 2, 1))
    a = system.forward_dynamics.evaluate(q, u, tau, r)

    def energy(q: np.ndarray, u: np.ndarray) -> float:
        return float(system.kinetic_energy.evaluate(q, u) + system.potential_energy.evaluate(q))

    h = 1e-5
    rate = (energy(q + h * u, u + h * a) - energy(q - h * u, u - h * a)) / (2 * h)
    assert system.power.evaluate(q, u, tau, r) == pytest.approx(rate, rel=1e-8)


# -- parameters ----------------------------------------------------------------------------------


def test_baked_and_tunable_parameters() -> None:
    theta = dynamicsymbols("theta")
    system = LagrangianSystem(
        "pendulum",
        [theta],
        m * ell**2 * theta.diff() ** 2 / 2,
        -m * g * ell * sp.cos(theta),
        parameters={m: 2.0, ell: Parameter("l", 0.5, units="m", tunable=True), g: 9.81},
        tunable=["m"],
    )
    program = system.program()
    assert [(p.name, p.default, p.units) for p in program.parameters] == [
        ("m", 2.0, ""),
        ("l", 0.5, "m"),
    ]
    baked = system.program(functions=["mass_matrix"], tunable=[])
    assert baked.parameters == ()
    (entry,) = baked.functions[0].outputs[0].entries
    assert baked.graph.number(entry) == 0.5
    assert [p.name for p in system.program(tunable="all").parameters] == ["m", "l", "g"]
    with pytest.raises(ModelError, match="no parameter 'mm' to tune; did you mean 'm'"):
        system.program(tunable=["mm"])
    with pytest.raises(ModelError, match="no function 'mass'"):
        system.program(functions=["mass"])
    with pytest.raises(ModelError, match="has no frame 'tip'"):
        system.program(frames=["tip"])


def test_values_are_needed_for_emission_only() -> None:
    theta = dynamicsymbols("theta")
    system = LagrangianSystem("p", [theta], m * theta.diff() ** 2 / 2, parameters=[m])
    assert system.mass_matrix.to_sympy() == sp.Matrix([[m]])
    with pytest.raises(ModelError, match="no value for parameter m"):
        system.program()


def test_programs_are_deterministic() -> None:
    first, second = (double_pendulum()[0].program() for _ in range(2))
    assert first.functions == second.functions
    assert first.graph.op == second.graph.op and first.graph.args == second.graph.args
