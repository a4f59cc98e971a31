"""Cables in files, and what is wrong with one, by name and station."""

from __future__ import annotations

from typing import Any

import pytest

import eomc
from eomc.derive.cables import Eyelet, Pulley, Winch
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.language.errors import ModelError
from eomc.derive.placement.placement import Point

Z = (0, 0, 1)
PULLEY: dict[str, Any] = {
    "kind": "pulley",
    "at": {"body": "world", "xyz": (1, 0, 0)},
    "axis": Z,
    "radius": "r",
    "sense": -1,
}
BLOCK = {
    "kind": "pulley",
    "at": "arm",
    "swivel": Z,
    "offset": 0.1,
    "height": "r",
    "radius": 0.1,
    "sense": 1,
    "follows": "before",
}
WINCH: dict[str, Any] = {
    "kind": "winch",
    "at": "arm",
    "axis": Z,
    "radius": 0.1,
    "sense": 1,
    "turn": "hinge",
}


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
        [
            WINCH,
            PULLEY | {"turns": 2},
            {"kind": "eyelet", "at": "bob", "friction": 0},
            BLOCK,
            Point("ball", (0, 1, 0)),
        ],
        kind,
        length="2 + r",
    )
    made.validate()
    text = toml_text(made)
    read = parse_toml(text)
    assert read == made and toml_text(read) == text
    element = read.cables["rope"] if kind == "cable" else read.constraints["rope"]
    assert [type(station) for station in element.route] == [Winch, Pulley, Eyelet, Pulley, Eyelet]


def test_a_cable_keeps_its_joint_in_the_tree_and_its_body_when_bodies_merge() -> None:
    made = model([WINCH, "tool"])
    made.body("tool", mass=1)
    made.joint("weld", "fixed", parent="bob", child="tool", placement=(0, 0, 2))
    assert made.cables["rope"].references() == ("hinge",)
    (_, end) = made.reduced().cables["rope"].route
    assert end.at == Point("bob", (0, 0, 2))


@pytest.mark.parametrize(
    ("route", "given", "said"),
    [
        (["ball"], {}, "route has 1 stations; a cable has two ends"),
        ("ball", {}, "give a list of stations"),
        (["ball", PULLEY], {}, r"route\[1\]: a cable does not end at a pulley"),
        (["ball", WINCH, "bob"], {}, r"route\[1\]: a cable passes no winch"),
        (
            ["ball", {"kind": "pulley", "at": "world", "axis": Z, "radius": 1}, "bob"],
            {},
            "kind 'pulley' needs sense",
        ),
        (["ball", PULLEY | {"sense": 2}, "bob"], {}, "sense is 2; give 1 if"),
        (["ball", PULLEY | {"turns": -1}, "bob"], {}, "turns is -1; give a whole number"),
        (["ball", PULLEY | {"radios": 1}, "bob"], {}, "takes no 'radios'; did you"),
        (["ball", PULLEY | {"radius": 0}, "bob"], {}, r"route\[1\] \(pulley\): radius is 0;"),
        (["ball", PULLEY | {"radius": "hinge"}, "bob"], {}, "radius holds 'hinge', which moves"),
        (["ball", PULLEY | {"friction": -1}, "bob"], {}, "friction is -1; give a number that is"),
        (["ball", PULLEY | {"bearing": 1}, "bob"], {}, r"bearing is outside of \[0, 1\)"),
        (["ball", PULLEY | {"bearing": 0.1, "friction": 0.1}, "bob"], {}, "bearing; give one"),
        (["ball", PULLEY | {"near": "hinge", "turns": 1}, "bob"], {}, "near counts turns by"),
        (["ball", PULLEY | {"near": "ball_qw"}, "bob"], {}, "near holds 'ball_qw', which is no"),
        ([WINCH | {"swivel": Z}, "bob"], {}, "give the axis of a drum in a fixed plane, or swivel"),
        ([WINCH | {"turn": "ball_qw"}, "bob"], {}, "'ball_qw', which is no coordinate with a rate"),
        ([WINCH | {"turn": "hing"}, "bob"], {}, "unknown name 'hing'"),
        (["ball", "ball"], {}, r"route\[1\] \(eyelet\): stands where station 0 does"),
        (
            ["ball", {"body": "world", "xyz": (0.9, 0, 0)}, PULLEY, "bob"],
            {},
            r"route\[2\] \(pulley\): its distance from station 1 is 0.1, not more than",
        ),
        (
            ["ball", PULLEY, PULLEY | {"kind": "pulley", "at": Point("world", (3, 0, 0.1))}, "bob"],
            {},
            r"route\[2\] \(pulley\): its circle is not in the plane of station 1",
        ),
        (
            [
                "ball",
                PULLEY,
                PULLEY | {"kind": "pulley", "at": Point("world", (3, 0, 0)), "axis": (0, 1, 1)},
                "bob",
            ],
            {},
            "its circle is not in the plane",
        ),
        (
            ["ball", PULLEY, "bob", PULLEY | {"sense": 1}, "arm"],
            {},
            r"route\[3\] \(pulley\): is station 1 again; give the second groove a place of its own",
        ),
        (
            [Point("arm", (0, 1, 2)), BLOCK | {"follows": "next"}, Point("arm", (0, 0, 2))],
            {},
            r"route\[1\] \(pulley\): station 2, to which its block turns, is on the swivel axis;.*"
            "follow the other",
        ),
        (
            [
                {"kind": "winch", "at": "arm", "swivel": Z, "radius": 0.1, "sense": 1},
                Point("arm", (0, 0, -1)),
            ],
            {},
            r"route\[0\] \(winch\): station 1, to which its block turns, is on the swivel axis",
        ),
        (["ball", "bib"], {}, "unknown body 'bib'; did you mean 'bob'"),
        (["ball", {"body": "bob"}], {"area": 0}, "area is 0; give a positive number"),
        (["ball", "bob"], {"modulus": -1}, "modulus is -1; give a number that is not negative"),
        (["ball", "bob"], {"modulus": 0}, "has neither modulus nor law"),
        (["ball", "bob"], {"law": "x"}, "law and modulus are both given"),
        (["ball", "bob"], {"length": -1}, "length is -1; give a positive one"),
        (["ball", "bob"], {"length": "2 + ball_qw"}, "length holds 'ball_qw', which is no coord"),
        (["ball", "bob"], {"length": "2 + speed(hinge)"}, "is one of the speeds; only parameters"),
        ([WINCH | {"turn": "speed(hinge)"}, "bob"], {}, "'speed.hinge.' is one of the speeds"),
    ],
)
def test_mistakes(route: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(ModelError, match=rf"cable 'rope': .*{said}") as caught:
        model(route, **given).validate()
    assert caught.value.source is not None


def test_friction_needs_a_tension() -> None:
    with pytest.raises(ModelError, match=r"rope'.*route\[1\]: friction needs a tension"):
        model(["ball", PULLEY | {"friction": 0.1}, "bob"], "rope").validate()


def test_a_length_with_a_quaternion_has_no_rate_in_a_rope_either() -> None:
    with pytest.raises(ModelError, match=r"rope'.*length holds 'ball_qx', which is no coordinate"):
        model(["ball", "bob"], "rope", length="2 + ball_qx").validate()


def belt(*joints: dict[str, Any], tilt: float = 0, height: float = 0) -> eomc.Model:
    """Two pulleys across z, on an arm and on what hangs on it by the joints, one after the other;
    the second pulley tilted and lifted."""
    made = eomc.Model("belt")
    made.body("link0", mass=1, inertia=(1, 1, 1))
    made.joint("hinge", "revolute", parent="world", child="link0", axis=(0, 1, 0))
    for k, joint in enumerate(joints):
        made.body(f"link{k + 1}", mass=1, inertia=(1, 1, 1))
        given = {"placement": (1, 0, 0)} | joint
        made.joint(f"joint{k + 1}", parent=f"link{k}", child=f"link{k + 1}", **given)
    route: list[Any] = [
        Point("link0", (-1, 0, 0)),
        Pulley(Point("link0", (0, 0, 0)), axis=Z, radius=0.1, sense=1),
        Pulley(
            Point(f"link{len(joints)}", (0.4, 0.3, height)), axis=(0, tilt, 1), radius=0.1, sense=1
        ),
        Point("link0", (-1, 1, 0)),
    ]
    made.cable("belt", route, length=1, modulus=1)
    return made


HINGE, TILT = {"kind": "revolute", "axis": Z}, {"kind": "revolute", "axis": (1, 0, 0)}
SLIDE, LIFT = {"kind": "prismatic", "axis": (0, 1, 0)}, {"kind": "prismatic", "axis": Z}


@pytest.mark.parametrize(
    "joints", [[HINGE], [HINGE, SLIDE], [{"kind": "planar", "axis": Z}], [TILT | {"locked": 0.0}]]
)
@pytest.mark.filterwarnings("error")
def test_joints_that_keep_pulleys_in_one_plane(joints: list[dict[str, Any]]) -> None:
    belt(*joints).validate()


@pytest.mark.filterwarnings("error")
def test_two_joints_keep_planes_parallel_where_one_mimics_the_other() -> None:
    """A turn and the turn back, about one axis."""
    back = TILT | {"placement": (0, 0, 0), "mimic": {"joint": "joint1", "multiplier": -1}}
    belt(TILT, back).validate()


@pytest.mark.parametrize(
    ("joints", "tilt", "height"),
    [([HINGE], 0, 0.1), ([HINGE, SLIDE], 0.2, 0), ([SLIDE, LIFT], 0.2, 0), ([], 0, 0.1)],
)
def test_pulleys_that_nothing_brings_into_one_plane(
    joints: list[dict[str, Any]], tilt: float, height: float
) -> None:
    with pytest.raises(ModelError, match=r"route\[2\] \(pulley\): its circle is not in the plane"):
        belt(*joints, tilt=tilt, height=height).validate()


@pytest.mark.parametrize(
    ("joints", "named"),
    [
        ([TILT], "joint1"),
        ([HINGE, TILT], "joint2"),
        ([LIFT], "joint1"),
        ([HINGE, {"kind": "spherical"}], "joint2"),
    ],
)
def test_a_joint_that_may_take_pulleys_out_of_one_plane(
    joints: list[dict[str, Any]], named: str
) -> None:
    with pytest.warns(UserWarning, match=f"cable 'belt': joint '{named}' can take the circles"):
        belt(*joints).validate()


SWING = """
name = "swing"
[[body]]
name = "arm"
mass = 1
inertia = [1, 1, 1]
[[joint]]
name = "arm"
kind = "revolute"
parent = "world"
child = "arm"
axis = [0, 1, 0]
placement = { xyz = [0, 0, 3], rpy = [0, 0, "pi/2"] }
[[lumped_cable]]
name = "line"
a = { body = "arm", xyz = [2, 0, 0] }
b = { body = "world", xyz = [0, 8, 0] }
length = 10
line_mass = 1.2
lumps = 3
modulus = 5e5
"""


def test_a_cable_with_mass_in_a_file() -> None:
    """Its points begin on the line between ends where the arm is at rest; no mass is lost."""
    read = parse_toml(SWING)
    read.validate()
    places = [read.joints[f"line_{k}"].placement.xyz for k in (1, 2)]
    assert places == [pytest.approx(place) for place in ((0, 4, 2), (0, 6, 1))]
    assert [body.mass for body in read.bodies.values()] == [1, 4.0, 4.0, 2.0]
    assert [cable.length for cable in read.cables.values()] == [10 / 3] * 3
    text = toml_text(read)
    assert parse_toml(text) == read and toml_text(parse_toml(text)) == text


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("lumps = 3", "lumps = 1", "lumps is 1; give a whole number from 2 to 1000"),
        ("lumps = 3", "", "lumped_cable 'line': needs lumps"),
        ("line_mass = 1.2", "line_mass = 0", "line_mass is 0; give a positive number"),
        ("length = 10", "length = -10", "length is -10; give a positive number"),
        ("modulus = 5e5", "modulos = 5e5", "unknown key 'modulos'; did you mean 'modulus'?"),
        ("modulus = 5e5", "", "has neither modulus nor law"),
        ("modulus = 5e5", "modulus = 5e5\narea = 0", "area is 0; give a positive number"),
        ('"arm", xyz', '"leg", xyz', "where body 'leg' is, is not told by joints declared before"),
        ("lumps = 3", "lumps = 3\nends = [[0, 0, 0]]", "give two places in the world"),
        ("lumps = 3", "lumps = 3\nends = [[0, 0, 0], [0, 0, 0]]", "its ends begin in one place"),
        ('b = { body = "world"', 'b = { kind = "winch", at = "world"', "ends[1]: kind"),
    ],
)
def test_mistakes_in_a_cable_with_mass(old: str, new: str, said: str) -> None:
    with pytest.raises(ModelError, match=r"^lines.toml:14: ") as caught:
        parse_toml(SWING.replace(old, new), "lines.toml")
    assert said in str(caught.value)


def test_composites_in_files_tell_what_they_take() -> None:
    with pytest.raises(ModelError, match=r"^<text>:2: cylinder 'jack': needs a"):
        parse_toml('name = "jack"\n[[cylinder]]\nname = "jack"')
    with pytest.raises(ModelError, match=r"cylinder 'jack': unknown key 'lenght'; did you mean"):
        parse_toml('name = "jack"\n[[cylinder]]\nname = "jack"\nlenght = 1')
