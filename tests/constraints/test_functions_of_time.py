"""Places and orientations as functions of time, against closed forms: motion, balance, linear."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.values import Values, near
from scipy.integrate import solve_ivp

import eomc
from eomc.binding.arrays import Array
from eomc.derive.model import Model, Placement, Point
from eomc.runtime.errors import ConstraintError

G, LENGTH, RATE = 9.81, 0.5, 5.0


def _pendulum(*, welded: bool) -> Model:
    """A pendulum on a hub that is led along x and z and turns about z; `welded`: the hub's frame
    is that of a part welded to it, turned."""
    model = Model("led_pendulum", gravity=(0, 0, -G))
    model.body("hub", mass=2, com=(0.1, 0, 0), inertia=(0.3, 0.2, 0.1))
    model.body("bob", mass=1.5, com=(0, 0, -LENGTH))
    model.joint("free", "floating", parent="world", child="hub")
    model.joint("swing", "revolute", parent="hub", child="bob", axis=(0, 1, 0))
    turned = Placement(rpy=(0.3, -0.2, 0.5))
    if welded:
        model.body("part", mass=0.3, inertia=(0.01, 0.01, 0.01))
        model.joint("weld", "fixed", parent="hub", child="part", placement=turned)
    model.constraint(
        "path", "point_location", a=Point("hub"), position=("sway*sin(2*t)", 0, "0.1*t**3")
    )
    # The axes of the part, turned back, are those of the hub.
    model.constraint(
        "course",
        "orientation",
        a="part" if welded else "hub",
        rotation={"rpy": (0, 0, "rate*t")},
        frame_a=turned.inverse() if welded else Placement(),
    )
    model.parameter("rate", 0.0, tunable=True)
    model.parameter("sway", 0.3, tunable=True)
    return model


@pytest.fixture(scope="module")
def led() -> eomc.CompiledModel:
    return eomc.build(_pendulum(welded=False))


def _led(t: float, theta: float, rate: float = 0.0) -> tuple[Array, Array]:
    """q, u of the hub on its way, turned about z."""
    x, z, half = 0.3 * np.sin(2 * t), 0.1 * t**3, rate * t / 2
    q = np.array([x, 0, z, np.cos(half), 0, 0, np.sin(half), theta])
    return q, np.array([0.6 * np.cos(2 * t), 0, 0.3 * t**2, 0, 0, rate, 0.7])


def _pivot(t: float) -> tuple[float, float]:
    """x'', z''"""
    return -1.2 * float(np.sin(2 * t)), 0.6 * t


@pytest.mark.parametrize("welded", [False, True], ids=["hub", "welded part"])
def test_a_led_hub_accelerates_its_pendulum(welded: bool) -> None:
    """l theta'' = x'' cos theta - (g + z'') sin theta, whichever frame is oriented."""
    values, t = Values(_pendulum(welded=welded)), 0.7
    q, u = _led(t, 0.4)
    assert near(values("constraint_residual", q=q, t=t), np.zeros(6), 1e-13)
    assert near(values("constraint_velocity", q=q, u=u, t=t), np.zeros(6), 1e-13)
    a = values("forward_dynamics", q=q, u=u, tau=np.zeros(7), t=t)
    x, z = _pivot(t)
    assert a[6] == pytest.approx((x * np.cos(0.4) - (G + z) * np.sin(0.4)) / LENGTH, rel=1e-11)


def test_assembling_goes_to_the_place_at_that_time(led: eomc.CompiledModel) -> None:
    """From the neutral configuration, where one entry of the quaternion has no slope."""
    at = eomc.assemble(led, {"swing": 0.4}, {"swing": 0.7}, t=0.7, fixed="swing")
    q, u = _led(0.7, 0.4)
    assert near(at.q, q, 1e-13) and near(at.u, u, 1e-13)
    with pytest.raises(ConstraintError, match=r"violates constraint 'path"):
        eomc.simulate(led, t_span=(0.7, 0.8))


def test_small_motions_are_those_of_the_instant(led: eomc.CompiledModel) -> None:
    """l d theta'' = -(x'' sin theta + (g + z'') cos theta) d theta, by both ways to eigenvalues."""
    t, (x, z) = 0.7, _pivot(0.7)
    state = _led(t, 0.4)
    linear = eomc.linearize(led, state, t=t)
    squared = ((G + z) * np.cos(0.4) + x * np.sin(0.4)) / LENGTH
    assert near(linear.A, [[0, 1], [-squared, 0]], 1e-10)
    roots = eomc.runtime.linearization.unreduced_eigenvalues(led, state, t=t)
    assert near(np.sort(roots.imag), [-(squared**0.5), squared**0.5], 1e-8)


def test_steady_motion_of_what_is_led(led: eomc.CompiledModel) -> None:
    """On a hub that turns at W: cos theta = (g + z'') / (l W^2), small motions at W sin theta."""
    t, numbers = 0.3, {"rate": RATE, "sway": 0.0}
    z = 0.6 * t
    found = eomc.equilibrium(
        led,
        {"swing": 0.8},
        {"free_vz": 0.3 * t**2, "free_wz": RATE},
        acceleration={"free_vz": z},
        t=t,
        parameters=numbers,
    )
    assert near(found.q[:3], [0, 0, 0.1 * t**3], 1e-12)
    assert near(found.q[3:7], [np.cos(RATE * t / 2), 0, 0, np.sin(RATE * t / 2)], 1e-10)
    assert np.cos(found["swing"]) == pytest.approx((G + z) / (LENGTH * RATE**2), rel=1e-10)
    linear = eomc.linearize(led, found)  # at the time of the equilibrium
    squared = (RATE * np.sin(found["swing"])) ** 2
    assert near(linear.A, [[0, 1], [-squared, 0]], 1e-9)


def test_a_run_follows_functions_of_time(led: eomc.CompiledModel) -> None:
    """Against the pendulum's equation alone."""
    q, u = _led(0.0, 0.4)
    times = np.linspace(0, 1.5, 31)
    run = eomc.simulate(led, q, u, t_span=times, rtol=1e-10, atol=1e-12)

    def rates(t: float, y: Array) -> list[float]:
        x, z = _pivot(t)
        return [y[1], (x * np.cos(y[0]) - (G + z) * np.sin(y[0])) / LENGTH]

    alone = solve_ivp(rates, (0, 1.5), [0.4, 0.7], t_eval=times, rtol=1e-11, atol=1e-13)
    assert near(run["swing"], alone.y[0], 1e-8)
    assert near(run["free_x"], 0.3 * np.sin(2 * times), 1e-12)


def test_entries_of_a_quaternion_have_one_size() -> None:
    """One of them stands still near the orientation in which the model closes; residuals are
    compared with the largest entry in its size."""
    model = Model("turned")
    model.body("plate", mass=2, com=(0.1, 0, -0.3), inertia=(0.3, 0.2, 0.1))
    model.joint("free", "floating", parent="world", child="plate")
    course = {"rpy": ("0.2*sin(t)", "0.3*t", "0.1*t**2")}
    model.constraint("course", "orientation", a="plate", rotation=course)
    sizes = Values(model).equations.system(()).constraints.independent.sizes["q"]
    assert [sizes[f"free_q{entry}"] for entry in "wxyz"] == [0.5] * 4
