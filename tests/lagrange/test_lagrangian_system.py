"""Lagrange's equations on the graph against SymPy's own derivation, and against physics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy.physics.mechanics import LagrangesMethod, Point, ReferenceFrame, dynamicsymbols

from eomc.derive.graph import Argument, evaluate
from eomc.derive.lagrange import LagrangianSystem
from eomc.derive.model.errors import ModelError
from eomc.derive.model.parameter import Parameter

t = dynamicsymbols._t
m, ell, g, k, d = sp.symbols("m l g k d", positive=True)
VALUES = {m: 1.3, ell: 0.7, g: 9.81}


def vanishes(expr: Any) -> bool:
    """Symbolically zero after simplification, entry by entry."""
    return sp.simplify(sp.Matrix([expr]).applyfunc(sp.expand)).is_zero_matrix is True


def double_pendulum() -> tuple[LagrangianSystem, LagrangesMethod]:
    """Two point masses on massless rods, absolute angles."""
    q1, q2 = dynamicsymbols("q1 q2")
    u1, u2 = q1.diff(), q2.diff()
    m2, l2 = sp.symbols("m2 l2", positive=True)
    speeds = (
        m * (ell * u1) ** 2 / 2
        + m2 * ((ell * u1) ** 2 + (l2 * u2) ** 2 + 2 * ell * l2 * u1 * u2 * sp.cos(q1 - q2)) / 2
    )
    height = -(m + m2) * g * ell * sp.cos(q1) - m2 * g * l2 * sp.cos(q2)
    system = LagrangianSystem(
        "double_pendulum",
        [q1, q2],
        speeds,
        height,
        parameters={**VALUES, m2: 0.4, l2: 0.9},
    )
    return system, LagrangesMethod(speeds - height, [q1, q2])


def cart_pendulum() -> tuple[LagrangianSystem, LagrangesMethod]:
    """A cart with a pendulum, a spring, a damper and a driving force."""
    x, theta, force = dynamicsymbols("x theta force")
    big = sp.Symbol("M")
    v = sp.Matrix([x + ell * sp.sin(theta), -ell * sp.cos(theta)]).diff(t)
    kinetic = big * x.diff() ** 2 / 2 + m * v.dot(v) / 2
    potential = k * x**2 / 2 - m * g * ell * sp.cos(theta)
    system = LagrangianSystem(
        "cart_pendulum",
        [x, theta],
        kinetic,
        potential,
        dissipation=d * x.diff() ** 2 / 2,
        generalized_forces={x: force},
        parameters={**VALUES, k: 5.0, d: 0.2, big: 2.0},
        inputs=[force],
    )
    frame = ReferenceFrame("N")
    point = Point("P")
    point.set_vel(frame, x.diff() * frame.x)
    load = (point, (force - d * x.diff()) * frame.x)
    method = LagrangesMethod(kinetic - potential, [x, theta], forcelist=[load], frame=frame)
    return system, method


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


# -- constraints ---------------------------------------------------------------------------------


def constrained_pendulum(**more: Any) -> LagrangianSystem:
    """A point mass in x, y on a rod of length l."""
    x, y = dynamicsymbols("x y")
    return LagrangianSystem(
        "rod",
        [x, y],
        m * (x.diff() ** 2 + y.diff() ** 2) / 2,
        m * g * y,
        holonomic=[x**2 + y**2 - ell**2],
        parameters=VALUES,
        **more,
    )


def rk4(rate: Any, state: np.ndarray, step: float, steps: int) -> np.ndarray:
    for _ in range(steps):
        k1 = rate(state)
        k2 = rate(state + step / 2 * k1)
        k3 = rate(state + step / 2 * k2)
        k4 = rate(state + step * k3)
        state = state + step / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return state


def test_constrained_pendulum_keeps_energy_and_length() -> None:
    system = constrained_pendulum()
    forward, zero = system.forward_dynamics, np.zeros(2)

    def rate(state: np.ndarray) -> np.ndarray:
        return np.concatenate([state[2:], forward.evaluate(state[:2], state[2:], zero)])

    start = np.array([0.7 * np.sin(1.0), -0.7 * np.cos(1.0), 0.0, 0.0])
    end = rk4(rate, start, 1e-3, 1000)

    def energy(state: np.ndarray) -> float:
        q, u = state[:2], state[2:]
        total = system.kinetic_energy.evaluate(q, u) + system.potential_energy.evaluate(q)
        return float(total)

    assert abs(end[2]) + abs(end[3]) > 0.5  # it moves
    assert energy(end) == pytest.approx(energy(start), abs=1e-9)
    position, velocity = (part.evaluate(end[:2], end[2:]) for part in system.constraint_residual)
    assert np.abs(position).max() < 1e-9 and np.abs(velocity).max() < 1e-9
    angle = np.arctan2(end[0], -end[1])

    def swing(state: np.ndarray) -> np.ndarray:
        return np.array([state[1], -9.81 / 0.7 * np.sin(state[0])])

    assert angle == pytest.approx(rk4(swing, np.array([1.0, 0.0]), 1e-3, 1000)[0], abs=1e-8)


def test_sign_of_the_multipliers() -> None:
    """M a + c = tau + A^T lambda: A^T lambda is the force of the rod on the mass, up at rest."""
    system = constrained_pendulum()
    q, u, tau = np.array([0.0, -0.7]), np.zeros(2), np.zeros(2)
    multiplier = system.constraint_forces.evaluate(q, u, tau)
    jacobian = system.constraint_jacobian.evaluate(q)
    np.testing.assert_allclose(jacobian, [[0.0, -1.4]])
    np.testing.assert_allclose(jacobian.T @ multiplier, [0.0, 1.3 * 9.81], rtol=1e-14)
    q, u, tau = np.array([0.42, -0.56]), np.array([0.56, 0.42]), np.array([0.3, -0.2])
    a = system.forward_dynamics.evaluate(q, u, tau)
    force = system.constraint_jacobian.evaluate(q).T @ system.constraint_forces.evaluate(q, u, tau)
    np.testing.assert_allclose(system.inverse_dynamics.evaluate(q, u, a), tau + force, rtol=1e-13)
    tension = -force @ q / 0.7
    weight_and_pull = np.array([0.0, -1.3 * 9.81]) + tau
    assert tension == pytest.approx(1.3 * u @ u / 0.7 + weight_and_pull @ q / 0.7, rel=1e-13)


def test_constraints_agree_with_sympy() -> None:
    """The multipliers are those of LagrangesMethod.mass_matrix_full; in its eom -lam_vec."""
    x, y = dynamicsymbols("x y")
    lagrangian = m * (x.diff() ** 2 + y.diff() ** 2) / 2 - m * g * y
    method = LagrangesMethod(lagrangian, [x, y], hol_coneqs=[x**2 + y**2 - ell**2])
    method.form_lagranges_equations()
    values = {x.diff(): 0.3, y.diff(): -0.4, x: 0.35, y: -0.6, **VALUES}
    solved = method.mass_matrix_full.subs(values).LUsolve(method.forcing_full.subs(values))
    system = constrained_pendulum()
    state = np.array([0.35, -0.6]), np.array([0.3, -0.4]), np.zeros(2)
    expected = np.array(solved, dtype=float).ravel()
    a = system.forward_dynamics.evaluate(*state)
    multipliers = system.constraint_forces.evaluate(*state)
    np.testing.assert_allclose(a, expected[2:4], rtol=1e-12)
    np.testing.assert_allclose(multipliers, expected[4:], rtol=1e-12)
    accelerations = {x.diff(t, 2): a[0], y.diff(t, 2): a[1]}
    residual = method.eom.subs(accelerations).subs(values).subs(method.lam_vec[0], -multipliers[0])
    np.testing.assert_allclose(np.array(residual, dtype=float), 0, atol=1e-13)


def knife_edge() -> LagrangianSystem:
    """A sleigh on ice that cannot slip sideways."""
    x, y, psi = dynamicsymbols("x y psi")
    inertia = sp.Symbol("I")
    return LagrangianSystem(
        "sleigh",
        [x, y, psi],
        m * (x.diff() ** 2 + y.diff() ** 2) / 2 + inertia * psi.diff() ** 2 / 2,
        nonholonomic=[sp.Eq(x.diff() * sp.sin(psi), y.diff() * sp.cos(psi))],
        parameters={m: 2.0, inertia: 0.3},
    )


def test_nonholonomic_motion_is_a_circle() -> None:
    """Without forces both speed and turning rate stay constant (Ginsberg, sec. 7.5)."""
    system = knife_edge()
    psi, speed, turn = 0.6, 1.5, -0.8
    q = np.array([0.0, 0.0, psi])
    u = np.array([speed * np.cos(psi), speed * np.sin(psi), turn])
    a = system.forward_dynamics.evaluate(q, u, np.zeros(3))
    expected = speed * turn * np.array([-np.sin(psi), np.cos(psi), 0.0])
    np.testing.assert_allclose(a, expected, atol=1e-14)
    force = system.constraint_jacobian.evaluate(q).T @ system.constraint_forces.evaluate(
        q, u, np.zeros(3)
    )
    np.testing.assert_allclose(force, 2.0 * expected, atol=1e-14)
    assert system.constraint_residual.name == "velocity"
    np.testing.assert_allclose(system.constraint_residual.evaluate(q, u), [0.0], atol=1e-15)


def test_massless_coordinate_tied_by_a_constraint() -> None:
    """M is singular alone; with the constraint the motion is determined."""
    x, z = dynamicsymbols("x z")
    system = LagrangianSystem(
        "tied",
        [x, z],
        m * x.diff() ** 2 / 2,
        k * z**2 / 2,
        holonomic=[z - 2 * x],
        parameters={m: 1.5, k: 3.0},
    )
    state = np.array([0.2, 0.4]), np.array([0.0, 0.0]), np.array([0.1, 0.7])
    a = system.forward_dynamics.evaluate(*state)
    multiplier = system.constraint_forces.evaluate(*state)
    np.testing.assert_allclose(
        a, [(0.1 + 2 * (0.7 - 3 * 0.4)) / 1.5 * f for f in (1, 2)], rtol=1e-12
    )
    np.testing.assert_allclose(multiplier, [3 * 0.4 - 0.7], rtol=1e-12)
    derivatives = system.forward_dynamics_derivatives
    np.testing.assert_allclose(
        derivatives.da_dq.evaluate(*state), np.outer([1, 2], [0, -2 * 3 / 1.5]), atol=1e-12
    )


# -- time and inputs -----------------------------------------------------------------------------


def test_explicit_time_and_moving_constraints() -> None:
    """A bead on a rod that turns at a given rate, in x, y: the Coriolis force is recovered."""
    x, y = dynamicsymbols("x y")
    w = sp.Symbol("w")
    system = LagrangianSystem(
        "bead",
        [x, y],
        m * (x.diff() ** 2 + y.diff() ** 2) / 2,
        holonomic=[-x * sp.sin(w * t) + y * sp.cos(w * t)],
        parameters={m: 0.5, w: 2.0},
    )
    names = [argument.name for argument in system.forward_dynamics.inputs]
    assert names == ["q", "u", "tau", "t"]
    assert [argument.name for argument in system.mass_matrix.inputs] == ["q"]
    assert [argument.name for argument in system.constraint_residual[0].inputs] == ["q", "u", "t"]
    time, r, rate = 0.4, 1.2, 0.7
    along, across = (
        np.array([np.cos(2 * time), np.sin(2 * time)]),
        np.array([-np.sin(2 * time), np.cos(2 * time)]),
    )
    q, u = r * along, rate * along + 2.0 * r * across
    position, velocity = (p.evaluate(q, u, time) for p in system.constraint_residual)
    np.testing.assert_allclose([*position, *velocity], 0, atol=1e-15)
    a = system.forward_dynamics.evaluate(q, u, np.zeros(2), time)
    np.testing.assert_allclose(a, 2 * 2.0 * rate * across, rtol=1e-13)


def test_rheonomic_kinetic_energy_equals_sympy() -> None:
    """A pendulum whose support moves as s(t): s, s', s'' are inputs."""
    theta, s = dynamicsymbols("theta s")
    v = sp.Matrix([s + ell * sp.sin(theta), -ell * sp.cos(theta)]).diff(t)
    kinetic, potential = m * v.dot(v) / 2, -m * g * ell * sp.cos(theta)
    system = LagrangianSystem(
        "driven",
        [theta],
        kinetic,
        potential,
        parameters=VALUES,
        inputs=[s, s.diff(), s.diff(t, 2)],
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
    }
    program = system.program(functions=system.functions, tunable="all")
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


# -- errors --------------------------------------------------------------------------------------

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
    assert "constraint_forces" not in system.functions


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


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(ARGUMENTS), garbage, min_size=1, max_size=3))
def test_garbage_is_refused_with_one_message(arguments: dict[str, Any]) -> None:
    base: dict[str, Any] = {"name": "bad", "coordinates": [theta], "kinetic_energy": T}
    try:
        system = LagrangianSystem(**{**base, "parameters": {m: 1.0}, **arguments})
        system.program()
    except ModelError as error:
        assert str(error) and "\n" not in str(error)
