"""Contacts and stops in files, and what is wrong with one, by name and field."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.contacts.normal_laws.springs import Spring
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.language.errors import ModelError

GIVEN: dict[str, Any] = {
    "shape": {"kind": "sphere", "at": "ball", "radius": "r"},
    "surface": {"kind": "plane", "at": "table"},
    "normal": {"kind": "spring", "stiffness": 1e4},
}


def model(**given: Any) -> eomc.Model:
    made = eomc.Model("table")
    made.parameter("r", 0.2)
    made.body("table", mass=1, inertia=(1, 1, 1))
    made.joint("turn", "revolute", parent="world", child="table", axis=(0, 1, 0))
    made.body("ball", mass=1, inertia=(1, 1, 1))
    made.joint("free", "floating", parent="world", child="ball")
    made.contact("touch", **{**GIVEN, **given})
    return made


def test_files() -> None:
    made = model(
        friction={"kind": "bristles", "stiffness": 1e3, "kinetic": 0.3},
        normal={"kind": "law", "expression": "k*x + turn"},
    )
    made.parameter("k", 1e3)
    made.stop("end", coordinate="turn", upper=1, normal=Spring(stiffness=10))
    made.validate()
    text = toml_text(made)
    read = parse_toml(text)
    assert read == made and toml_text(read) == text
    assert "turn" in read.contacts["touch"].references()
    assert list(made.element_states()) == ["touch_deflection_1", "touch_deflection_2"]


def test_a_shape_goes_with_its_body_when_bodies_merge() -> None:
    made = model()
    made.body("knob", mass=1, inertia=(1, 1, 1))
    made.joint(
        "weld",
        "fixed",
        parent="ball",
        child="knob",
        placement={"xyz": (0, 0, 2), "rpy": (0, np.pi / 2, 0)},
    )
    made.contact(
        "second",
        **{**GIVEN, "shape": {"kind": "capsule", "at": "knob", "radius": 1, "half_length": 1}},
    )
    carried = made.reduced().contacts["second"].shape
    assert carried.at.body == "ball"
    np.testing.assert_allclose(np.array(carried.axis, dtype=float), [1, 0, 0], atol=1e-15)


SPHERE, PLANE = GIVEN["shape"], GIVEN["surface"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"shape": {"kind": "sphere", "at": "ball", "radius": 0}}, "shape (sphere): radius is 0"),
        (
            {"shape": {"kind": "capsule", "at": "ball", "radius": 1, "half_length": -1}},
            "half_length is -1",
        ),
        ({"shape": {"kind": "ellipsoid", "at": "ball", "semi_axes": (1, 0, 1)}}, "semi_axes is 0"),
        ({"shape": {"kind": "disc", "at": "ball", "radius": 1, "flat": 0}}, "flat is 0"),
        ({"shape": {"kind": "sphere", "at": "bal", "radius": 1}}, "did you mean 'ball'"),
        ({"shape": {"kind": "cube", "at": "ball"}}, "unknown shape 'cube'"),
        ({"shape": {"kind": "sphere", "at": "ball"}}, "kind 'sphere' needs radius"),
        ({"shape": {"kind": "sphere", "at": "ball", "radius": 1, "axs": 1}}, "takes no 'axs'"),
        (
            {"surface": {"kind": "plane", "at": "table", "normal": (0, 0, 0)}},
            "normal has zero length",
        ),
        ({"surface": {"kind": "plane", "at": "ball"}}, "are both of body 'ball'"),
        (
            {
                "shape": {"kind": "disc", "at": "ball", "radius": 1},
                "surface": {"kind": "torus", "at": "table", "radius": 1},
            },
            "no form for the pair disc and torus; there is one with the shapes box, capsule, point,"
            " sphere, or with the surfaces capsule, cylinder, ellipsoid, extruded, "
            "face, implicit, plane,",
        ),
        (
            {
                "shape": {"kind": "disc", "at": "ball", "radius": 1},
                "surface": {"kind": "capsule", "at": "table", "radius": 9, "half_length": 1},
            },
            "a ring may meet a segment in two places; give a cylinder, or",
        ),
        (
            {
                "shape": {"kind": "disc", "at": "ball", "radius": 1},
                "surface": {"kind": "implicit", "at": "table", "expression": "x"},
            },
            'a disc meets the nearest point of a surface; give gap = "distance"',
        ),
        (
            {"surface": {"kind": "implicit", "at": "table", "expression": "x + w"}},
            "unknown name 'w'",
        ),
        ({"normal": {"kind": "spring", "stiffness": 0}}, "normal (spring): stiffness is 0"),
        ({"normal": {"kind": "spring", "stiffness": 1, "exponent": -1}}, "exponent is -1"),
        (
            {"normal": {"kind": "spring", "stiffness": 1, "restitution": 1.5, "speed": 1}},
            "restitution is 1.5",
        ),
        ({"normal": {"kind": "spring", "stiffness": 1, "restitution": 0, "speed": 1}}, "in (0, 1]"),
        ({"normal": {"kind": "spring", "stiffness": 1, "restitution": 0.5}}, "give speed, too"),
        ({"normal": {"kind": "kelvin_voigt", "stiffness": 1, "damping": -1}}, "damping is -1"),
        ({"friction": {"kind": "coulomb", "coefficient": -0.1}}, "(coulomb): coefficient is -0.1"),
        ({"friction": {"kind": "coulomb", "coefficient": 0.1, "slip_speed": 0}}, "slip_speed is 0"),
        (
            {
                "friction": {"kind": "bristles", "stiffness": 1, "kinetic": 1},
                "surface": {"kind": "sphere", "at": "table", "radius": 1},
            },
            "a sphere is curved",
        ),
        ({"width": -1}, "width is -1"),
    ],
)
def test_mistakes_are_told_by_contact_and_field(given: dict[str, Any], told: str) -> None:
    with pytest.raises(ModelError) as caught:
        model(**given).validate()
    assert told in str(caught.value) and "contact 'touch'" in str(caught.value)


def test_stops_have_ends_in_order() -> None:
    with pytest.raises(ModelError, match=r"stop 'end': has neither lower nor upper"):
        model().stop("end", coordinate="turn", normal={"kind": "spring", "stiffness": 1})
    made = model()
    made.stop("end", coordinate="turn", lower=1, upper=0, normal={"kind": "spring", "stiffness": 1})
    with pytest.raises(ModelError, match="lower is 1 and upper 0"):
        made.validate()


def test_a_shape_may_be_turned_and_offset_on_its_body() -> None:
    given = {"body": "ball", "xyz": (0, 0, 2), "rpy": (0, np.pi / 2, 0)}
    made = model(
        shape={"kind": "capsule", "at": given, "radius": 0.1, "half_length": 1},
        surface={
            "kind": "face",
            "at": {"body": "table", "rpy": (np.pi / 2, 0, 0)},
            "half_sizes": (1, 2),
        },
    )
    shape, surface = made.contacts["touch"].shape, made.contacts["touch"].surface
    np.testing.assert_allclose(np.array(shape.axis, dtype=float), [1, 0, 0], atol=1e-15)
    np.testing.assert_allclose(np.array(surface.normal, dtype=float), [0, -1, 0], atol=1e-15)
    assert shape.at == eomc.Point("ball", (0, 0, 2)) and surface.half_sizes == (1, 2, 0)
    assert parse_toml(toml_text(made)) == made
    table = (
        "[[contact]]\nname = 'touch'\nnormal = { kind = 'spring', stiffness = 1 }\n"
        "surface = { kind = 'plane', at = 'world' }\n"
    )
    place = "{ body = 'ball', xyz = [0, 0, 2], rpy = [0, 'pi/2', 0] }"
    shape = f"shape = {{ kind = 'capsule', at = {place}, radius = 0.1, half_length = 1 }}\n"
    joint = "[[joint]]\nname = 'j'\nkind = 'fixed'\nparent = 'world'\nchild = 'ball'\n"
    body = "name = 'm'\n[[body]]\nname = 'ball'\nmass = 1\n" + joint
    read = parse_toml(body + table + shape).contacts["touch"].shape
    assert [float(x) for x in read.axis] == pytest.approx([1, 0, 0])
    level = {"kind": "implicit", "at": {"body": "table", "rpy": (1, 0, 0)}, "expression": "z"}
    with pytest.raises(ModelError, match="write the turn into it"):
        model(surface=level)


@pytest.mark.parametrize("power", [1, 2.0, "2"])
def test_words_that_are_numerals_may_be_numbers(power: float | str) -> None:
    friction = {"kind": "dry", "kinetic": 0.4, "static": 0.5, "speed": 1, "power": power}
    made = model(normal={"kind": "rigid", "restitution": 0}, friction=friction)
    (element,) = made.elements()
    assert element.friction.power == f"{float(power):g}"  # type: ignore[attr-defined]
    with pytest.raises(eomc.ModelError, match="power is '3'; valid: '1', '2'"):
        model(normal={"kind": "rigid", "restitution": 0}, friction={**friction, "power": 3})
