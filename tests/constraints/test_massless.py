"""Rods without mass in loops: refused as bodies, with what to write instead; held as distances."""

from __future__ import annotations

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
        model.joint(body[0], "revolute", parent="world", child=body, axis=_AXIS,
                    placement=(x, 0, 0))  # fmt: skip
    return model


def _with_body(mass: float) -> Model:
    model = _feet("bars")
    model.body("rod", mass=mass, com=(1, 0, 0), inertia=(mass, mass, mass))
    model.joint("b", "revolute", parent="crank", child="rod", axis=_AXIS, placement=(1, 0, 0))
    model.joint("e", "revolute", parent="rod", child="rocker", axis=_AXIS, cut=True,
                placement=(2, 0, 0), child_placement=(1.5, 0, 0))  # fmt: skip
    return model


def _with_distance() -> Model:
    model = _feet("rod")
    ends = Point("crank", (1, 0, 0)), Point("rocker", (1.5, 0, 0))
    model.constraint("rod", "distance", a=ends[0], b=ends[1], length=2.0)
    return model


def test_a_body_without_mass_is_refused_with_what_to_write() -> None:
    with pytest.raises(ModelError, match=r"joint 'b'.*no inertia.*'distance'"):
        eomc.derive(_with_body(0.0))


def test_a_tree_gets_no_advice_on_loops() -> None:
    model = Model("tree")
    model.body("bob", mass=0)
    model.joint("hinge", "revolute", parent="world", child="bob", axis=_AXIS)
    with pytest.raises(ModelError, match=r"rotor_inertia$"):
        eomc.derive(model)


def test_a_distance_is_a_rod_of_vanishing_mass() -> None:
    held = eomc.assemble(eomc.build(_with_distance()), *_GUESS, held=["c", "speed(c)"])
    c, r = held.q
    along = np.array([2 + 1.5 * np.cos(r) - np.cos(c), 1.5 * np.sin(r) - np.sin(c)])
    turned = {"c": c, "r": r, "b": np.arctan2(along[1], along[0]) - c}
    bars = eomc.build(_with_body(1e-7))
    light = eomc.assemble(bars, turned, _GUESS[1], held=["c", "speed(c)"])
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
