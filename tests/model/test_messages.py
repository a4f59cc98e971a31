"""Messages to who took another word of the field, or another unit: they say the valid one."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.derive.formats import parse_toml
from eomc.derive.joints.joint_kind import joint_kind, joint_kinds
from eomc.derive.model import ModelError
from eomc.derive.model.plausible import ImplausibleModelWarning
from eomc.derive.structures.structure_body import StructureBody

HEAD = 'name = "a"\n[[body]]\nname = "b"\nmass = 1\n'
JOINT = '[[joint]]\nname = "j"\nkind = "revolute"\nparent = "world"\nchild = "b"\n'


def pendulum(**joint: object) -> eomc.Model:
    model = eomc.Model("a")
    model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    model.joint(
        "j", **{"kind": "revolute", "parent": "world", "child": "rod", "axis": (0, 1, 0), **joint}
    )
    return model


@pytest.mark.parametrize("word", ["ground", "base", "World", "inertial"])
def test_other_words_for_the_world(word: str) -> None:
    with pytest.raises(ModelError, match=r"did you mean 'world'\?"):
        pendulum(parent=word).validate()


def test_other_words_for_joints() -> None:
    """Each leads to its kind, and is no kind itself."""
    called = {word: kind for kind in joint_kinds() for word in joint_kind(kind).also_called}
    assert {
        "hinge": "revolute",
        "slider": "prismatic",
        "ball": "spherical",
    }.items() <= called.items()
    for word, kind in called.items():
        with pytest.raises(ModelError, match=rf"unknown kind '{word}'; did you mean '{kind}'\?"):
            pendulum(kind=word)
    with pytest.raises(ModelError, match="'revolute'"):
        pendulum(kind="nothing of the sort")


def undeclared() -> None:
    model = eomc.Model("a")
    model.body("rod", mass="m")
    model.joint("j", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    model.validate()


def normal() -> None:
    pendulum().contact(
        "c",
        shape={"kind": "sphere", "at": "rod", "radius": 0.1},
        surface={"kind": "plane", "at": "world", "normal": (0, 0, 1)},
        normal={"kind": "spring", "stiffness": 1e4, "damping": 1},
    )


def rod(**given: object) -> None:
    stiffness = {"EA": 1e5, "GA": (1e5, 1e5), "GJ": 1.0, "EI": (1.0, 1.0)}
    more = {"length": 1.0, "mass_per_length": 1.0, "strains": {"bend_z": 2}, **stiffness, **given}
    eomc.Model("a").deformable("rod", "rod", **more)


def toml(text: str) -> Callable[[], object]:
    return lambda: parse_toml(text, "a.toml")


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (undeclared, r"unknown name 'm'; declare it: model\.parameter\('m', value\)"),
        (normal, "takes no 'damping'; valid: 'dissipation', .*'speed'"),
        (lambda: pendulum().body("c", mass=f"{np.float64(0.5)!r}"), "write the number, 0.5"),
        (lambda: rod(strains={"bend_z": 500}), "from 1 to 50"),
        (lambda: rod(points=10**7), "from 1 to 500"),
        (toml('[model]\nname = "a"\n'), "a.toml:1: .* keys of the model stand at the top"),
        (toml(f"{HEAD}{JOINT}self = 1\n"), "a.toml:5: .*self"),
        (toml(f'{HEAD}[[deformable]]\nname = "d"\nform = "rod"\nself = 1\n'), ":5: .*self"),
        (toml(f'{HEAD}[[constraint]]\nname = "c"\nkind = "distance"\nself = 1\n'), ":5: .*self"),
    ],
)
def test_a_message_says_what_is_valid(declare: Callable[[], object], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        declare()


def test_numbers_of_a_file_are_named_by_their_line(tmp_path: Path) -> None:
    file = tmp_path / "nodes.csv"
    file.write_text("name,x,y,z\na,0,0,0\nb,1e300,0,0\n", encoding="utf-8")
    with pytest.raises(ModelError, match=r"nodes\.csv:3\): node 'b': give three"):
        StructureBody(nodes=str(file), members=(), sections={}, modes=1)


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (lambda: pendulum(placement=eomc.Placement(rpy=(90, 0, 0))), "math.radians"),
        (lambda: heavy(125.0), "are these kg m"),
        (lambda: heavy(0.3), None),
        (lambda: pendulum(placement=eomc.Placement(rpy=(3 * math.pi, -math.pi, 0))), None),
        (lambda: arm((0, 0, 1)), "give gravity=(0, 0, 0)"),
        (lambda: arm((0, 0, 1), gravity=(0, 0, 0)), None),
        (lambda: arm((0, 1, 0)), None),
    ],
)
def test_units_that_are_hardly_meant(model: Callable[[], eomc.Model], sentence: str | None) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ImplausibleModelWarning)
        eomc.equations(model())
    found = [str(warning.message) for warning in told]
    assert [sentence in text for text in found] == [True] if sentence else not found


def arm(axis: tuple[int, int, int], **gravity: object) -> eomc.Model:
    """Two links and a slide across their axes."""
    model = eomc.Model("arm", **gravity)
    x = (1, 0, 0)
    for name, parent, kind, along in (
        ("upper", "world", "revolute", axis),
        ("lower", "upper", "revolute", axis),
        ("tool", "lower", "prismatic", x),
    ):
        model.body(name, mass=1, com=(0.2, 0, 0), inertia=(0.01, 0.01, 0.01))
        model.joint(
            f"{name}_joint", kind, parent=parent, child=name, axis=along, placement=(0.4, 0, 0)
        )
    return model


def heavy(inertia: float) -> eomc.Model:
    model = eomc.Model("a")
    model.body("rod", mass=1.5, com=(0, 0, -0.5), inertia=(inertia, inertia, inertia / 2))
    model.joint("j", "revolute", parent="world", child="rod", axis=(0, 1, 0))
    return model
