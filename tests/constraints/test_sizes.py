"""The same mechanism at any size and mass closes, is assembled and moves in the same way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from constraints.singular_mechanisms import AXIS, bar

import eomc
from eomc.runtime.record.trajectory import Trajectory

pytestmark = pytest.mark.variants

SIZES = (1e-6, 1e-3, 1e3)
Start = tuple[dict[str, float], dict[str, float]]


def four_bar(size: float) -> tuple[eomc.Model, Start]:
    model = eomc.Model("four_bar", gravity=(0, -9.81 * size, 0))
    for name, length in (("crank", 1.0), ("coupler", 2.0), ("rocker", 1.5)):
        bar(model, name, length, size, size)
    model.joint("a", "revolute", parent="world", child="crank", axis=AXIS)
    model.joint("b", "revolute", parent="crank", child="coupler", axis=AXIS, placement=(size, 0, 0))
    at = (2 * size, 0, 0)
    model.joint("d", "revolute", parent="world", child="rocker", axis=AXIS, placement=at)
    model.joint(
        "c",
        "revolute",
        parent="coupler",
        child="rocker",
        axis=AXIS,
        placement=at,
        child_placement=(1.5 * size, 0, 0),
        cut=True,
    )
    return model, ({"a": 1.0, "b": -0.5, "d": 1.5}, {"a": 2.0})


def slider_crank(size: float) -> tuple[eomc.Model, Start]:
    model = eomc.Model("slider_crank", gravity=(0, -9.81 * size, 0))
    for name, length in (("crank", 1.0), ("rod", 2.0)):
        bar(model, name, length, size, size)
    model.body("slider", mass=size)
    model.joint("crank", "revolute", parent="world", child="crank", axis=AXIS)
    model.joint("pin", "revolute", parent="crank", child="rod", axis=AXIS, placement=(size, 0, 0))
    model.joint("slider", "prismatic", parent="world", child="slider", axis=(1, 0, 0))
    model.joint(
        "end",
        "revolute",
        parent="rod",
        child="slider",
        axis=AXIS,
        placement=(2 * size, 0, 0),
        cut=True,
    )
    return model, ({"crank": 0.5, "pin": -0.7, "slider": 2.5 * size}, {"crank": 3.0})


def bowl(size: float) -> tuple[eomc.Model, Start]:
    """A point on a circle, whose lowest point is the neutral configuration; the length stands in an
    expression alone."""
    model = eomc.Model("bowl", gravity=(0, -9.81 * size, 0))
    model.parameter("r", size, units="m")
    model.body("cart", mass=size)
    model.body("point", mass=size)
    model.joint("x", "prismatic", parent="world", child="cart", axis=(1, 0, 0))
    model.joint("y", "prismatic", parent="cart", child="point", axis=(0, 1, 0))
    model.constraint("circle", "expression", expression="y - r + sqrt(r**2 - x**2)")
    return model, ({"x": 0.3 * size}, {"x": 0.5 * size})


def run(make: Callable[[float], tuple[eomc.Model, Start]], size: float, method: str) -> Trajectory:
    model, (q, u) = make(size)
    built = eomc.build(model)
    start = eomc.assemble(built, q, u)
    return eomc.simulate(
        built,
        start.q,
        start.u,
        t_span=(0, 1),
        step=0.1,
        method=method,
        rtol=1e-10,
        atol=1e-12 * min(size, 1.0),
    )


@pytest.mark.parametrize("make", [four_bar, slider_crank, bowl])
@pytest.mark.parametrize("size", SIZES)
def test_the_same_answers_in_any_size(
    make: Callable[[float], tuple[eomc.Model, Start]], size: float
) -> None:
    model, _ = make(1.0)
    assert eomc.equations(make(size)[0]).redundancy() == eomc.equations(model).redundancy()
    for method in ("DOP853", "dopri"):
        expected, found = run(make, 1.0, method), run(make, size, method)
        slides = [name in ("x", "y", "slider") for name in expected.coordinates]
        scale = np.where(slides, size, 1.0)
        assert np.abs(found.q / scale - expected.q).max() < 1e-7
        assert np.abs(found.u / scale - expected.u).max() < 1e-6
        gaps = found.model.constraint_residual(found.q)
        assert np.abs(gaps).max() < 1e-13 * size
        assert np.ptp(found.energy) < 1e-7 * found["kinetic_energy"].max()


@pytest.mark.parametrize("make", [four_bar, slider_crank, bowl])
@pytest.mark.parametrize("size", SIZES)
def test_an_open_loop_is_told_in_any_size(
    make: Callable[[float], tuple[eomc.Model, Start]], size: float
) -> None:
    """Open by a thousandth of its length."""
    model, (q, u) = make(size)
    built = eomc.build(model)
    start = eomc.assemble(built, q, u)
    assert np.abs(start.residual).max() < 1e-13 * size
    aside = start.q.copy()
    aside[-1] += 1e-3 * (size if make is not four_bar else 1.0)
    with pytest.raises(eomc.runtime.errors.ConstraintError, match="violates constraint"):
        eomc.simulate(built, aside, t_span=0.1)


def test_a_guess_finds_what_random_starts_miss() -> None:
    """The loop closes far from the neutral configuration only."""
    model = eomc.Model("far", gravity=(0, 0, 0))
    for name in "xy":
        model.body(name, mass=1.0)
        axis = (1.0, 0, 0) if name == "x" else (0, 1.0, 0)
        model.joint(name, "prismatic", parent="world", child=name, axis=axis)
    # atan is flat where it is far from its zero: Newton's method runs away.
    model.constraint("held", "expression", expression="atan(x - 1000) + y*0")
    with pytest.raises(eomc.ModelError, match=r"cannot be assembled.*\[\[initial_guess\]\]"):
        eomc.equations(model).redundancy()
    model.initial_guess("x", 999.5)
    assert eomc.equations(model).redundancy().freedoms == 1


def test_a_length_that_stands_in_an_expression_alone_is_found() -> None:
    model = eomc.Model("bowl", gravity=(0, -9.81, 0))
    for name, parent, axis in (("x", "world", (1, 0, 0)), ("y", "x", (0, 1, 0))):
        model.body(name, mass=1.0)
        model.joint(name, "prismatic", parent=parent, child=name, axis=axis)
    model.constraint("circle", "expression", expression="y - 1e-3 + sqrt(1e-6 - x**2)")
    built = eomc.build(model)
    start = eomc.assemble(built, {"x": 3e-4}, {"x": 0.1}, fixed="x")
    assert start.q == pytest.approx([3e-4, 1e-3 - np.sqrt(1e-6 - 9e-8)], rel=1e-12)
    with pytest.raises(eomc.runtime.errors.ConstraintError, match="violates constraint"):
        eomc.simulate(built, start.q + np.array([0.0, 1e-6]), t_span=0.1)
