"""Predictive control beside its acceptance cases: wrong input, what is emitted, other solvers."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.runtime.control import Sampled
from eomc.runtime.control.signal import LowPass
from eomc.runtime.difference import NotEmittableError
from eomc.runtime.predictive import MPC


@cache
def pendulum() -> Any:
    model = eomc.Model("pendulum", gravity=(0, 0, -9.81))
    mass = model.parameter("m", 1.0, tunable=True)
    model.body("bob", mass=mass, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, -1, 0), damping=0.1)
    return eomc.build(model)


def problem(**changed: Any) -> Any:
    """From 0.5 rad to rest."""
    given = {"cost": {"hinge": 1.0, "speed(hinge)": 0.1, "tau(hinge)": 0.01},
             "bounds": {"tau(hinge)": (-1.0, 1.0), "speed(hinge)": (-2.0, 2.0)}}  # fmt: skip
    return eomc.ocp(pendulum(), 0.5, 10, [0.5], **{**given, **changed})


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": 0}, "iterations are .*whole numbers from 1"),
        ({"hessian": "bfgs"}, "valid: 'exact', 'gauss-newton'"),
        ({"hessian": "exact", "linear": True}, "linear steps have no second derivatives"),
        ({"delay": 0.06}, "delay is 0.06; give 0 to the period, 0.05 s"),
        ({"tolerance": 2.0}, "tolerance is 2.0"),
        ({"soft": {"hinge": 1.0}}, "soft: no bounded state 'hinge'"),
        ({"soft": {"speed(hinge)": 0.0}}, "weight above zero"),
        ({"soft": ["speed(hinge)"]}, "soft: give a mapping"),
        ({"terminal": "zero"}, "terminal 'zero'; valid: 'lqr'"),
        ({"terminal": [[1.0, 0.0], [0.5, 1.0]]}, "symmetric matrix"),
        ({"linear": True, "target": [0.4]}, "does not rest at the reference"),
        ({"guess": {"hinge": [0.0, 1.0]}}, "'hinge' has shape"),
        ({"target": [np.nan]}, "target"),
    ],
)
def test_options_are_checked_before_anything_is_derived(
    options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stated = problem()
    monkeypatch.setattr(type(stated.model), "linker", property(lambda _: pytest.fail("compiled")))
    with pytest.raises(ValueError, match=message):
        MPC(stated, **options)


def test_problems_outside_the_recursion_are_refused() -> None:
    with pytest.raises(ValueError, match=r"control 'tau\(hinge\)' a weight above zero"):
        MPC(problem(cost={"hinge": 1.0}))
    outside = problem(final_cost={"bob.x": 1.0})
    with pytest.raises(ValueError, match=r"final_cost names the output 'bob\.x'"):
        MPC(outside)
    with pytest.raises(ValueError, match="solver 'riccati': final_cost names the output"):
        outside.solve(solver="riccati")
    with pytest.raises(ValueError, match="has a final_cost"):
        MPC(problem(final_cost={"hinge": 1.0}), terminal="lqr")


def test_sampled_with_another_period_or_signals(tmp_path: Path) -> None:
    law = MPC(problem())
    with pytest.raises(ValueError, match=r"period is 0.02 s, the step of its problem 0.05 s"):
        eomc.simulate(pendulum(), [0.5], t_span=0.1, controller=Sampled(law, 0.02))
    with pytest.raises(ValueError, match=r"delay is 0 s, but MPC predicts over 0.01 s"):
        Sampled(MPC(problem(), delay=0.01), 0.05)
    filtered = Sampled(law, 0.05, sensors={"u": [LowPass(0.1)]})
    with pytest.raises(NotEmittableError, match="leave out sensors= and actuators="):
        eomc.emit_controller(filtered, tmp_path / "c")
    with pytest.raises(NotEmittableError, match="leave out self_test"):
        eomc.emit_controller(Sampled(law, 0.05), tmp_path / "c", self_test=True)
    assert not (tmp_path / "c").exists()


def test_sample_refuses_other_shapes_and_names_what_fails() -> None:
    sample = MPC(problem()).begin()
    with pytest.raises(ValueError, match=r"q has shape \(2,\), expected \(1,\)"):
        sample([0.0, 0.0], [0.0])
    with pytest.raises(FloatingPointError, match="not finite"):
        sample([np.nan], [0.0])
    with pytest.raises(FloatingPointError, match=r"'speed\(hinge\)' cannot be met at node 1"):
        sample([0.0], [9.0])
    assert sample([0.1], [0.0]).shape == (1,)


@pytest.mark.parametrize("hessian", ["exact", "gauss-newton"])
def test_many_iterations_reach_the_optimum_that_another_solver_finds(hessian: str) -> None:
    pytest.importorskip("casadi")
    stated = problem(bounds={"tau(hinge)": (-0.1, 0.1)})
    sample = MPC(stated, iterations=60, hessian=hessian).begin()
    tau = sample([0.5], [0.0])
    best = stated.solve(solver="ipopt", tolerance=1e-11)
    assert abs(tau[0] - best.tau[0, 0]) < 1e-7
    assert abs(np.abs(best.tau).max() - 0.1) < 1e-9  # the bound is reached


def test_fixed_end_and_parameters() -> None:
    pytest.importorskip("casadi")
    wide = {"tau(hinge)": (-4.0, 4.0)}
    stated = problem(target=[0.0], parameters={"m": 1.5}, bounds=wide)
    runs = [stated.solve(solver=name, tolerance=1e-11) for name in ("riccati", "ipopt")]
    assert runs[0].success
    assert runs[0].kkt < 1e-8
    assert abs(runs[0].q[-1, 0]) < 1e-12
    assert abs(runs[0].cost - runs[1].cost) < 1e-9 * runs[1].cost
    assert np.allclose(runs[0].multipliers["steps"], runs[1].multipliers["steps"], atol=1e-6)
    light = problem(target=[0.0], bounds=wide).solve(solver="riccati")
    assert abs(light.cost - runs[0].cost) > 1e-3 * light.cost


def test_impossible_end_is_said() -> None:
    stated = problem(target={"hinge": 3.0}, bounds={"tau(hinge)": (-0.1, 0.1)})
    with pytest.warns(RuntimeWarning, match="riccati did not solve"):
        assert not stated.solve(solver="riccati").success


def test_emitted_header_and_manifest(tmp_path: Path) -> None:
    folder = eomc.emit_mpc(problem(), tmp_path / "mpc", terminal="lqr", delay=0.01, real="float")
    header = (folder / "mpc.h").read_text()
    assert "by an interior point method, with one recursion in each of at most 20" in header
    assert "The forces act 0.01 s later" in header
    assert "int mpc_step(\n    mpc_state *state," in header
    codes = json.loads((folder / "mpc.json").read_text())["return_codes"]
    assert {"not_converged", "infeasible", "not_finite", "indefinite"} <= set(codes)
    text = (folder / "mpc.c").read_text()
    assert "#if 0" not in text
    assert "#if 1" not in text
    assert "malloc" not in text
