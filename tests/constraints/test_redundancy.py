"""What the rank of constraints says to the user: rows, redundant directions, freedoms."""

from __future__ import annotations

import json

import numpy as np
import pytest
from constraints.compiled import GUESS, four_bar_model, spatial_loop
from constraints.mechanisms import four_bar

import eomc
from eomc.derive.model import ModelError
from eomc.runtime.plot.stick_figure import stick_figure


@pytest.mark.parametrize("cut", ["a", "b", "c", "d"])
def test_a_planar_four_bar_in_space_names_its_redundant_directions(cut: str) -> None:
    found = eomc.derive(four_bar(cut)).redundancy()
    assert found.freedoms == 1
    assert found.rank == 2
    # Out of the plane nothing needs to be held a second time.
    assert found.directions == {cut: ("force_z", "torque_1", "torque_2")}


def test_a_spatial_loop_has_none() -> None:
    found = eomc.derive(spatial_loop()).redundancy()
    assert (found.rank, found.speeds, found.freedoms) == (4, 5, 1)
    assert found.directions == {}


def test_trees_have_no_rows() -> None:
    model = eomc.Model("pendulum")
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    found = eomc.derive(model).redundancy()
    assert (found.rows, found.rank, found.freedoms) == ((), 0, 1)


def test_a_constraint_given_twice_is_redundant() -> None:
    model = four_bar("c")
    for name in ("once", "twice"):
        model.constraint(name, "expression", expression="a - b - 1.5")
    found = eomc.derive(model).redundancy()
    assert found.freedoms == 0
    assert found.directions["twice"] == ("expression",)


def test_what_cannot_close_is_an_error_with_the_gap() -> None:
    model = four_bar("c")
    model.constraint("impossible", "expression", expression="a*a + 1")
    with pytest.raises(ModelError, match=r"cannot be assembled.*impossible"):
        eomc.derive(model).redundancy()


def test_the_report_is_plain() -> None:
    report = eomc.derive(four_bar("c")).redundancy().report()
    assert json.loads(json.dumps(report)) == report
    assert report["redundant"] == {"c": ["force_z", "torque_1", "torque_2"]}


def test_cut_joints_have_no_coordinates_in_the_manifest() -> None:
    model = four_bar("c", c={"lower": -1.0, "upper": 1.0})
    (cut,) = [j for j in eomc.derive(model).program(()).metadata["joints"] if j["name"] == "c"]
    assert cut["cut"] is True
    assert cut["coordinates"] == cut["speeds"] == []
    assert cut["lower"] is None
    compiled = eomc.build(model)
    assert np.isinf(compiled.lower).all()


def test_stick_figures_close_their_loops() -> None:
    run = eomc.simulate(four_bar_model(), GUESS, t=0.5, assemble=True)
    lines = stick_figure(run).lines
    from_coupler, from_rocker = lines["coupler c"], lines["rocker c"]
    assert np.abs(from_coupler[:, -1] - from_rocker[:, -1]).max() < 1e-12
    assert np.linalg.norm(from_coupler[0, 1] - from_coupler[0, 0]) == pytest.approx(2.0)
    assert np.linalg.norm(from_rocker[0, 1] - from_rocker[0, 0]) == pytest.approx(1.5)
