"""Marks of joints and elements: where they stand, and along what."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import eomc
from eomc.derive.elements import ForceElement
from eomc.derive.fields.field import AtPoint, point, record
from eomc.derive.picture.marks import _of_element
from eomc.derive.picture.outline import Outline
from eomc.runtime.picture.placed import PlacedLine, PlacedPicture, Solid, placed
from eomc_published.pictures.models import quick_return


@pytest.fixture(scope="module")
def cart() -> tuple[eomc.Trajectory, PlacedPicture]:
    """A pendulum on a cart with a spring to the wall, pushed at its tip in body axes."""
    model = eomc.Model("cart")
    model.body("cart", mass=1, inertia=(1, 1, 1))
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    model.joint("th", "revolute", parent="cart", child="rod", axis=(0, 1, 0))
    model.parameter("w", 2.0, tunable=True)
    wall = {"body": "world", "xyz": ("-w", 0, 0)}
    model.spring("k", a="cart", b=wall, stiffness=5, free_length=0.5)
    model.spring("d", a="cart", b=wall, damping=5)
    tip = {"body": "rod", "xyz": (0, 0, -1)}
    model.force("push", at=tip, direction=(0, 0, 2), frame="body")
    model.force("tow", at=tip, direction=("sin(th)", 0, 1))
    run = eomc.simulate(eomc.build(model), {"x": 0.3, "th": 0.6}, t_span=0.4, step=0.1)
    return run, placed(run)


def _line(shown: PlacedPicture, name: str) -> PlacedLine:
    (found,) = (line for line in shown.lines if line.record.get("name") == name)
    return found


def _mark(shown: PlacedPicture, joint: str) -> Solid:
    (found,) = (s for s in shown.solids if s.record.get("joint") == joint and s.body != "world")
    return found


def test_a_spring_is_a_coil_between_its_ends_and_a_damper_a_cup(
    cart: tuple[eomc.Trajectory, PlacedPicture],
) -> None:
    run, shown = cart
    zero = 0 * run.t
    for name, kind in (("k", "spring"), ("d", "damper")):
        line = _line(shown, name)
        assert line.record["kind"] == kind
        first, last = line.points[:, 0], line.points[:, -1]
        assert first == pytest.approx(np.column_stack([run["x"], zero, zero]), abs=1e-12)
        assert last == pytest.approx(np.column_stack([zero - 2.0, zero, zero]), abs=1e-12)
        assert np.nanmax(np.abs(line.points[..., 1:])) > 0.01  # it has a width


def test_a_hinge_stands_along_its_axis_and_a_slide_along_its_own(
    cart: tuple[eomc.Trajectory, PlacedPicture],
) -> None:
    """Equal extents to both sides of the joint, longest along the axis."""
    run, shown = cart
    for joint, axis in (("th", 1), ("x", 0)):
        solid = _mark(shown, joint)
        centre = np.column_stack([run["x"], 0 * run.t, 0 * run.t])
        points = shown.at(solid.body, solid.faces.reshape(-1, 3)) - centre[:, None]
        extent = np.ptp(points, axis=1)
        assert np.all(np.argmax(extent, axis=1) == axis), joint
        assert points.max(axis=1) + points.min(axis=1) == pytest.approx(0 * centre, abs=1e-12)


def test_a_force_in_body_axes_turns_with_the_body(
    cart: tuple[eomc.Trajectory, PlacedPicture],
) -> None:
    run, shown = cart
    arrow = _line(shown, "push").points
    along = np.column_stack([np.sin(run["th"]), 0 * run.t, np.cos(run["th"])])
    tip = np.column_stack([run["x"], 0 * run.t, 0 * run.t]) - along
    assert arrow[:, 0] == pytest.approx(tip, abs=1e-12)
    shaft = arrow[:, 1] - arrow[:, 0]
    length = np.linalg.norm(shaft, axis=1, keepdims=True)
    assert shaft / length == pytest.approx(along, abs=1e-12)


def test_a_direction_that_changes_with_the_motion_is_not_drawn(
    cart: tuple[eomc.Trajectory, PlacedPicture],
) -> None:
    assert not any(line.record.get("name") == "tow" for line in cart[1].lines)


def test_marks_leave_a_plane_mechanism_in_its_plane(
    cart: tuple[eomc.Trajectory, PlacedPicture],
) -> None:
    _, shown = cart
    assert np.ptp(shown.skeleton[:, 1]) < 1e-12
    assert np.ptp(_mark(shown, "th").faces[..., 1]) > 0.01


def test_a_kind_of_ones_own_is_a_line_between_its_points() -> None:
    @record
    class Rope(ForceElement):
        a: AtPoint = point()
        b: AtPoint = point()

    Rope.word = "rope"
    (line,) = _of_element(Rope("r", a="hook", b="world"), Outline({}, radius=1.0), {})
    assert line["kind"] == "rod"
    assert line["ends"] == [["hook", [0, 0, 0]], ["world", [0, 0, 0]]]


def test_a_rod_without_mass_is_a_line() -> None:
    model = eomc.Model("rod")
    model.body("bob", mass=1)
    for axis, name in (((1, 0, 0), "x"), ((0, 0, 1), "z")):
        child = "bob" if name == "z" else "slide"
        if child == "slide":
            model.body(child)
        parent = "world" if name == "x" else "slide"
        model.joint(name, "prismatic", parent=parent, child=child, axis=axis)
    model.constraint("rod", "distance", a="bob", b={"body": "world", "xyz": (0, 0, 1)}, length=1)
    run = eomc.simulate(eomc.build(model), {"x": 0.0, "z": 0.0}, t_span=0.1, step=0.05)
    line = _line(placed(run), "rod").points
    assert np.linalg.norm(line[:, 1] - line[:, 0], axis=1) == pytest.approx(np.ones(3))


def test_gears_are_wheels_that_roll_and_slots_lie_on_their_bodies() -> None:
    """A pinion of 0.2 m on a wheel of 0.4 m, in whose pin a slotted rocker hangs; a slider on a
    plane of the world."""
    model = eomc.Model("gears")
    for name in ("pinion", "wheel", "rocker", "shoe"):
        model.body(name, mass=1, com=(0.05, 0, 0), inertia=(0.01, 0.01, 0.01))
    for name, child, place in (
        ("p", "pinion", (0, 0.1, 0)),
        ("w", "wheel", (0.6, 0, 0)),
        ("r", "rocker", (0.6, 0, -0.5)),
    ):
        model.joint(name, "revolute", parent="world", child=child, axis=(0, 1, 0), placement=place)
    model.joint("shoe", "floating", parent="world", child="shoe")
    model.constraint("mesh", "coupling", first="w", second="p", ratio=-0.5)
    pin, mouth = {"body": "wheel", "xyz": (0.15, 0, 0)}, {"body": "rocker", "xyz": (0.4, 0, 0)}
    model.constraint("slot", "point_on_line", a=pin, b=mouth, axis_b=(1, 0, 0))
    foot, floor = {"body": "shoe", "xyz": (0, 0, 0)}, {"body": "world", "xyz": (2, 0, 0)}
    model.constraint("floor", "point_on_plane", a=foot, b=floor, axis_b=(0, 0, 1))
    description = eomc.equations(model).program(functions=["poses"]).metadata["picture"]
    shown = {(s["name"], s["body"]): s for s in description["shapes"] if "element" in s}
    assert list(shown) == [
        ("mesh", "wheel"),
        ("mesh", "pinion"),
        ("slot", "rocker"),
        ("floor", None),
    ]
    assert [shown["mesh", body]["radius"] for body in ("wheel", "pinion")] == [0.4, 0.2]
    assert shown["slot", "rocker"]["placement"]["xyz"] == [0.4, 0, 0]
    plate = shown["floor", None]
    assert plate["placement"] == {"xyz": [2, 0, 0], "quaternion": [1, 0, 0, 0]}
    # No bar joins what a constraint does not.
    assert description["lines"] == []


@pytest.mark.parametrize("limits", [{}, {"lower": 0.2, "upper": 0.4}])
def test_a_slider_on_a_body_that_moves_runs_in_a_slot_of_it(limits: dict[str, float]) -> None:
    """Round the link along which it slides, or as far as it may go; in the mechanism's plane."""
    model = quick_return()[0]
    model.frame("end", body="rocker", placement=(0.5, 0, 0))
    slot = model.joints["slot"]
    model.joints["slot"] = replace(slot, **{k: (v,) for k, v in limits.items()})
    shown = eomc.equations(model).program(functions=["poses"]).metadata["picture"]
    (outline,) = (s for s in shown["shapes"] if s["kind"] == "line")
    assert (outline["body"], outline["joint"]) == ("rocker", "slot")
    points, r = np.array(outline["points"]), shown["radius"]
    low, high = limits.get("lower", 2.3 * r) - 4.3 * r, limits.get("upper", 0.5 - 2.3 * r) + 4.3 * r
    assert [points[:, 0].min(), points[:, 0].max()] == pytest.approx([low, high], abs=1e-6)
    assert np.abs(points[:, 1]).max() == pytest.approx(2 * r) and not points[:, 2].any()
    assert points[0].tolist() == points[-1].tolist()
    # The slider is its box, and nothing of its inertia.
    kinds = [s["kind"] for s in shown["shapes"] if s["body"] == "slider"]
    assert kinds == ["cylinder", "box"]
