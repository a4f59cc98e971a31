"""Runs end their steps at the kinks of contacts, by all methods that step in Python."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.runtime.record.trajectory import Trajectory


@pytest.fixture(scope="module")
def ball() -> eomc.CompiledModel:
    model = eomc.Model("ball", gravity=(0, 0, -10))
    model.body("ball", mass=1)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "point", "at": "ball"},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 1e4},
    )
    return eomc.build(model)


@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau", "BDF", "LSODA", "cvode"])
def test_touch_down_and_parting(ball: eomc.CompiledModel, method: str, tmp_path: object) -> None:
    if method == "cvode":
        pytest.importorskip("sksundae")
    run = eomc.simulate(ball, {"z": 0.2}, t_span=1.0, method=method, rtol=1e-9, atol=1e-12)
    # Free fall, and k d - m g of the spring about its rest: a sine from v at d = 0 and back.
    v, w = 2.0, 100.0
    touch = v / 10
    leave = touch + 2 * (np.pi - np.arctan(v * w / 10)) / w
    got = run.switches["floor.touch"]
    near = 1e-6 if method in ("BDF", "cvode") else 1e-7
    np.testing.assert_allclose(got[:2], [touch, leave], atol=near)
    assert run.statistics["switches"] == got.size
    path = f"{tmp_path}/run.npz"
    run.to_npz(path)
    np.testing.assert_array_equal(Trajectory.from_npz(path).switches["floor.touch"], got)


def test_runs_without_a_named_method_end_their_steps_there_too(ball: eomc.CompiledModel) -> None:
    run, other = (eomc.simulate(ball, {"z": 0.2}, t_span=1.0, method=m) for m in (None, "DOP853"))
    assert run.method == run.statistics["method"] == "DOP853"
    assert run.statistics["why"] == "steps end at the kinks of forces"
    np.testing.assert_array_equal(run.q, other.q)
    np.testing.assert_array_equal(run.switches["floor.touch"], other.switches["floor.touch"])


def test_width_leaves_no_kink() -> None:
    model = eomc.Model("ball")
    model.body("ball", mass=1)
    model.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    model.contact(
        "floor",
        shape={"kind": "point", "at": "ball"},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 1e4},
        width=1e-3,
    )
    assert model.element_switches() == ()
