"""Topology, and merging of bodies: the same mechanism with fewer bodies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from model.random_models import models
from model.test_placement import VALUES, homogeneous

from eomc.derive.language.value import value_of
from eomc.derive.model import MassProperties, Mimic, Model, ModelError, Placement, Point


def chain(*links: tuple[str, str, str]) -> Model:
    model = Model("m")
    for body in dict.fromkeys(child for _, _, child in links):
        model.body(body, mass=1, inertia=(1, 1, 1))
    for name, parent, child in links:
        model.joint(name, "revolute", parent=parent, child=child, axis=(0, 0, 1))
    return model


def test_depth_first_in_order_of_declaration() -> None:
    model = chain(
        ("c", "b", "c"), ("a", "world", "a"), ("b", "a", "b"), ("d", "a", "d"), ("e", "c", "e")
    )
    assert [joint.name for joint in model.tree()] == ["a", "b", "c", "e", "d"]
    assert model.coordinates == ("a", "b", "c", "e", "d")


@pytest.mark.parametrize(
    ("links", "part"),
    [
        ([("a", "world", "a"), ("b", "c", "b"), ("c", "b", "c")], "'b', 'c' go round in a circle"),
        ([("a", "wrld", "a")], "did you mean 'world'"),
        ([("a", "a", "a")], "same body"),
    ],
)
def test_topologies_that_are_no_tree(links: list[tuple[str, str, str]], part: str) -> None:
    with pytest.raises(ModelError, match=r"test_tree_and_merge\.py:") as caught:
        chain(*links).tree()
    assert part in str(caught.value)


def test_unconnected_body_is_named() -> None:
    model = chain(("a", "world", "a"))
    model.body("loose", mass=1)
    with pytest.raises(ModelError, match="body 'loose': no joint connects it to the world"):
        model.validate()


def test_world_is_not_joined_to_itself() -> None:
    model = Model("m")
    model.joint("j", "fixed", parent="world", child="world")
    with pytest.raises(ModelError, match="same body 'world'"):
        model.tree()


def test_a_loop_is_cut_in_its_middle() -> None:
    """From the world both ways round: the joint farthest from it closes the loop."""
    model = chain(("a", "world", "a"), ("b", "a", "b"), ("c", "b", "c"), ("d", "world", "c"))
    assert [joint.name for joint in model.cuts()] == ["c"]
    assert [joint.name for joint in model.tree()] == ["a", "b", "d"]


def spatial_inertia(body: MassProperties) -> np.ndarray:
    """4x4 pseudo-inertia: the second moments and first moments of the mass, by definition."""
    mass = value_of(body.mass, VALUES)
    com = np.array([value_of(entry, VALUES) for entry in body.com])
    xx, yy, zz, xy, xz, yz = (value_of(entry, VALUES) for entry in body.inertia)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    second = np.trace(inertia) / 2 * np.eye(3) - inertia
    if body.inertia_about == "com":
        second = second + mass * np.outer(com, com)
    return np.block([[second, (mass * com)[:, None]], [mass * com[None, :], np.array([[mass]])]])


@pytest.mark.slow
@settings(max_examples=60)
@given(models(largest=5))
def test_merging_keeps_the_mass_distribution(model: Model) -> None:
    """Pseudo-inertias transform as T J T^T and add; the survivor holds the sum of its cluster."""
    for name, parameter in model.parameters.items():
        VALUES[name] = value_of(parameter.value)
    reduced = model.reduced()
    assert reduced.coordinates == model.coordinates
    assert reduced.speeds == model.speeds
    total = {name: np.zeros((4, 4)) for name in reduced.bodies}
    for name, body in model.bodies.items():
        place = reduced.frame_of(name)
        if place.body == "world":
            continue
        pose = homogeneous(place.placement)
        total[place.body] += pose @ spatial_inertia(body) @ pose.T
    for name, body in reduced.bodies.items():
        scale = np.abs(total[name]).max()
        assert np.allclose(spatial_inertia(body), total[name], rtol=0, atol=1e-9 * scale)
    assert not any(joint.is_fixed for joint in reduced.joints.values())
    assert reduced.reduced() == reduced


def test_a_turn_undone_is_no_turn() -> None:
    """Though its numbers are SymPy's, as some of its angles are."""
    turn = Placement(rpy=("-pi/4", 1.0, 0.0))
    assert (turn @ turn.inverse()).is_identity


def test_merged_frames_points_and_forces_move_along() -> None:
    model = chain(("a", "world", "a"))
    model.body("tool", mass=2)
    model.joint(
        "weld",
        "fixed",
        parent="a",
        child="tool",
        placement=Placement((0, 0, "l"), rpy=(0, 0, "pi/2")),
    )
    model.parameter("l", 0.4)
    model.frame("tip", body="tool", placement=(1, 0, 0))
    model.force("f", at=Point("tool", (1, 0, 0)), direction=(1, 0, 0), frame="body")
    model.torque("t", body="tool", direction=(1, 0, 0), frame="world")
    model.spring("s", a="tool", b="world", stiffness=1)
    length = sympy.Symbol("l")
    reduced = model.reduced()
    assert list(reduced.bodies) == ["a"]
    assert reduced.frames["tip"].body == "a"
    assert reduced.frames["tip"].placement.xyz == (0, 1, length)
    assert reduced.forces["f"].at == Point("a", (0, 1, length))
    assert reduced.forces["f"].direction == (0, 1, 0)
    assert reduced.torques["t"].direction == (1, 0, 0)
    assert reduced.springs["s"].a == Point("a", (0, 0, length))
    assert reduced.bodies["a"].mass == 3
    assert reduced.frame_of("tool").placement.xyz == (0, 0, length)
    assert reduced.frame_of("a").placement.is_identity
    with pytest.raises(ModelError, match="did you mean 'tool'"):
        reduced.frame_of("tol")


def test_what_is_welded_to_the_world_drops_out() -> None:
    model = Model("m")
    model.body("stand", mass=100)
    model.joint("weld", "fixed", parent="world", child="stand", placement=(0, 0, 1))
    model.body("arm", mass=1, com=(1, 0, 0))
    model.joint("j", "revolute", parent="stand", child="arm", axis=(0, 1, 0))
    reduced = model.reduced()
    assert list(reduced.bodies) == ["arm"]
    assert reduced.joints["j"].parent == "world"
    assert reduced.joints["j"].placement.xyz == (0, 0, 1)
    assert reduced.frames["stand"].body == "world"


def test_locked_values_stand_in_expressions() -> None:
    model = chain(("a", "world", "a"), ("b", "a", "b"), ("c", "b", "c"))
    model.joints["b"] = model.joints["b"].__class__(**{**vars(model.joints["b"]), "locked": (0.5,)})
    model.joints["c"] = model.joints["c"].__class__(
        **{**vars(model.joints["c"]), "mimic": Mimic("a", 3, 1)}
    )
    model.potential("V", "a + 10*b + 100*c")
    model.generalized_force("Qa", "a", "speed(a) + speed(b) + speed(c)")
    model.generalized_force("Qb", "b", 7)
    model.generalized_force("Qc", "c", 11)
    reduced = model.reduced()
    a, rate = sympy.symbols("a speed(a)")
    assert sympy.expand(reduced.potentials["V"].expression - (301 * a + 105)) == 0
    assert reduced.generalized_forces["Qa"].expression == 4 * rate
    assert "Qb" not in reduced.generalized_forces
    assert (
        reduced.generalized_forces["Qc"].speed,
        reduced.generalized_forces["Qc"].expression,
    ) == ("a", 33)


def test_chain_of_mimic_rules_is_one_rule() -> None:
    model = chain(("a", "world", "a"), ("b", "a", "b"), ("c", "b", "c"))
    for name, rule in (("b", Mimic("a", 2, 1)), ("c", Mimic("b", 3, 5))):
        model.joints[name] = replace(model.joints[name], mimic=rule)
    assert model.reduced().joints["c"].mimic == Mimic("a", 6, 8)
    assert model.resolved("c").mimic == Mimic("a", 6, 8)
    model.joints["a"] = replace(model.joints["a"], locked=(10,))
    assert model.resolved("c").locked == (68,)
    assert model.reduced().joints == {}


def test_mimic_rules_in_a_circle() -> None:
    model = chain(("a", "world", "a"), ("b", "a", "b"))
    for name, rule in (("b", Mimic("a")), ("a", Mimic("b"))):
        model.joints[name] = replace(model.joints[name], mimic=rule)
    with pytest.raises(ModelError, match=r"circle 'a' -> 'b' -> 'a'"):
        model.validate()


def test_symbolic_masses_merge_without_division_of_inertias() -> None:
    model = Model("m")
    m1, m2, length = (model.parameter(name, 1) for name in ("m1", "m2", "l"))
    model.body("a", mass=m1, inertia=(0, "m1*l**2", 0))
    model.joint("j", "revolute", parent="world", child="a", axis=(0, 1, 0))
    model.body("b", mass=m2)
    model.joint("weld", "fixed", parent="a", child="b", placement=(length, 0, 0))
    body = model.reduced().bodies["a"]
    assert body.mass == m1 + m2
    assert body.first_moment == (length * m2, 0, 0)
    assert body.inertia_origin == (0, length**2 * m1 + length**2 * m2, length**2 * m2, 0, 0, 0)
