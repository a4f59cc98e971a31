"""Which joints are cut, and that joints whose coordinates are asked for are not."""

from __future__ import annotations

from typing import Any

import pytest
from constraints.mechanisms import four_bar

from eomc.derive.equations import derive
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
    elif how == "prescribe":
        model.prescribe("c")
    elif how == "generalized_force":
        model.generalized_force("Q", "c", "1")
    elif how == "potential":
        model.potential("V", "c**2")
    elif how == "force":
        model.force("f", at="crank", direction=(1, 0, 0), magnitude="speed(c)")
    elif how == "constraint":
        model.constraint("drive", "driver", first="c", expression="sin(t)")


WAYS = ("joint_spring", "prescribe", "generalized_force", "potential", "force", "constraint")


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
        derive(model)


@pytest.mark.parametrize(
    "argument", [{"rotor_inertia": 0.1}, {"mimic": "a"}], ids=lambda argument: next(iter(argument))
)
def test_rotors_and_followers_stay_in_the_tree(argument: dict[str, Any]) -> None:
    assert cuts(four_bar(c=argument)) == ["b"]


def test_a_loop_of_asked_joints_is_refused() -> None:
    model = four_bar(**{name: {"rotor_inertia": 0.1} for name in "abcd"})
    with pytest.raises(ModelError, match=r"every joint of the loop is asked for"):
        derive(model)
