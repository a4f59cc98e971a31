"""Linearization against the nonlinear flow: finite differences of runs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import eomc
from eomc.binding.arrays import Array
from eomc.runtime import linearize, linearize_along, simulate

TIGHT = {"rtol": 1e-12, "atol": 1e-13}


def central(f: Callable[[Array], Array], n: int, h: float) -> Array:
    """(m, n): fourth-order differences of f at zero."""
    columns = []
    for step in h * np.eye(n):
        near, far = (f(step) - f(-step)) / (2 * h), (f(2 * step) - f(-2 * step)) / (4 * h)
        columns.append((4 * near - far) / 3)
    return np.array(columns).T


def test_a_tumbling_floating_base(drone: eomc.CompiledModel) -> None:
    """x(T) by x(0) in the tangent spaces at both ends, along a run with body rates."""
    rng = np.random.default_rng(0)
    q, u, duration, n = drone.random_configuration(rng), rng.normal(size=drone.nu), 0.2, drone.nu
    given = {"inputs": [2.0], **TIGHT}
    run = simulate(drone, q, u, t_span=duration, step=duration / 100, **given)
    flow = linearize_along(run).transition()[-1]

    def end(x: Array) -> Array:
        moved = simulate(drone, drone.integrate(q, x[:n]), u + x[n:], t_span=duration, **given)
        return np.append(drone.difference(run.final.q, moved.final.q), moved.final.u)

    assert np.abs(central(end, 2 * n, 1e-3) - flow).max() < 1e-7 * np.abs(flow).max()


def test_a_body_that_begins_to_turn(drone: eomc.CompiledModel) -> None:
    """At rest, but accelerated: the directions of displacements turn with the acceleration."""
    rng = np.random.default_rng(1)
    q, tau, n = drone.random_configuration(rng), rng.normal(size=drone.nu), drone.nu

    def acceleration(x: Array) -> Array:
        moved = drone.integrate(q, x[:n])
        return np.asarray(drone.forward_dynamics(moved, x[n:], tau, [2.0]))

    linear = linearize(drone, q=q, tau=tau, inputs=[2.0])
    assert np.abs(central(acceleration, 2 * n, 1e-3) - linear.A[n:]).max() < 1e-8
    exact = drone.state_space(q, np.zeros(n), tau, [2.0])[0]
    assert np.abs(exact - linear.A).max() < 1e-12


def closed(model: eomc.CompiledModel, q: Array, u: Array, held: list[int]) -> tuple[Array, Array]:
    """The state with the coordinates `held` as they are and the others on the constraints."""
    free = [k for k in range(model.nu) if k not in held]
    for _ in range(20):
        g = model.constraint_jacobian(q)
        step = np.zeros(model.nu)
        step[free] = -np.linalg.solve(g[:, free], model.constraint_residual(q))
        q = model.integrate(q, step)
    g, u = model.constraint_jacobian(q), u.copy()
    u[free] = -np.linalg.solve(g[:, free], g[:, held] @ u[held])
    return q, u


def test_a_moving_loop(bars: eomc.CompiledModel) -> None:
    """A four-bar swinging fast: curvature, gyroscopic terms and the moving basis together."""
    start = np.zeros(4)
    start[0] = 0.3
    q, u = closed(bars, start, np.array([2.0, 0, 0, 0]), [0])
    duration, unit = 0.15, np.eye(4)[0]
    run = simulate(bars, q, u, t_span=duration, step=duration / 150, **TIGHT)
    flow = linearize_along(run, independent=["phi2"]).transition()[-1]

    def end(x: Array) -> Array:
        moved = closed(bars, q + x[0] * unit, u + x[1] * unit, [0])
        final = simulate(bars, *moved, t_span=duration, **TIGHT).final
        return np.array([final.q[0], final.u[0]])

    assert np.abs(central(end, 2, 1e-3) - flow).max() < 1e-7 * np.abs(flow).max()


def test_bases_agree(bars: eomc.CompiledModel) -> None:
    """A moving loop in each of its coordinates: A is similar up to the change of the basis."""
    q, u = closed(bars, np.array([0.3, 0, 0, 0]), np.array([2.0, 0, 0, 0]), [0])
    first = linearize(bars, (q, u), independent=["phi2"])
    # y = z(phi4) = b(t) z: y' = b z' + b' z, so A transforms with the rate of b as well.
    second = linearize(bars, (q, u), independent=["phi4"])
    b = first.basis[3, 0]

    def ratio(h: float) -> float:
        there = simulate(bars, q, u, t_span=abs(h), **TIGHT).final if h > 0 else None
        assert there is not None
        return float(linearize(bars, there, independent=["phi2"]).basis[3, 0])

    h = 1e-3
    rate = (-11 * b + 18 * ratio(h) - 9 * ratio(2 * h) + 2 * ratio(3 * h)) / (6 * h)
    transform = np.array([[b, 0.0], [rate, b]])
    # Of the accelerations only the second rate of b is left open: compare the trace.
    moved = transform @ first.A @ np.linalg.inv(transform)
    assert np.isclose(np.trace(second.A), np.trace(moved) + 2 * rate / b, rtol=1e-6)


def test_a_knife_edge(sled: eomc.CompiledModel) -> None:
    """Three displacements, two speeds: constraints on speeds alone."""
    q = np.array([0.1, -0.2, 0.7])
    u = speeds_on_edge(sled, q, 1.5, 0.6)
    linear = linearize(sled, (q, u))
    assert len(linear.coordinates) == 3
    assert len(linear.states) == 5
    free = [sled.speeds.index(name[6:-1]) for name in linear.states[3:]]

    def rates(x: Array) -> Array:
        moved = q + x[:3]
        speeds = u.copy()
        speeds[free] += x[3:]
        g = sled.constraint_jacobian(moved)
        bound = next(k for k in range(3) if k not in free)
        speeds[bound] = -g[0, free] @ speeds[free] / g[0, bound]
        a, _ = sled.constrained_dynamics(moved, speeds, np.zeros(3), [0.0])
        return np.append(speeds, a[free])

    assert np.abs(central(rates, 5, 1e-3) - linear.A).max() < 1e-7


def speeds_on_edge(model: eomc.CompiledModel, q: Array, forward: float, turn: float) -> Array:
    c, s = np.cos(q[2]), np.sin(q[2])
    across = 0.3 * turn
    u = np.array([c * forward - s * across, s * forward + c * across, turn])
    assert abs(model.constraint_velocity(q, u)[0]) < 1e-12
    return u


def test_outputs(drone: eomc.CompiledModel) -> None:
    """C and D against differences of what is observed."""
    rng = np.random.default_rng(4)
    q, u, n = drone.random_configuration(rng), rng.normal(size=drone.nu), drone.nu
    names = ["tip.x", "tip.z", "tip.vy", "tip.wx", "acceleration(j)", "j", "speed(s_wy)"]
    linear = linearize(drone, (q, u), inputs=[1.0], outputs=names)
    tip = drone.frame("tip")

    def observed(x: Array) -> Array:
        q1, u1, r, tau = drone.integrate(q, x[:n]), u + x[n : 2 * n], [1 + x[-1]], x[2 * n : -1]
        place, rate = tip.pose(q1)[:3, 3], tip.velocity(q1, u1)
        a = drone.forward_dynamics(q1, u1, tau, r)
        return np.array([place[0], place[2], rate[1], rate[3], a[6], q1[7], u1[8]])

    slopes = central(observed, 3 * n + 1, 1e-3)
    assert np.abs(slopes[:, : 2 * n] - linear.C).max() < 1e-8
    assert np.abs(slopes[:, 2 * n :] - linear.D).max() < 1e-8


def test_inputs(drone: eomc.CompiledModel) -> None:
    rng = np.random.default_rng(5)
    q, u, n = drone.random_configuration(rng), rng.normal(size=drone.nu), drone.nu
    linear = linearize(drone, (q, u), inputs=[1.0])

    def accelerations(v: Array) -> Array:
        return np.asarray(drone.forward_dynamics(q, u, v[:n], [1 + v[n]]))

    assert np.abs(central(accelerations, n + 1, 1e-3) - linear.B[n:]).max() < 1e-9
    assert not linear.B[:n].any()
