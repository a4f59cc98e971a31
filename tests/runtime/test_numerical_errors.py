"""Errors of NumPy and of compiled functions become errors that name the model."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.model import Model, Point
from eomc.runtime import CompiledModel
from eomc.runtime.errors import (
    ConstraintError,
    EquilibriumError,
    LinearizationError,
    SimulationError,
)
from eomc.runtime.excitation.excitation import Excitation


def tethered() -> Model:
    """A mass on a rail, on a tether that has no direction at its anchor."""
    model = Model("tethered", gravity=(0, 0, 0))
    model.body("mass", mass=1)
    model.joint("rail", "prismatic", parent="world", child="mass", axis=(1, 0, 0))
    model.tether("rope", route=[Point("world", (0, 0, 0)), Point("mass", (0, 0, 0))], length=0.5)
    return model


def test_a_tether_of_length_zero_ends_a_run_with_the_time() -> None:
    built = eomc.build(tethered(), flags="-O0")
    said = r"stopped at t = 0 s: .*no_tangent_of_rope"
    with pytest.raises(SimulationError, match=said) as caught:
        eomc.simulate(built, [0.0], [0.0], t_span=1.0)
    assert caught.value.time == 0.0


def crank(rod: float) -> Model:
    """A crank whose rod, of that mass, pushes a disc along a floor that it rests on."""
    model = Model("crank", gravity=(0, 0, -9.81))
    y = (0, -1, 0)
    model.body("crank", mass=1, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01))
    model.joint("a", "revolute", parent="world", child="crank", axis=y)
    inertia = {"com": (0.25, 0, 0), "inertia": (0.02 * rod,) * 3} if rod else {}
    model.body("rod", mass=rod, **inertia)
    model.joint("b", "revolute", parent="crank", child="rod", axis=y, placement=(0.2, 0, 0))
    model.body("disc", mass=0.5, inertia=(0.01, 0.01, 0.01))
    model.joint("s", "planar", parent="world", child="disc", axis=y)
    model.joint(
        "c", "revolute", parent="rod", child="disc", axis=y, placement=(0.5, 0, 0), cut=True
    )
    model.contact(
        "floor",
        shape={"kind": "sphere", "at": "disc", "radius": 0.1},
        normal={"kind": "rigid", "restitution": 0.0},
        surface={"kind": "plane", "at": {"body": "world", "xyz": (0, 0, -0.1)}},
    )
    return model


@pytest.mark.slow
def test_a_massless_rod_in_a_loop_bears_impacts() -> None:
    """As one whose mass is next to nothing."""
    turn, reach = 0.5, math.sqrt(0.25 - (0.2 * math.sin(0.5)) ** 2)
    start = {"a": turn, "b": math.atan2(-0.2 * math.sin(turn), reach) - turn}
    start |= {"s_y": -(0.2 * math.cos(turn) + reach)}
    ends = [
        eomc.simulate(eomc.build(crank(rod), flags="-O0"), start, t_span=0.8, assemble=True).q[-1]
        for rod in (0.0, 1e-7)
    ]
    assert ends[0] == pytest.approx(ends[1], abs=1e-5)


FAILURES = (
    np.linalg.LinAlgError("Matrix is not positive definite"),
    FloatingPointError("forward_dynamics: no number"),
    OverflowError("int too large"),
    ZeroDivisionError("division by zero"),
)
ASKED: dict[str, tuple[type[Exception], Callable[[CompiledModel], Any]]] = {
    "simulate": (SimulationError, lambda m: eomc.simulate(m, t_span=0.1)),
    "simulate by dopri": (SimulationError, lambda m: eomc.simulate(m, t_span=0.1, method="dopri")),
    "equilibrium": (EquilibriumError, eomc.equilibrium),
    "linearize": (LinearizationError, eomc.linearize),
    "assemble": (ConstraintError, eomc.assemble),
}


@pytest.fixture(scope="module")
def four_bar() -> CompiledModel:
    from constraints.mechanisms import four_bar

    return eomc.build(four_bar("c"), flags="-O0")


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: type(failure).__name__)
@pytest.mark.parametrize("asked", ASKED)
def test_numerical_failures_are_named(
    asked: str, failure: Exception, four_bar: CompiledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever fails within: here each call of a compiled function."""

    def fails(*_: Any, **__: Any) -> Any:
        raise failure

    named, ask = ASKED[asked]
    monkeypatch.setattr(Excitation, "call", fails)
    with pytest.raises(named, match="four_bar"):
        ask(four_bar)
