"""M, C, K of inverse dynamics, by complex steps on the graph and in closed form."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import eomc
from eomc.runtime import linearize
from eomc.systems.trom import circle_particle, four_bar, slider_pendulum
from eomc.verifier.arithmetic.complex_step import complex_step


def test_body_rates_by_a_complex_step_of_the_residual() -> None:
    """A free rigid body that spins: rotation vectors on both sides of f(q exp(xi), u, a)."""
    model = eomc.Model("top", gravity=(0, 0, -9.81))
    model.body("top", mass=2, com=(0.1, 0.2, 0.5), inertia=(0.5, 0.7, 0.3, 0.05, -0.02, 0.03))
    model.joint("j", "spherical", parent="world", child="top")
    equations = eomc.equations(model)
    quantity = equations.inverse_dynamics
    rng = np.random.default_rng(2)
    q = rng.normal(size=4)
    q /= np.linalg.norm(q)
    u, a = rng.normal(size=3), rng.normal(size=3)

    def cross(v: np.ndarray) -> np.ndarray:
        return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])

    # To first order in xi(t): du = xi' + u x xi, da = xi'' + a x xi + u x xi', dq = q (0, xi)/2.
    w, v = q[0], q[1:]
    by_xi = 0.5 * np.vstack([-v, w * np.eye(3) + cross(v)])
    directions = {
        "M": (np.zeros((4, 3)), np.zeros((3, 3)), np.eye(3)),
        "C": (np.zeros((4, 3)), np.eye(3), cross(u)),
        "K": (by_xi, cross(u), cross(a)),
    }
    values = {
        f"{name}[{i}]": x for name, y in (("q", q), ("u", u), ("a", a)) for i, x in enumerate(y)
    }
    found = [part.evaluate(q=q, u=u, a=a) for part in equations.linearization]
    for got, parts in zip(found, directions.values(), strict=False):
        direction = {
            f"{name}[{i}]": row
            for name, rows in zip("qua", parts, strict=True)
            for i, row in enumerate(rows)
        }
        nodes = quantity.argument.entries
        wanted = complex_step(quantity.graph, nodes, values, direction)
        assert np.abs(got - wanted).max() < 1e-12


def test_sympy_closed_form() -> None:
    """The slider-pendulum in SymPy: derivatives of its equations by SymPy itself."""
    equations = eomc.equations(slider_pendulum())
    tau = equations.inverse_dynamics.to_sympy()
    for matrix, letter in zip(equations.linearization, ("a_", "u_", ""), strict=False):
        variables = [sp.Symbol(f"{letter}{name}") for name in ("y", "theta")]
        difference = (matrix.to_sympy() - tau.jacobian(variables)).applyfunc(sp.simplify)
        assert difference == sp.zeros(2, 2)


def test_sympy_closed_form_of_a_constraint() -> None:
    """A particle on a circle, all in SymPy: without stiffness of its own it swings by g / l."""
    equations = eomc.equations(circle_particle(2.0))
    mass, _, stiffness, *_ = (part.to_sympy() for part in equations.linearization)
    jacobian = equations.constraint_jacobian.to_sympy()
    curvature = equations.constraint_derivatives[0].to_sympy()
    y, z = sp.symbols("y z")
    (multiplier,) = curvature.free_symbols
    assert stiffness == sp.zeros(2, 2)
    assert curvature == (jacobian * multiplier).jacobian([y, z])
    weight = equations.gravity.to_sympy()
    hanging = {y: 0, z: -2}
    (balance,) = sp.solve(
        (weight - jacobian.T * multiplier).subs(hanging)[1:], [multiplier]
    ).items()
    (free,) = jacobian.subs(hanging).nullspace()
    reduced = free.T * (stiffness - curvature.subs([balance])) * free
    square = (free.T * mass * free).inv() * reduced
    assert sp.Abs(square[0] - sp.Rational(981, 200)) < 1e-15


def test_an_unequal_four_bar_hanging(bars: eomc.CompiledModel) -> None:
    """K is the second derivative of the energy on the circle of closures."""
    linear = linearize(bars, independent=["phi2"])
    # phi4 = phi2/2 + ..., V(phi2) by the closed loop: the tips keep the coupler's length.
    assert linear.stiffness.item() == pytest.approx(147.15, rel=1e-12)
    assert linear.mass.item() == pytest.approx(21.25, rel=1e-12)
    assert linear.damping.item() == pytest.approx(3.0, rel=1e-12)


def slopes(equations: eomc.Equations, name: str, **at: np.ndarray) -> np.ndarray:
    """(entries, 3 n): complex-step derivatives of a function by q, u and a."""
    program = equations.program(functions=[name])
    (function,) = program.functions
    one = np.eye(3 * len(at["q"]))
    values, direction = {}, {}
    for argument in function.inputs:
        first = "qua".index(argument.name) * len(at["q"])
        for k, node in enumerate(argument.entries):
            values[node], direction[node] = at[argument.name][k], one[first + k]
    return complex_step(program.graph, function.nodes, values, direction)


def test_the_residual_of_a_moving_loop_by_complex_steps(bars: eomc.CompiledModel) -> None:
    """A from f(q, u, a) - G^T lambda, phi, G u and G a + g, stepped as they stand."""
    start = eomc.assemble(bars, {"phi2": 0.3}, {"phi2": 2.0}, fixed=["phi2", "speed(phi2)"])
    q, u, a, g = start.q, start.u, start.a, bars.constraint_jacobian(start.q)
    equations, n, m = eomc.equations(four_bar(damping=3.0, unequal=True)), 4, 3
    forces = bars.inverse_dynamics(q, u, a)
    multipliers = np.linalg.lstsq(g.T, forces, rcond=None)[0]
    assert np.abs(g.T @ multipliers - forces).max() < 1e-11
    at = {"q": q, "u": u, "a": a}
    by_jacobian = slopes(equations, "constraint_jacobian", **at).reshape(m, n, 3 * n)
    balance = slopes(equations, "inverse_dynamics", **at)
    balance -= np.einsum("ikx,i->kx", by_jacobian, multipliers)
    accelerated = slopes(equations, "constraint_bias", **at)
    accelerated += np.einsum("ikx,k->ix", by_jacobian, a)
    accelerated[:, 2 * n :] += g
    closed = [
        slopes(equations, "constraint_residual", **at),
        slopes(equations, "constraint_velocity", **at),
        accelerated,
    ]
    chosen = np.eye(3 * n)[[0, n]]  # phi2 and its speed
    whole = np.vstack(
        [
            np.hstack([balance, -g.T]),
            *(np.hstack([rows, np.zeros((m, m))]) for rows in closed),
            np.hstack([chosen, np.zeros((2, m))]),
        ]
    )
    right = np.zeros((len(whole), 2))
    right[-2:] = np.eye(2)
    wanted = np.linalg.solve(whole, right)[[n, 2 * n]]
    assert np.abs(linearize(bars, (q, u), independent=["phi2"]).A - wanted).max() < 1e-11


@pytest.mark.parametrize("method", ["one-sided", "central"])
def test_differences_agree(drone: eomc.CompiledModel, method: str) -> None:
    rng = np.random.default_rng(1)
    state = drone.random_configuration(rng), rng.normal(size=drone.nu)
    exact = linearize(drone, state, inputs=[2.0])
    found = linearize(drone, state, inputs=[2.0], method=method)
    scale = np.abs(exact.stiffness).max()
    assert np.abs(found.stiffness - exact.stiffness).max() < 1e-2 * scale
    assert np.abs(found.damping - exact.damping).max() < 1e-2 * np.abs(exact.damping).max()
    assert set(found.steps) == {"q", "u", "a"}


def test_directional_derivative(slider: eomc.CompiledModel) -> None:
    """Of M, C, K along state and parameters at once, against central differences."""
    rng = np.random.default_rng(3)
    q, u, a, dq, du, da = rng.normal(size=(6, 2))
    p = np.array(list(slider.parameters.values()))
    dp = rng.normal(size=p.shape)
    exact = slider.linearization_derivative(q, u, a, dq, du, da, dp, parameters=p)
    h = 1e-4

    def at(step: float) -> list[np.ndarray]:
        moved = (q + step * dq, u + step * du, a + step * da)
        return [np.array(part) for part in slider.linearization(*moved, parameters=p + step * dp)]

    for got, ahead, behind in zip(exact, at(h), at(-h), strict=True):
        assert np.abs((ahead - behind) / (2 * h) - got).max() < 1e-5
