"""Which joints are cut, and that joints whose coordinates are asked for are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from constraints.mechanisms import four_bar

import eomc
from eomc.derive.model import Model, ModelError


def cuts(model: Model) -> list[str]:
    model.validate()
    return [joint.name for joint in model.cuts()]


def test_the_middle_of_a_loop_is_cut() -> None:
    assert cuts(four_bar()) == ["c"]
    assert [joint.name for joint in four_bar().tree()] == ["a", "b", "d"]


@pytest.mark.parametrize("cut", "abcd")
def test_any_joint_can_be_cut(cut: str) -> None:
    model = four_bar(cut=cut)
    assert cuts(model) == [cut]
    assert set(model.coordinates) == set("abcd") - {cut}


def ask(model: Model, how: str) -> None:
    if how == "joint_spring":
        model.joint_spring("s", joint="c", stiffness=1)
    elif how == "prescribed":
        model.prescribed("c")
    elif how == "generalized_force":
        model.generalized_force("Q", "c", "1")
    elif how == "potential":
        model.potential("V", "c**2")
    elif how == "force":
        model.force("f", at="crank", direction=(1, 0, 0), magnitude="speed(c)")
    elif how == "constraint":
        model.constraint("drive", "driver", first="c", expression="sin(t)")


WAYS = ("joint_spring", "prescribed", "generalized_force", "potential", "force", "constraint")


@pytest.mark.parametrize("how", WAYS)
def test_asked_joints_stay_in_the_tree(how: str) -> None:
    model = four_bar()
    ask(model, how)
    assert cuts(model) == ["b"]


@pytest.mark.parametrize("how", WAYS)
def test_asked_joints_are_not_cut_by_force(how: str) -> None:
    model = four_bar(cut="c")
    ask(model, how)
    with pytest.raises(ModelError, match=r"joint 'c' closes a loop .* asks for it; declare cut"):
        eomc.equations(model)


@pytest.mark.parametrize(
    "argument", [{"rotor_inertia": 0.1}, {"mimic": "a"}], ids=lambda argument: next(iter(argument))
)
def test_rotors_and_followers_stay_in_the_tree(argument: dict[str, Any]) -> None:
    assert cuts(four_bar(c=argument)) == ["b"]


def test_a_loop_of_asked_joints_is_refused() -> None:
    model = four_bar(**{name: {"rotor_inertia": 0.1} for name in "abcd"})
    with pytest.raises(ModelError, match=r"every joint of the loop is asked for"):
        eomc.equations(model)


def backwards(kind: str, other: str) -> Model:
    """World, a, b in a ring; the joint between a and b leads from b to a."""
    model = Model("ring")
    for body in "ab":
        model.body(body, mass=1, inertia=(1, 1, 1))
    model.joint("to_a", "revolute", parent="world", child="a", axis=(0, 0, 1))
    axis = {"axis": (0, 1, 0)} if kind in ("revolute", "prismatic", "cylindrical") else {}
    model.joint("between", kind, parent="b", child="a", **axis)
    if other:
        model.joint("to_b", other, parent="world", child="b")
    return model


@pytest.mark.parametrize("kind", ["universal", "planar"])
def test_what_cannot_be_turned_round_is_cut(kind: str) -> None:
    """Even where a freer joint closes the ring."""
    model = backwards(kind, "spherical")
    assert [joint.name for joint in model.cuts()] == ["between"]
    assert [joint.name for joint in model.tree()] == ["to_a", "to_b"]


@pytest.mark.parametrize("kind", ["universal", "planar", "floating"])
def test_the_only_way_must_not_lead_backwards(kind: str) -> None:
    with pytest.raises(ModelError, match=rf"joint 'between'.*{kind!r} cannot be turned round"):
        backwards(kind, "").tree()


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "cylindrical", "spherical"])
def test_other_joints_are_turned_round(kind: str) -> None:
    joint = backwards(kind, "").tree()[1]
    assert (joint.parent, joint.child) == ("a", "b")


def ring(masses: dict[str, float], joints: dict[str, tuple[str, str, str]]) -> Model:
    model = Model("ring")
    for body, mass in masses.items():
        model.body(body, mass=mass, inertia=(mass, mass, mass))
    for name, (kind, parent, child) in joints.items():
        axis = {"axis": (0, 0, 1)} if kind == "revolute" else {}
        model.joint(name, kind, parent=parent, child=child, placement=(1, 0, 0), **axis)
    return model


def test_what_constraints_cannot_hold_stays_in_the_tree() -> None:
    """A platform that floats, as its joint says, on legs that close loops."""
    joints = {
        "pose": ("floating", "world", "plate"),
        "foot": ("revolute", "world", "leg"),
        "top": ("spherical", "leg", "plate"),
    }
    masses = {"plate": 1.0, "leg": 1.0}
    assert cuts(ring(masses, joints)) == ["top"]
    model = ring(masses, {**joints, "foot": ("spherical", "world", "leg")})
    model.joint("ball", "spherical_euler", parent="leg", child="plate", sequence="xyz", cut=True)
    with pytest.raises(ModelError, match=r"joint 'ball': kind 'spherical_euler' cannot close"):
        model.validate()


def test_bodies_without_mass_are_passed() -> None:
    """Of three joints at one of them one may be cut, of two at the other none."""
    joints = {
        "a": ("revolute", "world", "h1"),
        "b": ("revolute", "h1", "hub"),
        "c": ("revolute", "hub", "h2"),
        "d": ("spherical", "h1", "rod"),
        "e": ("spherical", "rod", "h2"),
        "f": ("revolute", "hub", "h3"),
    }
    masses = {"h1": 1.0, "h2": 1.0, "h3": 1.0}
    model = ring({**masses, "hub": 0.0, "rod": 0.0}, joints)
    assert [joint.name for joint in model.cuts()] == ["c"]
    heavy = ring({**masses, "hub": 1.0, "rod": 1.0}, joints)
    assert [joint.name for joint in heavy.cuts()] == ["e"]


@pytest.mark.parametrize("carried", ["weld", "rotor", "prescribed"])
def test_a_body_without_mass_may_end_a_branch_that_carries_it(carried: str) -> None:
    model = four_bar(d={"rotor_inertia": 0.1} if carried == "rotor" else {})
    body = "coupler" if carried == "weld" else "rocker"
    model.bodies[body] = replace(model.bodies[body], mass=0, inertia=(0,) * 6)
    if carried == "weld":
        model.body("load", mass=1, inertia=(1, 1, 1))
        model.joint("weld", "fixed", parent="coupler", child="load")
    elif carried == "prescribed":
        model.prescribed("d")
    assert cuts(model) == ["c"]


@pytest.mark.parametrize("pair", ["bc", "ab", "dc"])
def test_cuts_that_isolate_a_body_are_refused(pair: str) -> None:
    body = {"bc": "coupler", "ab": "crank", "dc": "rocker"}[pair]
    model = four_bar(**{name: {"cut": True} for name in pair})
    joints = "', '".join(pair)
    with pytest.raises(ModelError, match=f"body '{body}' is cut off: only '{joints}'"):
        model.cuts()
    with pytest.raises(ModelError, match="is cut off"):
        model.validate()
