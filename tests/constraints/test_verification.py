"""Verification of models with loops: states on the constraints, and faults that show there."""

from __future__ import annotations

import numpy as np
import pytest
from constraints.compiled import four_bar_model, spatial_loop
from constraints.mechanisms import four_bar

import eomc
from eomc.derive.system import constraints as constraint_system
from eomc.verifier.subject.states import test_states as states_of


@pytest.mark.slow
@pytest.mark.parametrize("model", [four_bar("c"), spatial_loop()], ids=lambda model: model.name)
def test_models_with_loops_pass_every_check(model: eomc.Model) -> None:
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)
    (loops,) = [o for o in report.outcomes if o.check.name == "constraints"]
    what = {comparison.what for comparison in loops.comparisons}
    assert {"G", "G u + b", "g", "G a + g = 0"} <= what


@pytest.mark.slow
def test_rolling_and_moving_constraints_do_so_too() -> None:
    model = eomc.Model("coin", gravity=(0, 0, -9.81))
    model.body("coin", mass=1.0, inertia=(0.02, 0.04, 0.02))
    model.joint("free", "floating_euler", parent="world", child="coin", sequence="zxy")
    model.constraint(
        "roll",
        "rolling",
        a=eomc.Point("coin", (0, 0, 0)),
        b=eomc.Point("world", (0, 0, 0)),
        axis_a=(0, 1, 0),
        axis_b=(0, 0, 1),
        length=0.3,
    )
    assert eomc.verify(model, quick=True).ok
    pushed = four_bar("c")
    pushed.constraint("drive", "driver", first="a", expression="0.3*sin(2*t)")
    report = eomc.verify(pushed, quick=True)
    assert report.ok, str(report)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("shape", "freedoms"),
    [
        ({"kind": "ellipsoid", "at": "wheel", "semi_axes": (0.3, 0.2, 0.25)}, 3),
        (
            {"kind": "cylinder", "at": "wheel", "radius": 0.3, "half_length": 0.2},
            1,
        ),  # on both its rims
    ],
)
def test_shapes_that_roll_on_a_body_do_so_too(shape: object, freedoms: int) -> None:
    model = eomc.Model("wheel", gravity=(0, 0, -9.81))
    model.body("table", mass=2.0, inertia=(0.1, 0.2, 0.3))
    model.joint("tilt", "revolute", parent="world", child="table", axis=(1, 0, 0))
    model.body("wheel", mass=1.0, inertia=(0.02, 0.04, 0.03))
    model.joint("free", "floating", parent="world", child="wheel", placement=(0, 0, 0.3))
    model.constraint(
        "roll",
        "rolling_contact",
        shape=shape,
        surface={"kind": "plane", "at": "table", "normal": (0.0, 0.0, 1.0)},
    )
    assert eomc.equations(model).redundancy().freedoms == freedoms + 1
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)


def test_states_are_on_the_constraints() -> None:
    model = four_bar_model()
    states = states_of(model, 6, seed=3)
    assert len(states) > 6
    for state in states:
        assert np.abs(model.constraint_residual(state["q"])).max() < 1e-11
        rate = model.constraint_velocity(state["q"], state["u"])
        assert np.abs(rate).max() < 1e-12 * (1 + np.abs(state["u"]).max())


def test_a_wrong_bias_of_constraints_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = constraint_system.ConstraintRows.linearized

    def faulty(self, chosen):  # type: ignore[no-untyped-def]
        found = plain(self, chosen)
        halved = [entry / 2 for entry in found.bias]
        return constraint_system.Linear(found.jacobian, found.velocity, halved)

    monkeypatch.setattr(constraint_system.ConstraintRows, "linearized", faulty)
    report = eomc.verify(four_bar("c"), quick=True, checks=["constraints"])
    assert not report.ok
    (outcome,) = report.outcomes
    assert {comparison.what for comparison in outcome.breaches} == {"g"}


def test_a_body_that_its_pin_holds_to_the_world_passes() -> None:
    """Accelerations about the axes that are held are zero but for rounding, and so are the terms
    of what holds them."""
    model = eomc.Model("tied", gravity=(0, 0, -9.81))
    model.body("box", mass=2.0, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.3))
    model.joint("free", "floating", parent="world", child="box")
    model.joint(
        "pin",
        "revolute",
        parent="world",
        child="box",
        axis=(0, 1, 0),
        child_placement=(-0.5, 0, 0),
        cut=True,
    )
    report = eomc.verify(model, quick=True, checks=["multipliers", "constraints"])
    assert report.ok, str(report)
