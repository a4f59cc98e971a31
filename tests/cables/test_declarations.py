"""Cables in files, and what is wrong with one, by name and station."""

from __future__ import annotations

from typing import Any

import pytest

import eomc
from eomc.derive.cables import Eyelet, Pulley, Winch
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.language.errors import ModelError
from eomc.derive.placement.placement import Point

Z = (0, 0, 1)
PULLEY: dict[str, Any] = {
    "pulley": {"body": "world", "xyz": (1, 0, 0)}, "axis": Z, "radius": "r", "sense": -1
}  # fmt: skip
WINCH: dict[str, Any] = {"winch": "arm", "axis": Z, "radius": 0.1, "sense": 1, "turn": "hinge"}


def model(route: list[Any], kind: str = "cable", **given: Any) -> eomc.Model:
    made = eomc.Model("ropes")
    made.parameter("r", 0.2)
    made.input("pull")
    made.body("arm", mass=1, inertia=(1, 1, 1))
    made.joint("hinge", "revolute", parent="world", child="arm", axis=Z)
    made.body("ball", mass=1)
    made.joint("ball", "spherical", parent="arm", child="bob")
    made.body("bob", mass=1, com=(0, 0, 1), inertia=(1, 1, 1))
    made.joint("fall", "translational", parent="world", child="ball")
    if kind == "rope":
        made.constraint("rope", "rope", route=route, **{"length": 1} | given)
    else:
        made.cable("rope", route, **{"length": 1, "modulus": 1e3} | given)
    return made


@pytest.mark.parametrize("kind", ["cable", "rope"])
def test_files(kind: str) -> None:
    made = model(
        [WINCH, PULLEY | {"turns": 2}, {"at": "bob", "friction": 0}, Point("ball", (0, 1, 0))],
        kind, length="2 + r",
    )  # fmt: skip
    made.validate()
    text = toml_text(made)
    read = eomc.derive.formats.toml.parse_toml(text)
    assert read == made and toml_text(read) == text
    element = read.cables["rope"] if kind == "cable" else read.constraints["rope"]
    assert [type(station) for station in element.route] == [Winch, Pulley, Eyelet, Eyelet]


def test_a_cable_keeps_its_joint_in_the_tree_and_its_body_when_bodies_merge() -> None:
    made = model([WINCH, "tool"])
    made.body("tool", mass=1)
    made.joint("weld", "fixed", parent="bob", child="tool", placement=(0, 0, 2))
    assert made.cables["rope"].asked() == ("hinge",)
    (_, end) = made.reduced().cables["rope"].route
    assert end.place == Point("bob", (0, 0, 2))


@pytest.mark.parametrize(
    ("route", "given", "said"),
    [
        (["ball"], {}, "route has 1 stations; a cable has two ends"),
        ("ball", {}, "give a list of stations"),
        (["ball", PULLEY], {}, r"route\[1\]: a cable does not end at a pulley"),
        (["ball", WINCH, "bob"], {}, r"route\[1\]: a cable passes no winch"),
        (["ball", {"pulley": "world", "axis": Z, "radius": 1}, "bob"], {}, "a pulley needs sense"),
        (["ball", PULLEY | {"sense": 2}, "bob"], {}, "sense is 2; give 1 if"),
        (["ball", PULLEY | {"turns": -1}, "bob"], {}, "turns is -1; give a whole number"),
        (["ball", PULLEY | {"radios": 1}, "bob"], {}, "unknown key 'radios'; did you"),
        (["ball", PULLEY | {"radius": 0}, "bob"], {}, r"route\[1\] \(pulley\): radius is 0;"),
        (["ball", PULLEY | {"radius": "hinge"}, "bob"], {}, "radius holds 'hinge', which moves"),
        (["ball", PULLEY | {"friction": -1}, "bob"], {}, "friction is -1; give a number that is"),
        ([WINCH | {"swivel": Z}, "bob"], {}, "give the axis of a drum in a fixed plane, or swivel"),
        ([WINCH | {"turn": "ball_qw"}, "bob"], {}, "'ball_qw', which is no coordinate with a rate"),
        ([WINCH | {"turn": "hing"}, "bob"], {}, "unknown name 'hing'"),
        (["ball", "ball"], {}, r"route\[1\] \(at\): stands where station 0 does"),
        (["ball", {"body": "world", "xyz": (0.9, 0, 0)}, PULLEY, "bob"], {},
         r"route\[2\] \(pulley\): its distance from station 1 is 0.1, not more than"),
        ([{"winch": "arm", "swivel": Z, "radius": 0.1, "sense": 1}, PULLEY, "bob"], {},
         "lead the cable through a point between them"),
        (["ball", "bib"], {}, "unknown body 'bib'; did you mean 'bob'"),
        (["ball", {"body": "bob"}], {"area": 0}, "area is 0; give a positive number"),
        (["ball", "bob"], {"modulus": -1}, "modulus is -1; give a number that is not negative"),
        (["ball", "bob"], {"modulus": 0}, "has neither modulus nor law"),
        (["ball", "bob"], {"law": "x"}, "law and modulus are both given"),
        (["ball", "bob"], {"length": -1}, "length is -1; give a positive one"),
    ],
)  # fmt: skip
def test_mistakes(route: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelError, match=rf"cable 'rope': .*{said}") as caught:
        model(route, **given).validate()
    assert caught.value.source is not None


def test_friction_needs_a_tension() -> None:
    with pytest.raises(ModelError, match=r"rope'.*route\[1\]: friction needs a tension"):
        model(["ball", PULLEY | {"friction": 0.1}, "bob"], "rope").validate()
