"""Checks of whole models: each breach is told with its element and line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from model.random_models import models

from eomc.derive.model import Mimic, Model, ModelError, Placement, Point
from eomc.derive.model.validate import check_inertia

BOX = (0.2, 0.3, 0.4)


def arm() -> Model:
    """Two links, a tool welded on, parameters and an input."""
    model = Model("arm")
    model.parameter("m", 2)
    model.parameter("zero", 0)
    model.input("F")
    model.body("upper", mass="m", inertia=BOX)
    model.joint("shoulder", "revolute", parent="world", child="upper", axis=(0, 0, 1))
    model.body("lower", mass=1, com=(0.1, 0, 0), inertia=BOX)
    model.joint("elbow", "revolute", parent="upper", child="lower", axis=(0, 1, 0))
    return model


def test_valid() -> None:
    arm().validate()


@pytest.mark.slow
@settings(max_examples=40)
@given(models())
def test_random_models_are_valid(model: Model) -> None:
    model.validate()


def declare(method: str, *names: str, **arguments: object) -> Callable[[Model], object]:
    return lambda model: getattr(model, method)(*names, **arguments)


def link(**arguments: object) -> Callable[[Model], object]:
    """A third body on a joint with these arguments."""

    def add(model: Model) -> None:
        model.body("hand", mass=1, inertia=BOX)
        joint = {"kind": "revolute", "axis": (1, 0, 0), **arguments}
        model.joint("wrist", parent="lower", child="hand", **joint)  # type: ignore[arg-type]

    return add


def body(**arguments: object) -> Callable[[Model], object]:
    """A third body like this, welded on."""

    def add(model: Model) -> None:
        model.body("hand", **arguments)  # type: ignore[arg-type]
        model.joint("weld", "fixed", parent="lower", child="hand")

    return add


@pytest.mark.parametrize(
    ("breach", "part"),
    [
        (body(mass=-1), "body 'hand': mass is -1"),
        (body(mass="-m"), "body 'hand': mass is -2"),
        (body(mass="mm"), "body 'hand': mass: unknown name 'mm'; did you mean 'm'?"),
        (body(mass="F"), "'F' is one of the inputs; only parameters may stand here"),
        (body(mass="elbow"), "'elbow' is one of the coordinates"),
        (body(mass="1/zero"), "body 'hand': mass: 1/zero has no finite real value"),
        (body(mass="sqrt(-m)"), "has no finite real value"),
        (body(mass=1, com=(0, "l", 0)), "body 'hand': com: unknown name 'l'"),
        (body(mass=1, inertia=(1, 1, 3)), "body 'hand': inertia violates the triangle inequality"),
        (body(mass=1, inertia=(1, 1, -1)), "body 'hand': inertia is not positive semidefinite"),
        (body(mass=1, inertia=(1, 1, 1, 2, 0, 0)), "not positive semidefinite"),
        (body(mass=1, com=(5, 0, 0), inertia=(1, 1, 1), inertia_about="origin"), "semidefinite"),
        (link(axis=("zero", 0, 0)), "joint 'wrist': axis"),
        (link(friction=-1), "joint 'wrist': friction is negative"),
        (link(friction_speed=0), "friction_speed is not positive"),
        (link(rotor_inertia=-1), "rotor_inertia is negative"),
        (link(lower=1, upper=-1), "lower limit 1 is above upper limit -1"),
        (link(effort_limit=-1), "effort_limit is negative"),
        (link(damping="k"), "joint 'wrist': damping: unknown name 'k'"),
        (link(mimic=Mimic("elbw")), "mimics unknown joint 'elbw'; did you mean 'elbow'"),
        (
            link(placement=Placement(quaternion=("zero", 0, 0, 0))),
            "placement: quaternion has zero length",
        ),
        (link(placement=Placement(rotation=((1, 0, 0), (0, "m", 0), (0, 0, 1)))), "orthonormal"),
        (
            link(child_placement=Placement(("zz", 0, 0))),
            "joint 'wrist': child_placement: unknown name",
        ),
        (declare("spring", "s", a="lowr", b="world"), "unknown body 'lowr'; did you mean 'lower'"),
        (
            declare("spring", "s", a="lower", b=Point("lower", (1, 0, 0))),
            "spring 's': both points are on body 'lower'",
        ),
        (
            declare("spring", "s", a="lower", b="world", law="k*x"),
            "spring 's': law: unknown name 'k'",
        ),
        (
            declare("joint_spring", "s", joint="elbw"),
            "'elbw' is no coordinate with a rate; did you mean",
        ),
        (declare("force", "f", at="hand", direction=(1, 0, 0)), "force 'f': unknown body 'hand'"),
        (
            declare("torque", "f", body="hand", direction=(1, 0, 0)),
            "torque 'f': unknown body 'hand'",
        ),
        (
            declare("force", "f", at=Point("lower", ("F", 0, 0)), direction=(1, 0, 0)),
            "at: 'F' is one of",
        ),
        (declare("potential", "V", "speed(elbow)"), "'speed(elbow)' is one of the speeds"),
        (declare("potential", "V", "elbo"), "did you mean 'elbow'"),
        (
            declare("generalized_force", "Q", "elbo", 1),
            "unknown speed 'elbo'; did you mean 'elbow'",
        ),
        (declare("generalized_force", "Q", "elbow", "x"), "unknown name 'x'"),
        (declare("prescribed", "elbo"), "unknown joint or coordinate; did you mean 'elbow'"),
        (declare("frame", "tip", body="tool"), "frame 'tip': unknown body 'tool'"),
        (declare("frame", "lower", body="upper"), "a body of this name is a frame already"),
        (declare("input", "m"), "there is a parameter of this name"),
        (
            declare("parameter", "elbow", 1),
            "its coordinate 'elbow' has the name of parameter 'elbow'",
        ),
    ],
)
def test_breaches(breach: Callable[[Model], object], part: str) -> None:
    model = arm()
    with pytest.raises(ModelError) as caught:
        breach(model)
        model.validate()
    assert part in str(caught.value)
    assert "test_validate.py:" in str(caught.value)


def test_gravity_is_checked() -> None:
    with pytest.raises(ModelError, match="model 'm': gravity: unknown name 'g'"):
        Model("m", gravity=(0, 0, "-g")).validate()


def test_names_that_could_mean_two_things() -> None:
    model = arm()
    model.parameter("x", 1)
    model.spring("quiet", a="lower", b="world", stiffness="x")
    model.validate()
    model.spring("s", a="lower", b="world", law="100*x")
    with pytest.raises(ModelError, match="'x' could be one of parameters and law"):
        model.validate()


def test_joints_share_no_coordinate_name() -> None:
    model = Model("m")
    for name, kind in (("a", "planar"), ("a_x", "revolute")):
        model.body(name, mass=1, inertia=BOX)
        model.joint(name, kind, parent="world", child=name, axis=(0, 0, 1))
    with pytest.raises(
        ModelError, match="coordinate 'a_x' has the name of a coordinate of joint 'a'"
    ):
        model.validate()


def test_prescription_contradictions() -> None:
    def model(**arguments: object) -> Model:
        made = arm()
        link(**arguments)(made)
        made.prescribed("wrist")
        return made

    model().validate()
    for arguments, part in (
        ({"locked": 1}, "locked already"),
        ({"mimic": Mimic("elbow")}, "mimic already"),
        ({"kind": "spherical", "axis": None}, "Euler-angle"),
    ):
        with pytest.raises(ModelError, match=part):
            model(**arguments).validate()
    twice = model(kind="cylindrical")
    twice.prescribed("wrist_angle")
    with pytest.raises(ModelError, match="prescribed by 'wrist' already"):
        twice.validate()


def test_impossible_inertia_may_warn() -> None:
    model = arm()
    body(mass=1, inertia=(1, 1, 3))(model)
    with pytest.warns(UserWarning, match="test_validate.py:.*body 'hand': inertia violates"):
        model.validate(inertia="warn")
    model.validate(inertia="ignore")
    with pytest.raises(ModelError, match="valid: 'error', 'warn', 'ignore'"):
        model.validate(inertia="maybe")


def test_inertia_on_the_border_is_possible() -> None:
    check_inertia((1, 1, 0, 0, 0, 0))  # a thin rod
    check_inertia((1, 1, 2, 0, 0, 0))  # a thin plate
    check_inertia((1, 1, 2.0005, 0, 0, 0))  # the same in four digits
    check_inertia((0, 0, 0, 0, 0, 0))
    check_inertia((0, 1e-20, -1e-20, 0, 0, 0), mass=1)  # a point and rounding
    with pytest.raises(ModelError, match="triangle"):
        check_inertia((1, 1, 2.01, 0, 0, 0))
    with pytest.raises(ModelError, match="semidefinite"):
        check_inertia((0, 1e-20, -1e-20, 0, 0, 0))


# ---- coordinates that carry no inertia


def single(kind: str, **arguments: object) -> Model:
    """One body with this mass distribution on one joint."""
    model = Model("m")
    words = ("mass", "com", "inertia")
    body: dict[str, Any] = {word: arguments.pop(word) for word in words if word in arguments}
    model.body("b", **body)
    model.joint("j", kind, parent="world", child="b", **arguments)  # type: ignore[arg-type]
    return model


@pytest.mark.parametrize(
    ("model", "coordinate"),
    [
        (single("revolute", axis=(0, 0, 1)), "j"),
        (single("revolute", axis=(0, 0, 1), mass=1), "j"),
        (single("revolute", axis=(0, 0, 1), mass=1, com=(0, 0, 1), inertia=(1, 1, 0)), "j"),
        (single("prismatic", axis=(1, 0, 0), inertia=(1, 1, 1)), "j"),
        (single("spherical", mass=1, com=(0, 0, 1)), "j_wz"),
        (single("floating", mass=1, inertia=(1, 1, 0)), "j_wz"),
        (single("cylindrical", axis=(0, 1, 0), mass=1), "j_angle"),
        (single("planar", mass=1), "j_theta"),
        (single("planar", inertia=(1, 1, 1)), "j_"),
        (single("floating_euler", mass=1), "j_a"),
    ],
)
def test_singular_joint_is_named(model: Model, coordinate: str) -> None:
    with pytest.raises(ModelError, match=f"test_validate.py:.*joint 'j': coordinate '{coordinate}"):
        model.validate()


@pytest.mark.parametrize(
    "model",
    [
        single("revolute", axis=(0, 0, 1), rotor_inertia=1e-4, gear_ratio=100),
        single("revolute", axis=(0, 0, 1), mass=1, com=(1, 0, 0)),
        single("revolute", axis=(0, 0, 1), mass=1, child_placement=(0.1, 0, 0)),
        single("prismatic", axis=(0, 0, 1), mass=1),
        single("screw", axis=(0, 0, 1), pitch=0.1, mass=1),
        single("spherical", mass=1, inertia=(1, 1, 1)),
        single("spherical", mass=1, com=(0, 0, 1), inertia=(0.5, 0.5, 1)),
        single("universal", mass=1, com=(0, 0, 1)),
        single("planar", mass=1, inertia=(0.5, 0.5, 1)),
        single("revolute", axis=(0, 0, 1), locked=0),
    ],
)
def test_regular_joints_pass(model: Model) -> None:
    model.validate()


def gantry(*axes: tuple[int, int, int], masses: tuple[float, ...]) -> Model:
    """Slides in series."""
    model = Model("gantry")
    parent = "world"
    for i, (axis, mass) in enumerate(zip(axes, masses, strict=True)):
        model.body(f"b{i}", mass=mass)
        model.joint(f"s{i}", "prismatic", parent=parent, child=f"b{i}", axis=axis)
        parent = f"b{i}"
    return model


def test_massless_intermediate_bodies() -> None:
    gantry((1, 0, 0), (0, 1, 0), (0, 0, 1), masses=(0, 0, 1)).validate()
    gantry((1, 0, 0), (1, 0, 0), masses=(1, 1)).validate()
    with pytest.raises(ModelError, match="coordinate 's0' carries no inertia"):
        gantry((1, 0, 0), (1, 0, 0), masses=(0, 1)).validate()
    with pytest.raises(ModelError, match="coordinate 's1' carries no inertia"):
        gantry((1, 0, 0), (1, 0, 0), masses=(1, 0)).validate()


def test_prescribed_motion_needs_no_inertia() -> None:
    model = gantry((1, 0, 0), masses=(0,))
    model.prescribed("s0")
    model.validate()


def test_long_chains_are_regular() -> None:
    model = Model("chain")
    parent = "world"
    for i in range(150):
        model.body(f"b{i}", mass=1, com=(0, 0, -0.5))
        model.joint(
            f"j{i}",
            "revolute",
            parent=parent,
            child=f"b{i}",
            axis=(0, 1, 0),
            placement=(0, 0, -1 if i else 0),
        )
        parent = f"b{i}"
    model.validate()


@pytest.mark.parametrize(
    "body",
    [
        {"mass": 1e200, "com": (1e200, 0, 0)},
        {"mass": 1e300, "inertia": (1e300, 1e300, 1e300), "com": (1e3, 0, 0)},
        {"mass": 2**1023, "com": (2**1023, 0, 0)},
        {"mass": 1e-320, "com": (1e-320, 0, 0), "inertia": (1e-320, 1e-320, 1e-320)},
    ],
)
@pytest.mark.parametrize("kind", ["floating", "planar", "spherical", "screw"])
def test_numbers_at_the_edge_of_doubles(body: dict[str, Any], kind: str) -> None:
    model = Model("m")
    model.body("a", mass=1, inertia=(1, 1, 1))
    model.joint("i", "revolute", parent="world", child="a", axis=(1, 0, 0))
    model.body("b", **body)
    more = {"axis": (1, 1, 0), "pitch": 1} if kind == "screw" else {}
    model.joint("j", kind, parent="a", child="b", placement=(1e100, 0, 0), **more)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match=r"double precision|finite|no inertia"):
        model.validate()
