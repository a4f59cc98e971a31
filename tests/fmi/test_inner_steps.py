"""Inner steps of a unit, and derivatives of variables that are named twice."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

import eomc
from eomc.runtime import CompiledModel
from eomc_published.fmi.unit import instance

pytestmark = pytest.mark.variants

pytest.importorskip("fmpy")
START, INNER, STEP = 0.4, 4e-3, 1e-2


@cache
def shaken() -> eomc.Model:
    """A pendulum whose torque depends on time, so that a step must know where it begins."""
    model = eomc.Model("shaken", gravity=(0, 0, -9.81))
    model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    model.generalized_force("shaker", "hinge", "3*sin(40*t)")
    return model


@cache
def compiled() -> CompiledModel:
    return eomc.build(shaken())


@cache
def unit() -> Path:
    file = Path(mkdtemp()) / "shaken.fmu"
    return eomc.fmu(shaken(), file, q={"hinge": START}, step=INNER, platforms="host")


@pytest.mark.parametrize("step", [STEP, 3 * INNER, INNER / 2])
def test_inner_steps_are_equal_and_none_is_longer_than_allowed(step: float) -> None:
    """Beside the model's own steps, of which there are as many as it takes; time goes on."""
    count = int(np.ceil(step / INNER - 1e-9))
    q, u = np.array([START]), np.zeros(1)
    with instance(unit(), stepping=True) as one:
        for k in range(3):
            one.step(k * step, step)
            rows = compiled().rk4(q, u, [0.0], t=k * step, h=step / count, steps=count)
            q, u = rows[0][-1], rows[1][-1]
            assert one.get(["q.hinge", "u.hinge"]) == pytest.approx([q[0], u[0]], abs=1e-15)
            assert one.get(["time"]) == pytest.approx((k + 1) * step, rel=1e-15)


def test_seeds_of_a_variable_that_is_named_twice_add_up() -> None:
    with instance(unit()) as one:
        rate, states = "der(u.hinge)", ["q.hinge", "u.hinge"]
        once = one.directional([rate], ["q.hinge"], [1.0])
        assert once[0] != 0
        twice = one.directional([rate], ["q.hinge", "q.hinge"], [1.0, 2.0])
        assert twice == pytest.approx(3 * once, rel=1e-15)
        back = one.adjoint([rate, rate], states, [1.0, 2.0])
        assert back == pytest.approx(3 * one.adjoint([rate], states, [1.0]), rel=1e-15)


def test_states_are_outputs_whose_gradient_is_their_own_seed() -> None:
    with instance(unit()) as one:
        states = ["q.hinge", "u.hinge"]
        assert one.adjoint(states, states, [2.0, 3.0]) == pytest.approx([2.0, 3.0], abs=0)
        alone = one.adjoint(["der(u.hinge)"], states, [1.0])
        mixed = one.adjoint(["der(u.hinge)", "q.hinge"], states, [1.0, 5.0])
        assert mixed == pytest.approx(alone + np.array([5.0, 0.0]), rel=1e-15)


@pytest.mark.parametrize("method", ["rodas4p", "generalized_alpha"])
def test_a_stiff_unit_takes_implicit_steps(method: str) -> None:
    """Those of the model itself; steps of ten milliseconds over a rate of 1e4 1/s."""
    stiff = eomc.Model("stiff", gravity=(0, 0, -9.81))
    stiff.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.02))
    stiff.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    stiff.body("bob", mass=1)
    stiff.joint("slide", "prismatic", parent="rod", child="bob", axis=(0, 0, -1))
    stiff.joint_spring("spring", joint="slide", stiffness=1e8)
    stiff.generalized_force("shaker", "hinge", "3*sin(40*t)")
    file = eomc.fmu(
        stiff,
        Path(mkdtemp()) / "stiff.fmu",
        q={"hinge": START},
        step=STEP,
        method=method,
        platforms="host",
    )
    own, q, u = eomc.build(stiff), np.array([START, 0]), np.zeros(2)
    kept, rho = ([np.zeros(4)], [0.8]) if method == "generalized_alpha" else ([], [])
    with instance(file, stepping=True) as one:
        for k in range(3):
            one.step(k * STEP, STEP)
            rows = getattr(own, method)(q, u, *kept, [0, 0], *rho, k * STEP, STEP, 1)
            q, u, *kept = (part[-1] for part in rows)
            assert one.get(["q.hinge", "u.slide"]) == pytest.approx([q[0], u[1]], abs=1e-15)


def test_methods_of_units_are_checked_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(eomc.ModelError, match="unknown method 'rodas' of Co-Simulation; did you"):
        eomc.fmu(shaken(), tmp_path / "a.fmu", method="rodas")
    ball = eomc.Model("ball", gravity=(0, 0, -9.81))
    ball.body("ball", mass=1)
    ball.joint("z", "prismatic", parent="world", child="ball", axis=(0, 0, 1))
    ball.stop("floor", coordinate="z", lower=0.0, normal={"kind": "spring", "stiffness": 1e7})
    with pytest.raises(eomc.ModelError, match="'rodas4p': forces of model 'ball' have kinks"):
        eomc.fmu(ball, tmp_path / "a.fmu", method="rodas4p")
    assert not list(tmp_path.iterdir())
