"""Constrained motion: multipliers, their sign, energy, and what moves with time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from lagrange.example_systems import VALUES, constrained_pendulum, ell, g, k, knife_edge, m, t
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from eomc.derive.lagrange import LagrangianSystem


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
    position = system.constraint_residual.evaluate(end[:2])
    velocity = system.constraint_velocity.evaluate(end[:2], end[2:])
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
    assert system.constraint_residual.shape == (0,)
    np.testing.assert_allclose(system.constraint_velocity.evaluate(q, u), [0.0], atol=1e-15)


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
    assert [argument.name for argument in system.constraint_residual.inputs] == ["q", "t"]
    time, r, rate = 0.4, 1.2, 0.7
    along, across = (
        np.array([np.cos(2 * time), np.sin(2 * time)]),
        np.array([-np.sin(2 * time), np.cos(2 * time)]),
    )
    q, u = r * along, rate * along + 2.0 * r * across
    position = system.constraint_residual.evaluate(q, time)
    velocity = system.constraint_velocity.evaluate(q, u, time)
    np.testing.assert_allclose([*position, *velocity], 0, atol=1e-15)
    a = system.forward_dynamics.evaluate(q, u, np.zeros(2), time)
    np.testing.assert_allclose(a, 2 * 2.0 * rate * across, rtol=1e-13)
