"""The torques that a run records under a law with memory are those that acted."""

from functools import cache

import numpy as np
import pytest

import eomc
from eomc.runtime.control import Sampled
from eomc.runtime.control.task_space import ModifiedTransposeJacobian, Position, Task
from eomc.systems.two_link_arm import two_link_arm

KP, KD, E_MAX, RATE_MAX, PERIOD = 30.0, 60.0, 1.0, 10.0, 0.01


@cache
def arm() -> eomc.CompiledModel:
    return eomc.build(two_link_arm())


def path(t: float) -> tuple[list[float], list[float], list[float]]:
    c, s = np.cos(t), np.sin(t)
    return [1.2 + 0.3 * s, 0.8 * c], [0.3 * c, -0.8 * s], [-0.3 * s, -0.8 * c]


def law() -> ModifiedTransposeJacobian:
    task = Task(arm(), [Position("tip", "xy")])
    return ModifiedTransposeJacobian(
        task, [path], KP, KD, e_max=E_MAX, rate_max=RATE_MAX, period=PERIOD
    )


@pytest.mark.slow
def test_work_of_the_recorded_torques_is_the_kinetic_energy() -> None:
    run = eomc.simulate(
        arm(),
        [0.2, 0.9],
        t_span=np.linspace(0, 2, 4001),
        controller=law(),
        method="LSODA",
        rtol=1e-9,
    )
    power = (run.tau * run.u).sum(axis=1)
    work = float(np.trapezoid(power, run.t))
    gained = float(run["kinetic_energy"][-1] - run["kinetic_energy"][0])
    assert abs(work - gained) < 0.01 * float(np.trapezoid(np.abs(power), run.t))


def test_sampled_it_stores_the_force_of_the_last_sample() -> None:
    """Torques of the samples, computed again from the recorded states."""
    run = eomc.simulate(
        arm(), [0.2, 0.9], t_span=np.arange(21) * PERIOD, controller=Sampled(law(), PERIOD)
    )
    tip, stored = arm().frame("tip"), np.zeros(2)
    for t, q, u, tau in zip(run.t[:-1], run.q[:-1], run.u[:-1], run.tau[:-1], strict=True):
        jacobian = np.asarray(tip.jacobian(q))[:2]
        wanted, rate, _ = path(t)
        e, e_rate = wanted - np.asarray(tip.pose(q))[:2, 3], rate - jacobian @ u
        k = np.exp(-(np.linalg.norm(e) / E_MAX + np.linalg.norm(e_rate) / RATE_MAX))
        stored = KP * e + KD * e_rate + k * stored
        np.testing.assert_allclose(tau, jacobian.T @ stored, rtol=1e-9, atol=1e-9)
