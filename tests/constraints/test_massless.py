"""Bodies without mass in loops: passed by the tree, determined by the loop, held as distances, or
refused with a remedy."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import eomc
from eomc.derive.model import Model, ModelError, Point

_AXIS = (0, 0, 1)
_GUESS = {"c": 1.1, "r": 1.2}, {"c": 0.7}


def _feet(name: str) -> Model:
    model = Model(name, gravity=(0, -9.81, 0))
    for body, x, length in (("crank", 0.0, 1.0), ("rocker", 2.0, 1.5)):
        model.body(body, mass=2 * length, com=(length / 2, 0, 0), inertia=(0.2, 0.5, 0.6))
        model.joint(
            body[0], "revolute", parent="world", child=body, axis=_AXIS, placement=(x, 0, 0)
        )
    return model


def _with_body(mass: float, cut: bool = True) -> Model:
    model = _feet("bars")
    model.body("rod", mass=mass, com=(1, 0, 0), inertia=(mass, mass, mass))
    model.joint("b", "revolute", parent="crank", child="rod", axis=_AXIS, placement=(1, 0, 0))
    model.joint(
        "e",
        "revolute",
        parent="rod",
        child="rocker",
        axis=_AXIS,
        cut=cut,
        placement=(2, 0, 0),
        child_placement=(1.5, 0, 0),
    )
    return model


def _with_distance() -> Model:
    model = _feet("rod")
    ends = Point("crank", (1, 0, 0)), Point("rocker", (1.5, 0, 0))
    model.constraint("rod", "distance", a=ends[0], b=ends[1], length=2.0)
    return model


@pytest.mark.slow
def test_a_rod_without_mass_at_the_end_of_its_branch_is_a_distance() -> None:
    """M is singular, the equations with the loop are not."""
    held = eomc.assemble(eomc.build(_with_distance()), *_GUESS, fixed=["c", "speed(c)"])
    c, r = held.q
    along = np.array([2 + 1.5 * np.cos(r) - np.cos(c), 1.5 * np.sin(r) - np.sin(c)])
    turned = {"c": c, "r": r, "b": np.arctan2(along[1], along[0]) - c}
    bars = eomc.build(_with_body(0.0))
    bare = eomc.assemble(bars, turned, _GUESS[1], fixed=["c", "speed(c)"])
    assert not np.asarray(bars.mass_matrix(bare.q))[:, bars.speeds.index("b")].any()
    place = [bars.speeds.index(name) for name in ("c", "r")]
    assert bare.a[place] == pytest.approx(held.a, rel=1e-12)
    assert abs(held.multipliers[0]) == pytest.approx(np.hypot(*bare.multipliers), rel=1e-12)
    assert eomc.verify(_with_body(0.0), quick=True).ok


def test_a_rod_between_two_balls_is_refused() -> None:
    """Nothing holds or carries its turn about its own axis, whichever joint is cut."""
    model = Model("balls")
    for body in ("crank", "rocker"):
        model.body(body, mass=1, com=(0.1, 0, 0), inertia=(1, 1, 1))
    model.body("rod")
    model.joint("c", "revolute", parent="world", child="crank", axis=(0, 0, 1))
    model.joint("b", "spherical", parent="crank", child="rod", placement=(1, 0, 0))
    model.joint("e", "spherical", parent="rod", child="rocker", placement=(0, 0, 2))
    model.joint(
        "r", "revolute", parent="world", child="rocker", axis=(1, 0, 0), placement=(0, 0, 2)
    )
    with pytest.raises(ModelError, match=r"joint 'b': .*'b_wz' carries no inertia.*'distance'"):
        model.validate()


def test_what_no_constraint_determines_is_refused() -> None:
    """A pulley without mass that hangs in nothing."""
    model = Model("loose")
    for name, mass in (("weight", 1), ("pulley", 0)):
        model.body(name, mass=mass)
        model.joint(name, "prismatic", parent="world", child=name, axis=(0, 0, 1))
    model.constraint("rod", "distance", a=Point("world", (0, 0, 2)), b="weight", length=2.0)
    with pytest.raises(ModelError, match=r"'pulley' carries no inertia, and no constraint determ"):
        eomc.build(model)


def test_a_weight_on_two_rods_without_mass() -> None:
    """Four joints and three bodies; a parallelogram, l a = -g cos(theta)."""
    model = Model("swing", gravity=(0, -9.81, 0))
    for name, mass in (("crank", 0), ("coupler", 1), ("rocker", 0)):
        model.body(name, mass=mass, inertia=(mass, mass, mass))
    ends = ("world", "crank", "coupler", "rocker", "world")
    for parent, child in pairwise(ends):
        model.joint(
            f"{parent}_{child}",
            "revolute",
            parent=parent,
            child=child,
            axis=_AXIS,
            placement=(2 if parent == "coupler" else int(parent != "world"), 0, 0),
            child_placement=(2, 0, 0) if child == "world" else (0, 0, 0),
        )
    swing, theta = eomc.build(model), -1.0
    guess = {"world_crank": theta, "crank_coupler": -theta, "rocker_world": np.pi - theta}
    state = eomc.assemble(swing, guess, fixed=["world_crank", "speed(world_crank)"])
    assert state.a[0] == pytest.approx(-9.81 * np.cos(theta), rel=1e-12)


def test_a_rod_without_mass_is_passed_where_the_tree_may_choose() -> None:
    """The equations are those of the distance between its ends."""
    held = eomc.assemble(eomc.build(_with_distance()), *_GUESS, fixed=["c", "speed(c)"])
    passed = _with_body(0.0, cut=False)
    assert [joint.name for joint in passed.cuts()] == ["r"]
    c, r = held.q
    along = np.array([2 + 1.5 * np.cos(r) - np.cos(c), 1.5 * np.sin(r) - np.sin(c)])
    turned = np.arctan2(along[1], along[0])
    guess = {"c": c, "b": turned - c, "e": r - turned}
    state = eomc.assemble(eomc.build(passed), guess, _GUESS[1], fixed=["c", "speed(c)"])
    assert np.allclose(state.q, list(guess.values()), atol=1e-12)
    assert np.allclose([state.a[0], state.a.sum()], held.a, rtol=1e-10)


@pytest.mark.parametrize("out", ["revolute", "cylindrical"])
def test_a_cross_without_mass_turns_a_shaft(out: str) -> None:
    """Two shafts bent by beta: (J + J R^2) a = tau - J R R' w^2, w2 = R w,
    R = cos(beta) / (1 - sin(beta)^2 cos(theta)^2) (Hooke's joint)."""
    beta, moment, theta, w, tau = 0.4, 0.02, 0.7, 3.0, 1.5
    model = Model("shafts")
    for name in ("first", "second"):
        model.body(name, mass=2, inertia=(moment, 0.05, 0.05))
    model.body("cross")
    model.joint("in", "revolute", parent="world", child="first", axis=(1, 0, 0))
    model.joint("pin_1", "revolute", parent="first", child="cross", axis=(0, 1, 0))
    model.joint("pin_2", "revolute", parent="cross", child="second", axis=(0, 0, 1))
    model.joint(
        "out",
        out,
        parent="world",
        child="second",
        axis=(1, 0, 0),
        placement=eomc.Placement(rpy=(0, 0, beta)),
    )
    model.frame("end", body="second")
    assert [joint.name for joint in model.cuts()] == ["out"]
    shafts = eomc.build(model)
    state = eomc.assemble(
        shafts, {"in": theta, "pin_2": beta}, {"in": w}, tau={"in": tau}, fixed=["in", "speed(in)"]
    )
    below = 1 - (np.sin(beta) * np.cos(theta)) ** 2
    ratio = np.cos(beta) / below
    rate = -np.cos(beta) * np.sin(beta) ** 2 * np.sin(2 * theta) / below**2
    turning = shafts.frame("end").velocity(state.q, state.u)[3:]
    assert np.linalg.norm(turning) == pytest.approx(ratio * w, rel=1e-12)
    expected = (tau - moment * ratio * rate * w**2) / (moment * (1 + ratio**2))
    assert state.a[0] == pytest.approx(expected, rel=1e-10)


def test_a_tree_gets_no_advice_on_loops() -> None:
    model = Model("tree")
    model.body("bob", mass=0)
    model.joint("hinge", "revolute", parent="world", child="bob", axis=_AXIS)
    with pytest.raises(
        ModelError, match=r"rotor_inertia; inertia='ignore' derives what needs none, and .* alone$"
    ):
        eomc.equations(model)


def test_a_distance_is_a_rod_of_vanishing_mass() -> None:
    held = eomc.assemble(eomc.build(_with_distance()), *_GUESS, fixed=["c", "speed(c)"])
    c, r = held.q
    along = np.array([2 + 1.5 * np.cos(r) - np.cos(c), 1.5 * np.sin(r) - np.sin(c)])
    turned = {"c": c, "r": r, "b": np.arctan2(along[1], along[0]) - c}
    bars = eomc.build(_with_body(1e-7))
    light = eomc.assemble(bars, turned, _GUESS[1], fixed=["c", "speed(c)"])
    place = [bars.speeds.index(name) for name in ("c", "r")]
    assert np.allclose(light.q[place], held.q, atol=1e-9)
    assert np.allclose(light.a[place], held.a, rtol=1e-5)
    # The force in the rod: along it, on its end at the rocker.
    assert abs(held.multipliers[0]) == pytest.approx(np.hypot(*light.multipliers), rel=1e-5)


def test_a_rod_that_is_pressed_has_a_positive_multiplier() -> None:
    """A weight on a rod: M a + c = G^T lambda with the distance growing along +G."""
    model = Model("column", gravity=(0, 0, -9.81))
    model.body("weight", mass=3.0)
    model.joint("guide", "prismatic", parent="world", child="weight", axis=(0, 0, 1))
    foot, top = Point("world", (0, 0, -2)), Point("weight", (0, 0, 0))
    model.constraint("rod", "distance", a=foot, b=top, length=2.0)
    state = eomc.assemble(eomc.build(model), {"guide": 0.0})
    assert state.multipliers == pytest.approx([3.0 * 9.81])
