"""What the rank of constraints says to the user: rows, redundant directions, freedoms."""

from __future__ import annotations

import json

import numpy as np
import pytest
from constraints.compiled import GUESS, four_bar_model, spatial_loop
from constraints.mechanisms import four_bar

import eomc
from eomc.derive.model import ModelError
from eomc.runtime.constraints import ConstraintError
from eomc.runtime.model.errors import LinearizationError
from eomc.runtime.picture.placed import placed


@pytest.mark.parametrize("cut", ["a", "b", "c", "d"])
def test_a_planar_four_bar_in_space_names_its_redundant_directions(cut: str) -> None:
    found = eomc.equations(four_bar(cut)).redundancy()
    assert found.freedoms == 1
    assert found.rank == 2
    # Out of the plane nothing needs to be held a second time.
    assert found.directions == {cut: ("force_z", "torque_1", "torque_2")}


def test_a_spatial_loop_has_none() -> None:
    found = eomc.equations(spatial_loop()).redundancy()
    assert (found.rank, found.speeds, found.freedoms) == (4, 5, 1)
    assert found.directions == {}


def test_trees_have_no_rows() -> None:
    model = eomc.Model("pendulum")
    model.body("bob", mass=1, com=(0, 0, -1))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    found = eomc.equations(model).redundancy()
    assert (found.rows, found.rank, found.freedoms) == ((), 0, 1)


def test_a_constraint_given_twice_is_redundant() -> None:
    model = four_bar("c")
    for name in ("once", "twice"):
        model.constraint(name, "expression", expression="a - b - 1.5")
    found = eomc.equations(model).redundancy()
    assert found.freedoms == 0
    assert found.directions["twice"] == ("expression",)


def parallelogram(tunable: bool = True, folded: bool = False) -> eomc.Model:
    """A parallelogram with a third crank: it moves only if the base of that is as long as its
    coupler's part. Its neutral state is upright, or `folded`, where it is singular."""
    model = eomc.Model("parallelogram", gravity=(0, -9.81, 0))
    place = model.parameter("place", 1.0, units="m", tunable=tunable)
    length = model.parameter("length", 0.5, units="m", tunable=True)
    for name in ("left", "middle", "right", "coupler"):
        model.body(name, mass=1, com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1))
    ends = {"left": 0.0, "right": 2.0, "middle": 1.0}
    for name, x in ends.items():
        model.joint(
            f"{name}_foot",
            "revolute",
            parent="world",
            child=name,
            axis=(0, 0, 1),
            placement=(place if name == "middle" else x, 0, 0),
        )
        model.joint(
            f"{name}_head",
            "revolute",
            parent=name,
            child="coupler",
            axis=(0, 0, 1),
            placement=(length, 0, 0) if folded else (0, length, 0),
            child_placement=(x, 0, 0),
            cut=name != "left",
        )
    return model


def test_a_singular_neutral_state_does_not_hide_a_freedom() -> None:
    found = eomc.equations(parallelogram(tunable=False, folded=True)).redundancy()
    assert found.freedoms == 1
    assert found.branches == ()  # the folded place is singular, no branch of its own


def test_the_parameter_on_which_a_redundancy_rests_is_named() -> None:
    found = eomc.equations(parallelogram()).redundancy()
    assert (found.freedoms, found.parameters) == (1, ("place",))
    assert found.report()["rests_on"] == ["place"]
    assert eomc.equations(parallelogram(tunable=False)).redundancy().parameters == ()


def test_other_values_of_it_are_refused_at_run_time() -> None:
    model = eomc.build(parallelogram())
    angle = 0.6
    turned = {"left_foot": angle, "left_head": -angle, "middle_foot": angle, "right_foot": angle}
    longer = {"length": 0.7}  # rests on nothing: the mechanism moves as before
    assert eomc.linearize(model, q=turned, parameters=longer).stiffness.shape == (1, 1)
    for given in ({"place": 1.01}, {"place": 1.01, "length": 0.7}):
        with pytest.raises(ConstraintError, match=r"rank 4, not 3.*middle_head"):
            eomc.simulate(model, turned, t_span=0.1, parameters=given, assemble=True)
        with pytest.raises(LinearizationError, match="middle_head"):
            eomc.linearize(model, q=turned, parameters=given)


def test_rows_that_hold_more_with_other_parameters_are_refused_where_they_close() -> None:
    """a = k b and a = b: at zero both hold with any k, and nothing is free but with k = 1."""
    model = pair("coupling")
    assert eomc.equations(model).redundancy().parameters == ("k",)
    built = eomc.build(model)
    assert len(eomc.linearize(built).states) == 2
    with pytest.raises(LinearizationError, match="rank 2, not 1"):
        eomc.linearize(built, parameters={"k": 1.1})


def test_rows_of_speeds_that_rest_on_a_parameter_are_refused() -> None:
    with pytest.raises(ModelError, match=r"second.*parameter 'k' only; bake it in"):
        eomc.equations(pair("velocity")).redundancy()


def pair(kind: str) -> eomc.Model:
    """Two pendulums side by side, held to one another twice, once with a tunable ratio."""
    model = eomc.Model("pair", gravity=(0, 0, -9.81))
    model.parameter("k", 1.0, tunable=True)
    for name in "ab":
        model.body(f"bob_{name}", mass=1, com=(0, 0, -1))
        model.joint(name, "revolute", parent="world", child=f"bob_{name}", axis=(0, 1, 0))
    if kind == "coupling":
        model.constraint("first", "coupling", first="a", second="b", ratio=1)
        model.constraint("second", "coupling", first="a", second="b", ratio="k")
    else:
        model.constraint("first", "velocity", expression="speed(a) - speed(b)")
        model.constraint("second", "velocity", expression="speed(a) - k*speed(b)")
    return model


def test_what_cannot_close_is_an_error_with_the_gap() -> None:
    model = four_bar("c")
    model.constraint("impossible", "expression", expression="a*a + 1")
    with pytest.raises(ModelError, match=r"cannot be assembled.*impossible"):
        eomc.equations(model).redundancy()


def test_the_report_is_plain() -> None:
    report = eomc.equations(four_bar("c")).redundancy().report()
    assert json.loads(json.dumps(report)) == report
    assert report["redundant"] == {"c": ["force_z", "torque_1", "torque_2"]}


def test_cut_joints_have_no_coordinates_in_the_manifest() -> None:
    model = four_bar("c", c={"lower": -1.0, "upper": 1.0})
    (cut,) = [j for j in eomc.equations(model).program(()).metadata["joints"] if j["name"] == "c"]
    assert cut["cut"] is True
    assert cut["coordinates"] == cut["speeds"] == []
    assert cut["lower"] is None
    compiled = eomc.build(model)
    assert np.isinf(compiled.lower).all()


def test_pictures_close_their_loops() -> None:
    """The cut joint is a point of both of its bodies, and they meet there."""
    run = eomc.simulate(four_bar_model(), GUESS, t_span=0.5, assemble=True)
    assert run.model is not None
    shown = placed(run)
    (closure,) = run.model.manifest["metadata"]["closures"]
    ends = {end["body"]: end["origin"] for end in closure["ends"]}
    points = [shown.at(body, xyz)[:, 0] for body, xyz in ends.items()]
    assert np.abs(points[0] - points[1]).max() < 1e-12
    for (body, xyz), length in zip(ends.items(), (2.0, 1.5), strict=True):
        lines = [solid.ends for solid in shown.solids if solid.body == body]
        (line,) = (line for line in lines if line is not None)
        assert any(np.allclose(end, xyz) for end in line)
        assert np.linalg.norm(line[1] - line[0]) == pytest.approx(length)


def test_a_residual_without_value_is_named() -> None:
    model = four_bar()
    model.constraint("late", "driver", first="a", expression="log(t)")
    with pytest.raises(ModelError, match=r"late\.driver has no finite value at t = 0"):
        eomc.equations(model).redundancy()
