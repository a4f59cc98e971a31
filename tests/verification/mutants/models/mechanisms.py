"""Joints, placements, constraints and motions given from outside, of every kind, small."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from eomc.derive.model import Model, Placement, Point

_INERTIA = (0.31, 0.42, 0.23, 0.02, -0.03, 0.01)
_THERE = Placement(xyz=(0.2, -0.1, 0.3), rpy=(0.3, -0.5, 0.7))


def _bodies(name: str, count: int) -> Model:
    model = Model(name, gravity=(0.3, -0.4, -9.81))
    for k in range(count):
        model.body("abc"[k], mass=1.3 - 0.3 * k, com=(0.1, -0.2, 0.3 - 0.1 * k), inertia=_INERTIA)
    return model


def _held(kind: str, joint: str = "floating", **more: Any) -> Callable[[], Model]:
    """A hinged body and a free one between which a constraint stands."""

    def make() -> Model:
        model = _bodies(kind, 2)
        model.joint("hinge", "revolute", parent="world", child="a", axis=(0, 0.6, 0.8))
        model.joint("free", joint, parent="world", child="b")
        model.constraint("held", kind, **more)
        return model

    return make


_A, _B = Point("b", (0.1, 0.2, 0)), Point("a", (0.5, 0, 0.1))


def _slides(name: str, kind: str, **more: Any) -> Callable[[], Model]:
    """Two slides and a hinge, whose coordinates a constraint joins."""

    def make() -> Model:
        model = _bodies(name, 3)
        model.joint("x", "prismatic", parent="world", child="a", axis=(1, 0, 0.2))
        model.joint("y", "prismatic", parent="a", child="b", axis=(0, 1, 0))
        model.joint("turn", "revolute", parent="b", child="c", axis=(0.6, 0, 0.8))
        model.constraint("tie", kind, **more)
        return model

    return make


def sleigh() -> Model:
    """A blade under a body in a plane."""
    model = _bodies("sleigh", 1)
    model.joint("ice", "planar", parent="world", child="a", axis=(0, 0.6, 0.8))
    model.constraint("blade", "knife_edge", a=Point("a", (0.2, 0.1, 0)), axis_a=(0.1, 0.8, -0.6))
    return model


def moored_sleigh() -> Model:
    """The same behind two cranks and their rod: a row of speeds before one of positions, which
    does not hold the speeds of the first."""
    model = _bodies("moored_sleigh", 3)
    for name, body, place in (("crank", "b", (0.2, 0, 0)), ("rocker", "c", (0.9, 0, 0.2))):
        model.joint(
            name, "revolute", parent="world", child=body, axis=(0, 0.6, 0.8), placement=place
        )
    model.joint("ice", "planar", parent="world", child="a", axis=(0, 0.6, 0.8))
    model.constraint("blade", "knife_edge", a=Point("a", (0.2, 0.1, 0)), axis_a=(0.1, 0.8, -0.6))
    model.constraint(
        "rod", "distance", a=Point("c", (0.1, 0.3, 0)), b=Point("b", (0.5, 0, 0.1)), length=0.9
    )
    return model


def wheel() -> Model:
    """A disc that rolls on a plane which turns."""
    model = _bodies("wheel", 2)
    model.joint("table", "revolute", parent="world", child="a", axis=(0, 0.6, 0.8))
    model.joint("free", "floating", parent="world", child="b")
    model.constraint(
        "roll",
        "rolling",
        a="b",
        b="a",
        axis_a=(0, 1, 0.1),
        axis_b=(0.1, 0, 1),
        length="0.4 + 0.01*sin(t)",
    )
    return model


def in_a_drum() -> Model:
    """A ball that rolls in a drum which turns."""
    model = _bodies("in_a_drum", 2)
    model.joint("drum", "revolute", parent="world", child="a", axis=(1, 0, 0))
    model.joint("free", "floating", parent="world", child="b")
    model.constraint(
        "roll",
        "rolling_contact",
        shape={"kind": "sphere", "at": "b", "radius": 0.2},
        surface={"kind": "cylinder", "at": "a", "radius": 1.0, "axis": (1, 0, 0), "side": "inside"},
    )
    return model


def placed() -> Model:
    """Placements of all words; a locked joint, one that follows, a weld, a rotor."""
    model = _bodies("placed", 3)
    model.parameter("tilt", 0.3, tunable=True)
    model.body("d", mass=0.4, com=(0.1, 0.1, 0), inertia=_INERTIA, inertia_about="origin")
    model.body("e", mass=0.2, com=(0, 0.1, 0.1))
    model.joint(
        "one",
        "revolute",
        parent="world",
        child="a",
        axis=(0, 1, 0),
        rotor_inertia=0.01,
        gear_ratio=9,
        placement=Placement(rpy=("tilt", 0.1, "2*tilt")),
    )
    model.joint(
        "two",
        "revolute",
        parent="a",
        child="b",
        axis=(0.1, 0.3, 1),
        placement=Placement(quaternion=(0.5, 0.1, -0.3, 0.7)),
    )
    turned = ((0, -1, 0), (0.6, 0, -0.8), (0.8, 0, 0.6))
    model.joint(
        "weld",
        "fixed",
        parent="b",
        child="c",
        placement=Placement((0.1, 0, 0.2)),
        child_placement=Placement((0, 0.1, 0), rotation=turned),
    )
    model.joint(
        "like",
        "revolute",
        parent="c",
        child="d",
        axis=(0, 0, 1),
        placement=_THERE,
        mimic={"joint": "two", "multiplier": -0.5, "offset": 0.2},
    )
    model.joint(
        "held", "cylindrical", parent="d", child="e", axis=(0, 0.6, 0.8), locked=(0.3, -0.1)
    )
    model.output("told", "sin(one)*two + tilt*speed(one)")
    return model


def _given(name: str, kind: str, **more: Any) -> Callable[[], Model]:
    """A joint of some kind whose coordinates are all given, between a hinge and a slide."""

    def make() -> Model:
        model = _bodies(name, 3)
        model.joint("hinge", "revolute", parent="world", child="a", axis=(0, 1, 0))
        model.joint("given", kind, parent="a", child="b", placement=_THERE, **more)
        model.joint("slide", "prismatic", parent="b", child="c", axis=(0.6, 0, 0.8))
        model.prescribed("given")
        return model

    return make


def _closed(kind: str, **more: Any) -> Callable[[], Model]:
    """A hinged bar whose end a joint holds to a free body; it is cut and rubs."""

    def make() -> Model:
        model = _bodies(kind, 2)
        model.joint("hinge", "revolute", parent="world", child="a", axis=(0, 0.6, 0.8))
        model.joint("free", "floating", parent="world", child="b")
        model.joint(
            "end",
            kind,
            parent="a",
            child="b",
            placement=_THERE,
            cut=True,
            child_placement=(0.1, 0.2, 0),
            **more,
        )
        return model

    return make


_LOSSES = {"damping": 0.2, "friction": 0.3, "friction_speed": 0.5}


def _worn(name: str, kind: str, *bearings: dict[str, float]) -> Callable[[], Model]:
    """The same with bearings, whose friction depends on what the joint carries."""

    def make() -> Model:
        model = _closed(kind, axis=(0, 0.6, 0.8), **_LOSSES)()
        model.name = name
        for k, sizes in enumerate(bearings):
            model.bearing(f"rub{k}", speed="end", friction=0.2, slip_speed=0.5, preload=2, **sizes)
        return model

    return make


def hanging() -> Model:
    """A cable under its own weight between two bodies."""
    model = _bodies("hanging", 2)
    model.joint("x", "prismatic", parent="world", child="a", axis=(1, 0, 0))
    model.joint("turn", "revolute", parent="a", child="b", axis=(0, 1, 0.2))
    model.catenary(
        "line",
        a=Point("b", (0.4, 0.1, 0.2)),
        b=Point("world", (4, 1, 0.5)),
        length=7,
        weight=1.2,
        modulus=900,
        area=0.5,
    )
    return model


MODELS: dict[str, Callable[[], Any]] = {
    "coincident": _held("coincident", a=_A, b=_B),
    "rod_between": _held("distance", "translational", a=_A, b=_B, length="0.7 + 0.1*sin(t)"),
    "led_point": _held(
        "point_location", "translational", a=_A, b=_B, position=("0.1*sin(t)", 0, "0.2 + 0.3*t")
    ),
    "turned": _held(
        "orientation",
        "spherical",
        a="b",
        b="a",
        rotation=Placement(rpy=("0.2*t", 0.3, "0.1*cos(t)")),
        frame_a=Placement(rpy=(0, 0.4, 0)),
    ),
    "on_plane": _held(
        "point_on_plane", "translational", a=_A, b=_B, axis_b=(0.6, 0, 0.8), offset="0.1*t"
    ),
    "on_surface": _held(
        "point_on_surface",
        "translational",
        a=_A,
        b=_B,
        expression="z - x**2 + 0.3*x*y - 0.1*sin(t)",
    ),
    "parallel": _held(
        "parallel", "spherical", a="b", b="a", axis_a=(1, 0, 0.2), axis_b=(0, 0.6, 0.8)
    ),
    "geared": _slides(
        "geared", "coupling", first="x", second="turn", ratio=0.3, offset="0.1*cos(t)"
    ),
    "curved": _slides("curved", "expression", expression="x**2 + sin(turn) - y + 0.1*t"),
    "steered": _slides(
        "steered", "velocity", expression="speed(x)*sin(turn) - speed(y)*cos(turn) + 0.2"
    ),
    "sleigh": sleigh,
    "moored_sleigh": moored_sleigh,
    "disc_on_table": wheel,
    "in_a_drum": in_a_drum,
    "placed": placed,
    "given_slide": _given("given_slide", "prismatic", axis=(0, 0.6, 0.8)),
    "given_cylinder": _given("given_cylinder", "cylindrical", axis=(0.1, 0.6, 0.8)),
    "given_screw": _given("given_screw", "screw", axis=(0, 0.6, 0.8), pitch=0.2),
    "given_plane": _given("given_plane", "planar", axis=(0, 0.6, 0.8)),
    "given_universal": _given("given_universal", "universal", axis=(0, 0.6, 0.8), axis_2=(1, 0, 0)),
    "given_turns": _given("given_turns", "spherical_euler", sequence="xzy"),
    "cut_ball": _closed("spherical"),
    "cut_hinge": _closed("revolute", axis=(0, 0.6, 0.8), **_LOSSES),
    "cut_slide": _closed("prismatic", axis=(0, 0.6, 0.8), **_LOSSES),
    "cut_screw": _closed("screw", axis=(0, 0.6, 0.8), pitch=0.3),
    "cut_cylinder": _closed("cylindrical", axis=(0.48, 0.6, 0.64), damping=(0.1, 0.2)),
    "cut_plane": _closed("planar", axis=(0.48, 0.6, 0.64), damping=(0.1, 0.2, 0.3)),
    "cut_universal": _closed(
        "universal", axis=(0, 0.6, 0.8), axis_2=(0.3, 0.8, -0.4), damping=(0.1, 0.2)
    ),
    "cut_string": _closed("involute", axis=(0, 0.6, 0.8), radius=0.2),
    "worn_hinge": _worn(
        "worn_hinge", "revolute", {"radius": 0.1, "span": 0.3, "collar": 0.15}, {"radius": 0.2}
    ),
    "worn_slide": _worn("worn_slide", "prismatic", {"span": 0.8, "width": 0.5}),
    "hanging": hanging,
}
