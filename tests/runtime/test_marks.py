"""Marks of joints and elements: where they stand, and along what."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.drawing.mark import ARROW, COIL, HINGE, SLIDE
from eomc.derive.elements import ForceElement
from eomc.derive.elements.element import record
from eomc.derive.elements.fields import AtPoint, point
from eomc.derive.equations.drawing import _of_element
from eomc.runtime.plot.stick_figure import StickFigure, stick_figure


@pytest.fixture(scope="module")
def cart() -> tuple[eomc.Trajectory, StickFigure]:
    """A pendulum on a cart with a spring to the wall, pushed at its tip in body axes."""
    model = eomc.Model("cart")
    model.body("cart", mass=1, inertia=(1, 1, 1))
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.body("rod", mass=1, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.1))
    model.joint("th", "revolute", parent="cart", child="rod", axis=(0, 1, 0))
    model.parameter("w", 2.0, tunable=True)
    wall = {"body": "world", "xyz": ("-w", 0, 0)}
    model.spring("k", a="cart", b=wall, stiffness=5, free_length=0.5)
    tip = {"body": "rod", "xyz": (0, 0, -1)}
    model.force("push", at=tip, direction=(0, 0, 2), frame="body")
    model.force("tow", at=tip, direction=("sin(th)", 0, 1))
    run = eomc.simulate(eomc.build(model), {"x": 0.3, "th": 0.6}, t=0.4, step=0.1)
    return run, stick_figure(run)


def _mark(figure: StickFigure, name: str, points: int) -> np.ndarray:
    """The one mark of an element with so many points."""
    (found,) = (
        mark
        for key, mark in figure.marks.items()
        if key.startswith(f"{name} ") and mark.shape[1] == points
    )
    return found


def test_a_spring_is_a_coil_between_its_ends(cart: tuple[eomc.Trajectory, StickFigure]) -> None:
    run, figure = cart
    coil = _mark(figure, "spring k", len(COIL.outline))
    zero = 0 * run.t
    assert coil[:, 0] == pytest.approx(np.column_stack([run["x"], zero, zero]), abs=1e-12)
    assert coil[:, -1] == pytest.approx(np.column_stack([zero - 2.0, zero, zero]), abs=1e-12)
    assert np.abs(coil[..., 2]).max() > 0.01  # the coil has a width


def test_a_hinge_stands_along_its_axis_and_a_slide_along_its_own(
    cart: tuple[eomc.Trajectory, StickFigure],
) -> None:
    """Equal extents to both sides of the joint, longest along the axis."""
    run, figure = cart
    centre = np.column_stack([run["x"], 0 * run.t, 0 * run.t])
    for name, mark, axis in (("joint th", HINGE, 1), ("joint x", SLIDE, 0)):
        points = _mark(figure, name, len(mark.outline)) - centre[:, None]
        extent = np.ptp(points, axis=1)
        assert np.all(np.argmax(extent, axis=1) == axis), name
        assert points.max(axis=1) + points.min(axis=1) == pytest.approx(0 * centre, abs=1e-3)


def test_a_force_in_body_axes_turns_with_the_body(
    cart: tuple[eomc.Trajectory, StickFigure],
) -> None:
    run, figure = cart
    arrow = _mark(figure, "force push", len(ARROW.outline))
    along = np.column_stack([np.sin(run["th"]), 0 * run.t, np.cos(run["th"])])
    tip = np.column_stack([run["x"], 0 * run.t, 0 * run.t]) - along
    assert arrow[:, 0] == pytest.approx(tip, abs=1e-12)
    shaft = arrow[:, 1] - arrow[:, 0]
    length = np.linalg.norm(shaft, axis=1, keepdims=True)
    assert shaft / length == pytest.approx(along, abs=1e-12)


def test_a_direction_that_changes_with_the_motion_is_not_drawn(
    cart: tuple[eomc.Trajectory, StickFigure],
) -> None:
    assert not any("tow" in name for name in cart[1].marks)


def test_marks_leave_a_plane_mechanism_in_its_plane(
    cart: tuple[eomc.Trajectory, StickFigure],
) -> None:
    _, figure = cart
    assert np.ptp(figure.points[:, 1]) < 1e-12 < np.ptp(_mark(figure, "joint th", 52)[..., 1])


def test_a_kind_of_ones_own_is_a_line_between_its_points() -> None:
    @record
    class Rope(ForceElement):
        a: AtPoint = point()
        b: AtPoint = point()

    Rope.word = "rope"
    ((word, name, mark, points, _),) = _of_element(Rope("r", a="hook", b="world"), {})
    assert (word, name, mark.spans, len(mark.outline)) == ("rope", "r", True, 2)
    assert [at.body for at in points] == ["hook", "world"]


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
    run = eomc.simulate(eomc.build(model), {"x": 0.0, "z": 0.0}, t=0.1, step=0.05)
    line = _mark(stick_figure(run), "constraint rod", 2)
    assert np.linalg.norm(line[:, 1] - line[:, 0], axis=1) == pytest.approx(np.ones(3))
