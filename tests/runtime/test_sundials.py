"""BDF of SUNDIALS through `simulate`; skipped where the extra is not installed."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.special import ellipk
from small_models.mechanisms import charge, pendulum

import eomc
from eomc.runtime.errors import SimulationError

pytest.importorskip("sksundae")


def test_a_pendulum_swings_in_its_period(swing: eomc.CompiledModel) -> None:
    """Times of events, between steps, by the interpolant of the method."""

    def angle(t: float, q: np.ndarray, u: np.ndarray) -> float:
        return float(q[0])

    run = eomc.simulate(
        swing, {"hinge": 1.0}, t_span=10, method="cvode", rtol=1e-12, atol=1e-13, events=angle
    )
    (zeros,) = run.events
    period = 4 * np.sqrt(0.5 / 9.81) * ellipk(np.sin(0.5) ** 2)
    assert zeros.t == pytest.approx(period * (0.25 + 0.5 * np.arange(len(zeros.t))), abs=1e-7)
    assert np.ptp(run.energy) < 1e-8


def test_stiff_springs_take_long_steps() -> None:
    """A fast decay beside a slow motion: the steps are those of the slow one."""
    model = eomc.Model("stiff", gravity=(0, 0, 0))
    for name in ("slow", "fast"):
        model.body(name, mass=1)
        model.joint(name, "prismatic", parent="world", child=name, axis=(1, 0, 0))
    model.joint_spring("slow spring", joint="slow", stiffness=1)
    model.joint_spring("fast spring", joint="fast", stiffness=1e10, damping=1e6)
    built = eomc.build(model)
    start = {"slow": 1.0, "fast": 1.0}
    run = eomc.simulate(built, start, t_span=(0, 20), method="cvode", rtol=1e-8, atol=1e-10)
    assert run["slow"] == pytest.approx(np.cos(run.t), abs=1e-5)
    assert abs(run["fast"][-1]) < 1e-9
    assert run.statistics["steps"] < 1500


def test_dense_output_is_that_of_the_steps(swing: eomc.CompiledModel) -> None:
    fine = eomc.simulate(
        swing, {"hinge": 1.0}, t_span=np.linspace(0, 2, 201), rtol=1e-12, atol=1e-13
    )
    run = eomc.simulate(
        swing, {"hinge": 1.0}, t_span=[0, 1, 2], method="cvode", rtol=1e-11, atol=1e-12, dense=True
    )
    states = np.array([run.at(float(t)).q[0] for t in fine.t])
    assert states == pytest.approx(fine["hinge"], abs=1e-8)


def test_a_run_that_diverges_says_where() -> None:
    mass = eomc.build(charge("x**3"))
    # x'' = x^3 from rest at 1 reaches infinity after 1.854... s
    with pytest.raises(SimulationError, match=r"stopped at t = 1\.85407 s"):
        eomc.simulate(mass, {"x": 1.0}, t_span=10, method="cvode")


def test_errors_of_laws_come_through() -> None:
    model = eomc.build(pendulum())

    def law(t: float, q: np.ndarray, u: np.ndarray) -> list[float]:
        if t > 0.1:
            raise LookupError("no such torque")
        return [0.0]

    with pytest.raises(LookupError, match="no such torque"):
        eomc.simulate(model, t_span=1, method="cvode", controller=law)


def test_without_the_package_it_says_what_to_install(
    swing: eomc.CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sksundae.cvode", None)
    with pytest.raises(ImportError, match=r"pip install 'eomc\[sundials\]'"):
        eomc.simulate(swing, t_span=1, method="cvode")
