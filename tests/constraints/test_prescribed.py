"""Prescribed coordinates on closed loops: the motion closes, and the drive does the work."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.mechanisms import four_bar

import eomc


@pytest.fixture(scope="module")
def driven() -> eomc.CompiledModel:
    model = four_bar("c")
    model.prescribed("a")
    return eomc.build(model)


def turning(t: float) -> tuple[float, float, float]:
    return 1.0 + 2.0 * t + 0.3 * t * t, 2.0 + 0.6 * t, 0.6


@pytest.fixture(scope="module")
def run(driven: eomc.CompiledModel) -> eomc.Trajectory:
    return eomc.simulate(
        driven,
        {"b": -0.5, "d": 1.5},
        t_span=(0, 5),
        step=0.01,
        prescribed={"a": turning},
        assemble=True,
        rtol=1e-11,
        atol=1e-12,
    )


def test_the_loop_follows_its_crank(driven: eomc.CompiledModel, run: eomc.Trajectory) -> None:
    phi = driven.constraint_residual(run.q, run.s)
    rate = driven.constraint_velocity(run.q, run.u, run.s, run.s_rate)
    assert np.abs(phi).max() < 1e-12
    assert np.abs(rate).max() < 1e-11
    assert np.ptp(run["a"]) > 2 * np.pi


def test_the_power_of_the_drive_is_the_change_of_energy(
    driven: eomc.CompiledModel, run: eomc.Trajectory
) -> None:
    force = np.asarray(
        driven.prescribed_forces(run.q, run.u, run.tau, run.s, run.s_rate, run.s_acceleration)
    )
    power = (force * run.s_rate).sum(axis=1)
    # Simpson's rule over pairs of intervals, against the energy that is there.
    h = run.t[1] - run.t[0]
    work = np.cumsum(h / 3 * (power[:-2:2] + 4 * power[1:-1:2] + power[2::2]))
    gained = run["energy"][2::2] - run["energy"][0]
    assert np.abs(gained).max() > 10
    assert np.abs(work - gained).max() < 1e-5 * np.abs(gained).max()


def test_a_motor_with_this_torque_makes_the_same_motion(
    driven: eomc.CompiledModel, run: eomc.Trajectory
) -> None:
    model, row = eomc.build(four_bar("c")), 137
    q = np.array([run.s[row, 0], *run.q[row]])
    u = np.array([run.s_rate[row, 0], *run.u[row]])
    arguments = (run.s[row], run.s_rate[row], run.s_acceleration[row])
    force = driven.prescribed_forces(run.q[row], run.u[row], np.zeros(2), *arguments)
    a = model.forward_dynamics(q, u, [float(np.ravel(force)[0]), 0, 0])
    assert a[0] == pytest.approx(0.6, abs=1e-8)
    own = driven.forward_dynamics(run.q[row], run.u[row], np.zeros(2), *arguments)
    assert a[1:] == pytest.approx(own, abs=1e-8)
