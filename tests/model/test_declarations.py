"""Declarations in Python: what is stored, which names coordinates get, what is refused and how."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from eomc.derive.joints import Step
from eomc.derive.joints.arguments import axis, fields
from eomc.derive.joints.steps import turn_about
from eomc.derive.joints.variables import angle, length
from eomc.derive.language.registry import kind
from eomc.derive.model import (
    Joint,
    JointKind,
    Mimic,
    Model,
    ModelError,
    Placement,
    joint_kind,
    joint_kinds,
)
from eomc.derive.motions.about_axis import Slide
from eomc.derive.tree.scalars import Scalars


def arm() -> Model:
    """Two revolute links on the world."""
    model = Model("arm")
    for i, parent in enumerate(("world", "link0")):
        model.body(f"link{i}", mass=1, com=(0, 0, 0.5), inertia=(0.1, 0.1, 0.01))
        model.joint(f"j{i}", "revolute", parent=parent, child=f"link{i}", axis=(0, 1, 0))
    return model


@pytest.mark.parametrize(
    ("kind", "coordinates", "speeds"),
    [
        ("fixed", (), ()),
        ("revolute", ("j",), ("j",)),
        ("continuous", ("j",), ("j",)),
        ("cylindrical", ("j_angle", "j_slide"), ("j_angle", "j_slide")),
        ("planar", ("j_x", "j_y", "j_theta"), ("j_x", "j_y", "j_theta")),
        ("planar_body", ("j_x", "j_y", "j_theta"), ("j_vx", "j_vy", "j_wz")),
        ("translational", ("j_x", "j_y", "j_z"), ("j_x", "j_y", "j_z")),
        ("universal", ("j_1", "j_2"), ("j_1", "j_2")),
        ("spherical", ("j_qw", "j_qx", "j_qy", "j_qz"), ("j_wx", "j_wy", "j_wz")),
        ("spherical_euler", ("j_a1", "j_a2", "j_a3"), ("j_a1", "j_a2", "j_a3")),
        (
            "floating",
            ("j_x", "j_y", "j_z", "j_qw", "j_qx", "j_qy", "j_qz"),
            ("j_vx", "j_vy", "j_vz", "j_wx", "j_wy", "j_wz"),
        ),
        (
            "floating_euler",
            ("j_x", "j_y", "j_z", "j_a1", "j_a2", "j_a3"),
            ("j_x", "j_y", "j_z", "j_a1", "j_a2", "j_a3"),
        ),
    ],
)
def test_names_of_coordinates(
    kind: str, coordinates: tuple[str, ...], speeds: tuple[str, ...]
) -> None:
    model = Model("m")
    model.body("b", mass=1, inertia=(1, 1, 1))
    axis = (0, 0, 1) if "axis" in joint_kind(kind).takes and kind != "universal" else None
    model.joint("j", kind, parent="world", child="b", axis=axis)
    assert model.coordinates == coordinates
    assert model.speeds == speeds


def test_all_kinds_of_the_design_are_there() -> None:
    assert set(joint_kinds()) >= {
        *("fixed", "revolute", "prismatic", "screw", "cylindrical", "planar", "universal"),
        *("spherical", "spherical_euler", "floating", "floating_euler"),
    }


def test_coordinates_leave_with_locks_mimics_and_prescriptions() -> None:
    model = arm()
    model.body("b", mass=1, inertia=(1, 1, 1))
    model.joint("cyl", "cylindrical", parent="link1", child="b", axis=(0, 0, 1))
    assert model.coordinates == ("j0", "j1", "cyl_angle", "cyl_slide")
    model.prescribed("cyl_angle")
    model.body("c", mass=1, inertia=(1, 1, 1))
    model.joint("m", "prismatic", parent="b", child="c", axis=(1, 0, 0), mimic=Mimic("j0", 2))
    model.body("d", mass=1, inertia=(1, 1, 1))
    model.joint("l", "revolute", parent="b", child="d", axis=(1, 0, 0), locked="pi/3")
    assert model.coordinates == ("j0", "j1", "cyl_slide")
    assert model.joints["l"].locked == (sympy.pi / 3,)
    model.validate()


def test_scalars_stay_what_they_are() -> None:
    model = Model("m", gravity=sympy.Matrix([0, 0, -sympy.Symbol("g", positive=True)]))
    model.parameter("g", Fraction(981, 100))
    model.body("b", mass=np.float64(0.1), com=np.array([0, 1, 2]), inertia=np.diag([1.5, 1, 1]))
    body = model.bodies["b"]
    assert type(body.mass) is float and body.mass == 0.1
    assert body.com == (0, 1, 2) and all(type(entry) is int for entry in body.com)
    assert model.gravity == (0, 0, -sympy.Symbol("g"))
    assert model.parameters["g"].value == sympy.Rational(981, 100)
    assert model.defaults() == {"g": 9.81}


def test_inertia_about_either_point() -> None:
    m, c = sympy.symbols("m c")
    model = Model("m")
    model.body("a", mass=m, com=(0, c, 0), inertia=(1, 2, 3))
    model.body("b", mass=m, com=(c, 2, 0), inertia=(1, 2, 3, 4, 5, 6), inertia_about="origin")
    assert model.bodies["a"].inertia_origin == (1 + m * c**2, 2, 3 + m * c**2, 0, 0, 0)
    diagonal = (1 - 4 * m, 2 - m * c**2, 3 - m * (c**2 + 4))
    assert model.bodies["b"].inertia_com == (*diagonal, 4 + 2 * m * c, 5, 6)
    assert model.bodies["a"].first_moment == (0, m * c, 0)


def test_rod_keeps_its_exact_inertia() -> None:
    model = Model("m")
    m, length = model.parameter("m", 1), model.parameter("l", 2)
    model.body("rod", mass=m, com=(0, 0, -length / 2), inertia=("m*l**2/12", "m*l**2/12", 0))
    assert model.bodies["rod"].inertia_origin[0] == m * length**2 / 3


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("body", {"name": ""}, "empty"),
    ("body", {"name": " a"}, "blanks"),
    ("body", {"name": "a\nb"}, "unprintable"),
    ("body", {"name": "x" * 1000}, "longer"),
    ("body", {"name": 3}, "text"),
    ("body", {"name": "world"}, "'world' is the base"),
    ("body", {"name": "link0"}, "two of this name"),
    ("body", {"name": "b", "mass": math.inf}, "not finite"),
    ("body", {"name": "b", "mass": "m*"}, "position 2"),
    ("body", {"name": "b", "mass": [1]}, "neither a number"),
    ("body", {"name": "b", "mass": 1j}, "neither a number"),
    ("body", {"name": "b", "inertia": (1, 2)}, "3, 6 or a 3x3"),
    ("body", {"name": "b", "inertia": 1}, "3x3"),
    ("body", {"name": "b", "inertia": ((1, 0, 0), (1, 1, 0), (0, 0, 1))}, "not symmetric"),
    ("body", {"name": "b", "inertia_about": "center"}, "valid: 'com', 'origin'"),
    ("joint", {"kind": "hinge"}, "unknown kind 'hinge'"),
    ("joint", {"kind": "revolut"}, "did you mean 'revolute'"),
    ("joint", {"kind": "revolute"}, "needs axis"),
    ("joint", {"kind": "revolute", "axis": (0, 0, 0)}, "axis has zero length"),
    ("joint", {"kind": "revolute", "axis": (0, 0)}, "needs 3"),
    ("joint", {"kind": "revolute", "axis": ("a-a", 0, 0)}, "axis has zero length"),
    ("joint", {"kind": "universal", "axis_2": (2, 0, 0)}, "parallel"),
    ("joint", {"kind": "screw", "axis": (0, 0, 1)}, "needs pitch"),
    ("joint", {"kind": "spherical", "axis": (0, 0, 1)}, "takes no axis"),
    ("joint", {"kind": "revolute", "axis": (0, 0, 1), "pitch": 1}, "takes no pitch"),
    ("joint", {"kind": "spherical_euler", "sequence": "zzy"}, "none twice in a row"),
    ("joint", {"kind": "spherical_euler", "sequence": "abc"}, "three of x, y, z"),
    ("joint", {"kind": "fixed", "locked": True}, "no coordinate to lock"),
    ("joint", {"kind": "spherical", "locked": (0, 0, 0, 0)}, "zero length"),
    ("joint", {"kind": "spherical", "locked": 1}, "has 1 entries, needs 4"),
    ("joint", {"kind": "revolute", "axis": (0, 0, 1), "mimic": "j0", "locked": 1}, "one of them"),
    ("joint", {"kind": "revolute", "axis": (0, 0, 1), "mimic": "new"}, "mimics itself"),
    ("joint", {"kind": "planar", "mimic": "j0"}, "one coordinate"),
    ("joint", {"kind": "planar", "rotor_inertia": 1}, "one speed"),
    ("joint", {"kind": "planar", "damping": (1, 2)}, "needs 3"),
    ("joint", {"kind": "spherical", "lower": 0}, "quaternion"),
    ("joint", {"kind": "revolute", "axis": (0, 0, 1), "upper": math.nan}, "not finite"),
    ("joint", {"kind": "fixed", "placement": {"xyz": (0, 0, 0), "abc": 1}}, "unknown key 'abc'"),
    ("joint", {"kind": "fixed", "placement": Placement, "name": "p"}, "placement: "),
    ("parameter", {"name": "2x", "value": 1}, "plain word"),
    ("parameter", {"name": "sin", "value": 1}, "reserved"),
    ("parameter", {"name": "t", "value": 1}, "reserved"),
    ("parameter", {"name": "a", "value": "2*b"}, "holds names"),
    ("parameter", {"name": "a", "value": 1, "tunable": "yes"}, "true or false"),
    ("input", {"name": "a b"}, "plain word"),
    ("spring", {"name": "s", "a": "link0", "b": 3}, "Point"),
    ("spring", {"name": "s", "a": "link0", "b": "world", "law": "x", "stiffness": 1}, "both"),
    ("force", {"name": "f", "at": "link0", "direction": (0, 0, 0)}, "zero length"),
    (
        "force",
        {"name": "f", "at": "link0", "direction": (0, 0, 1), "frame": "link0"},
        "'world', 'body'",
    ),
    ("frame", {"name": "world", "body": "link0"}, "is the base"),
]


@pytest.mark.parametrize(("method", "arguments", "part"), REFUSED, ids=lambda v: str(v)[:40])
def test_refusals_name_element_line_and_way_out(
    method: str, arguments: dict[str, Any], part: str
) -> None:
    model = arm()
    before = model.copy()
    if method == "joint":
        arguments = {"name": "new", "parent": "link0", "child": "link1", **arguments}
    with pytest.raises(ModelError) as caught:
        getattr(model, method)(**arguments)
    message = str(caught.value)
    assert part in message
    assert "test_declarations.py:" in message
    assert f"{method} {str(arguments['name'])[:80]!r}" in message
    assert model == before


def test_unknown_arguments_are_named_beside_those_that_there_are() -> None:
    message = r"spring 'coil': .*'joint'; it takes name, a, b, stiffness, damping, "
    with pytest.raises(TypeError, match=message):
        Model("m").spring("coil", joint="hinge")  # type: ignore[call-arg]


def test_error_survives_pickling() -> None:
    with pytest.raises(ModelError) as caught:
        arm().body("link0")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_model_survives_pickling() -> None:
    assert pickle.loads(pickle.dumps(arm())) == arm()


def test_models_differ_by_order() -> None:
    one, other = Model("m"), Model("m")
    for model, names in ((one, "ab"), (other, "ba")):
        for name in names:
            model.body(name)
    assert one != other
    assert one != "m"


def test_copy_is_its_own() -> None:
    model = arm()
    other = model.copy()
    other.body("extra")
    assert "extra" not in model.bodies


class Rack(JointKind):
    """A slide along the joint's axis and a turn about it, in this order."""

    arguments = fields(axis=axis())
    coordinates = (length("s"), angle("a"))

    def steps(self, joint: Joint, scalars: Scalars) -> list[Step]:
        axis = scalars.vector(joint.direction)
        return [Slide(axis), *turn_about(axis)]


def test_a_new_kind_is_one_registration() -> None:
    kind("test_rack")(Rack)
    kind("test_rack")(Rack)
    other = type("Other", (Rack,), {})
    with pytest.raises(ModelError, match="'test_rack': Rack has this word"):
        kind("test_rack")(other)
    model = Model("m")
    model.body("b", mass=1, inertia=(1, 1, 1))
    model.joint("j", "test_rack", parent="world", child="b", axis=(0, 0, 1))
    assert model.coordinates == ("j_s", "j_a")
    model.validate()
    assert model.joints["j"].declaration.sentence.startswith("A slide along")
    model.body("c", mass=1, inertia=(1, 1, 1))
    model.joint("k", "test_rack", parent="b", child="c", axis=(1, 0, 0), locked=(0.5, 0))
    assert model.reduced().frames["c"].placement.xyz == (0.5, 0, 0)
    with pytest.raises(ModelError, match="takes no pitch; it takes axis"):
        model.joint("l", "test_rack", parent="b", child="c", axis=(1, 0, 0), pitch=1)
