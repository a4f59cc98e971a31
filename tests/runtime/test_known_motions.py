"""Runs against motions that are known in closed form, or integrated from other equations."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import eomc
from eomc.runtime.errors import SimulationError

GRAVITY, LENGTH = 9.81, 0.8
ADAPTIVE = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA")


@pytest.fixture(scope="session")
def pendulum() -> eomc.CompiledModel:
    """A point mass of 1 kg on a rod of 0.8 m; the angle counts from hanging."""
    model = eomc.Model("pendulum", gravity=(0, 0, -GRAVITY))
    model.body("bob", mass=1, com=(0, 0, -0.8))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    return eomc.build(model, flags=("-O1",))


@pytest.fixture(scope="session")
def free_body() -> eomc.CompiledModel:
    """A rigid body in free space with three different moments of inertia, 1, 2 and 2.5 kg m^2."""
    model = eomc.Model("free_body", gravity=(0, 0, 0))
    model.body("body", mass=3, inertia=(1, 2, 2.5))
    model.joint("base", "floating", parent="world", child="body")
    return eomc.build(model, flags=("-O1",))


@pytest.fixture(scope="session")
def shaken() -> eomc.CompiledModel:
    """A pendulum of 0.8 m whose pivot is moved along x as prescribed."""
    model = eomc.Model("shaken", gravity=(0, 0, -GRAVITY))
    model.body("pivot", mass=1)
    model.body("bob", mass=1, com=(0, 0, -0.8))
    model.joint("slide", "prismatic", parent="world", child="pivot", axis=(1, 0, 0))
    model.joint("hinge", "revolute", parent="pivot", child="bob", axis=(0, 1, 0))
    model.prescribed("slide")
    return eomc.build(model, flags=("-O1",))


def damped_oscillation(t: np.ndarray, m=2.0, d=0.6, k=32.0, x0=0.3, force=0.0) -> np.ndarray:
    """x(t) of m x'' + d x' + k x = force from rest at x0, underdamped."""
    decay, rest = d / (2 * m), force / k
    omega = np.sqrt(k / m - decay**2)
    wave = np.cos(omega * t) + decay / omega * np.sin(omega * t)
    return rest + (x0 - rest) * np.exp(-decay * t) * wave


@pytest.mark.parametrize("method", ADAPTIVE)
def test_adaptive_methods_follow_the_damped_oscillation(oscillator, method: str) -> None:
    run = eomc.simulate(oscillator, q=[0.3], t_span=3.0, method=method, rtol=1e-9, atol=1e-11)
    assert np.abs(run["x"] - damped_oscillation(run.t)).max() < 2e-6
    assert run.t[0] == 0 and run.t[-1] == 3.0


def test_tighter_tolerances_give_smaller_errors(oscillator) -> None:
    errors = []
    for rtol in (1e-4, 1e-7, 1e-10):
        run = eomc.simulate(oscillator, q=[0.3], t_span=3.0, rtol=rtol, atol=rtol / 100)
        errors.append(np.abs(run["x"] - damped_oscillation(run.t)).max())
    assert errors[0] > 10 * errors[1] > 100 * errors[2]


def test_compiled_rk4_is_of_fourth_order(oscillator) -> None:
    errors = []
    for step in (0.02, 0.01, 0.005):
        run = eomc.simulate(oscillator, q=[0.3], t_span=2.0, method="rk4", step=step)
        assert run.count == round(2.0 / step) + 1
        errors.append(np.abs(run["x"] - damped_oscillation(run.t)).max())
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(16, rel=0.1)


def test_compiled_rk4_on_given_times_keeps_its_step(oscillator) -> None:
    times = np.array([0.0, 0.05, 0.051, 0.5, 2.0])
    run = eomc.simulate(oscillator, q=[0.3], t_span=times, method="rk4", step=0.01)
    assert np.array_equal(run.t, times)
    assert np.abs(run["x"] - damped_oscillation(times)).max() < 1e-6
    assert run.statistics["steps"] == 5 + 1 + 45 + 150


def test_parameters_change_the_motion(oscillator) -> None:
    for method in ("DOP853", "rk4"):
        run = eomc.simulate(
            oscillator,
            q=[0.3],
            t_span=2.0,
            method=method,
            step=1e-3,
            parameters={"m": 0.5, "d": 0.1},
        )
        expected = damped_oscillation(run.t, m=0.5, d=0.1)
        assert np.abs(run["x"] - expected).max() < 1e-7, method


@pytest.mark.parametrize(
    "force",
    [
        {"inputs": [4.0]},
        {"inputs": {"thrust": 4.0}},
        {"inputs": {"thrust": lambda t, q, u: 4.0}},
        {"inputs": lambda t, q, u: [4.0]},
        {"tau": [4.0]},
        {"tau": {"x": 4.0}},
        {"controller": lambda t, q, u: [4.0]},
        {"tau": [1.0], "inputs": [1.0], "controller": lambda t, q, u: [2.0]},
    ],
    ids=lambda force: "+".join(force),
)
@pytest.mark.parametrize("method", ["DOP853", "rk4"])
def test_a_constant_force_however_given(oscillator, force: dict, method: str) -> None:
    run = eomc.simulate(oscillator, q=[0.3], t_span=1.0, method=method, step=1e-3, **force)
    assert np.abs(run["x"] - damped_oscillation(run.t, force=4.0)).max() < 1e-7


def test_rk4_holds_a_controller_over_each_step(mass) -> None:
    """Under a held force a mass moves on a parabola in every step, which RK4 hits exactly."""

    class Digital:
        """tau = -3 x - 2 x'"""

        def torque(self, t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
            return -3 * q - 2 * u

    h, x, v = 0.1, 0.4, -0.2
    rows = [(x, v, -3 * x - 2 * v)]
    for _ in range(20):
        force = -3 * x - 2 * v
        x, v = x + h * v + h**2 / 2 * force / 2, v + h * force / 2
        rows.append((x, v, -3 * x - 2 * v))
    run = eomc.simulate(mass, [0.4], [-0.2], 2.0, controller=Digital(), method="rk4", step=h)
    assert np.hstack([run.q, run.u, run.tau]) == pytest.approx(np.array(rows), abs=1e-13)


def test_period_of_a_large_swing(pendulum) -> None:
    """T = 4 sqrt(l/g) K(sin(theta0/2)), by the zeros of the angle."""
    start = 2.6

    def hanging(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return q[0]

    run = eomc.simulate(pendulum, [start], t_span=12.0, events=hanging, rtol=1e-12, atol=1e-13)
    period = 4 * np.sqrt(LENGTH / GRAVITY) * ellipk(np.sin(start / 2) ** 2)
    crossings = run.events[0].t
    assert len(crossings) == int((12.0 - period / 4) // (period / 2)) + 1
    assert np.diff(crossings) == pytest.approx(period / 2, rel=1e-7)
    assert np.ptp(run.energy) < 1e-9


def test_a_terminal_event_ends_the_run(pendulum) -> None:
    def upwards(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return u[0]

    upwards.terminal = True  # type: ignore[attr-defined]
    upwards.direction = 1  # type: ignore[attr-defined]
    run = eomc.simulate(pendulum, [0.5], t_span=10.0, events=upwards, rtol=1e-10, atol=1e-12)
    half = 2 * np.sqrt(LENGTH / GRAVITY) * ellipk(np.sin(0.25) ** 2)
    assert run.t[-1] == pytest.approx(half, rel=1e-7)
    assert run.final.q == pytest.approx([-0.5], abs=1e-7)


def test_free_body_turns_as_euler_says(free_body) -> None:
    """I w' = (I w) x w in body axes, near the unstable middle axis; momenta and T conserved."""
    inertia = np.array([1.0, 2.0, 2.5])
    spin, speed = np.array([0.01, 3.0, 0.02]), np.array([0.5, -1.0, 0.3])
    u0 = np.concatenate([speed, spin])
    run = eomc.simulate(free_body, u=u0, t_span=10.0, rtol=1e-11, atol=1e-13)

    def euler(t: float, w: np.ndarray) -> np.ndarray:
        return np.cross(inertia * w, w) / inertia

    reference = solve_ivp(euler, (0, 10), spin, "LSODA", run.t, rtol=1e-11, atol=1e-13)
    assert np.abs(run.u[:, 3:].T - reference.y).max() < 1e-6
    assert np.abs(np.linalg.norm(run.q[:, 3:], axis=1) - 1).max() < 1e-15
    momentum = run.evaluate("momentum")
    assert np.abs(momentum - momentum[0]).max() < 1e-9
    assert np.ptp(run.kinetic_energy) < 1e-9
    assert run.q[-1, :3] == pytest.approx(speed * 10, abs=1e-8)


def test_compiled_rk4_keeps_quaternions_at_unit_length(free_body) -> None:
    run = eomc.simulate(free_body, u=[0, 0, 0, 1, 2, 3], t_span=5.0, method="rk4", step=0.01)
    assert np.abs(np.linalg.norm(run.q[:, 3:], axis=1) - 1).max() < 1e-15
    assert np.ptp(run.kinetic_energy) / run.kinetic_energy[0] < 1e-6


def test_a_quaternion_of_another_length_is_normalized(free_body) -> None:
    run = eomc.simulate(free_body, q=[0, 0, 0, 3, 0, 0, 4], t_span=0.1)
    assert run.q[0] == pytest.approx([0, 0, 0, 0.6, 0, 0, 0.8])


@pytest.mark.parametrize(
    "motion",
    [
        lambda t: ([0.2 * np.sin(3 * t)], [0.6 * np.cos(3 * t)], [-1.8 * np.sin(3 * t)]),
        {"slide": lambda t: (0.2 * np.sin(3 * t), 0.6 * np.cos(3 * t), -1.8 * np.sin(3 * t))},
    ],
    ids=["function", "mapping"],
)
def test_pendulum_on_a_shaken_pivot(shaken, motion) -> None:
    """l theta'' = -g sin theta + s'' cos theta, theta turning the bob towards -x."""
    run = eomc.simulate(shaken, [0.4], [0.1], 5.0, prescribed=motion, rtol=1e-10, atol=1e-12)

    def textbook(t: float, y: np.ndarray) -> list[float]:
        pivot = -1.8 * np.sin(3 * t)
        return [y[1], (-GRAVITY * np.sin(y[0]) + pivot * np.cos(y[0])) / LENGTH]

    reference = solve_ivp(textbook, (0, 5), [0.4, 0.1], "DOP853", run.t, rtol=1e-10, atol=1e-12)
    assert np.abs(run["hinge"] - reference.y[0]).max() < 1e-7
    assert run["slide"] == pytest.approx(0.2 * np.sin(3 * run.t))


def test_work_of_a_controller_is_the_energy_gained(pendulum) -> None:
    run = eomc.simulate(
        pendulum,
        [0.2],
        t_span=4.0,
        controller=lambda t, q, u: [np.sin(2 * t)],
        rtol=1e-10,
        step=1e-3,
    )
    power = run.tau[:, 0] * run.u[:, 0]
    work = np.concatenate([[0], np.cumsum((power[1:] + power[:-1]) / 2 * np.diff(run.t))])
    assert np.abs(run.energy - run.energy[0] - work).max() < 1e-5


def test_span_that_starts_later(oscillator) -> None:
    """A law sees the time of the span, not of the run."""
    seen: list[float] = []

    def law(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        seen.append(t)
        return [0.0]

    run = eomc.simulate(oscillator, [0.3], t_span=(5.0, 6.0), controller=law)
    assert min(seen) == 5.0 and max(seen) <= 6.0
    assert np.abs(run["x"] - damped_oscillation(run.t - 5.0)).max() < 1e-7


def cubic(t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
    """x' = u, u' = u^3: escapes to infinity at t = 1/(2 u0^2)."""
    return 2 * u**3


@pytest.mark.parametrize("method", ["RK45", "DOP853", "Radau", "BDF", "LSODA"])
def test_finite_escape_is_named_with_its_time(mass, method: str) -> None:
    with pytest.raises(SimulationError, match=r"'mass' stopped at t = 0\.\d+ s") as caught:
        eomc.simulate(mass, u=[1.0], t_span=2.0, controller=cubic, method=method)
    assert caught.value.time == pytest.approx(0.5, abs=0.01)


def test_unstable_step_of_rk4_is_named_with_its_time(oscillator) -> None:
    """omega h = 12 lies far outside RK4's stability region of 2.8."""
    with pytest.raises(SimulationError, match="no longer finite") as caught:
        eomc.simulate(oscillator, [1.0], t_span=600.0, method="rk4", step=3.0)
    assert 3.0 < caught.value.time < 600.0
