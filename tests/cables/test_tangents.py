"""Where a cable has no direction: a code in C, an exception with its name in Python."""

from __future__ import annotations

import numpy as np
import pytest

import eomc
from eomc.derive.model import Model
from eomc.runtime.model.errors import SimulationError

Z = (0, 0, 1)


def model(length: float = 1, sense: int = 1) -> Model:
    made = eomc.Model("inside", gravity=(0, -9.81, 0))
    made.body("drum", mass=1, inertia=(1, 1, 1))
    made.joint("drum", "revolute", parent="world", child="drum", axis=Z)
    made.body("load", mass=2)
    made.joint("at", "translational", parent="world", child="load")
    winch = {
        "kind": "winch",
        "at": "world",
        "axis": Z,
        "radius": 0.3,
        "sense": sense,
        "turn": "drum",
    }
    made.cable("hoist rope", [winch, "load"], length=length, modulus=1e3)
    return made


@pytest.mark.parametrize("small", [False, True])
def test_an_anchor_inside_the_drum(small: bool) -> None:
    built, zero = eomc.build(model(), small=small), np.zeros(4)
    states = np.tile([0, 0.4, 0.1, 0], (7, 1))
    assert np.isfinite(built.forward_dynamics(states, zero, zero)).all()
    states[5, 1] = 0.28  # within 0.3 m together with y
    said = r"forward_dynamics: no_tangent_of_hoist_rope at batch index \(5,\)"
    with pytest.raises(FloatingPointError, match=said):
        built.forward_dynamics(states, zero, zero)
    for name in ("potential_energy", "bias", "inverse_dynamics_derivatives", "element_outputs"):
        arguments = [{"q": states[5]}.get(word, zero) for word in built.inputs_of(name)]
        with pytest.raises(FloatingPointError, match=f"{name}: no_tangent_of_hoist_rope"):
            built.function(name)(*arguments)
    assert np.isfinite(built.kinetic_energy(states[5], zero))


@pytest.mark.parametrize(("length", "sense"), [(1, 1), (0, 1), (0, -1)])
def test_a_cable_that_is_wound_up_whole(length: float, sense: int) -> None:
    """A strain beyond that point would have the wrong sign: slack, without a word."""
    given = {"functions": ["bias", "element_outputs"]}
    built, zero = eomc.build(model(length, sense), **given), np.zeros(4)
    start = 3.0 * sense  # some of it is off the drum
    left, after = (
        built.outputs([turn, 0.4, 0.1, 0], zero)["hoist rope.rest_length"]
        for turn in (start, start + 1e-3)
    )
    whole = start - left / ((after - left) / 1e-3)  # the angle at which nothing is left
    for share, is_left in ((0.999, True), (1.001, False)):
        q = [start + share * (whole - start), 0.4, 0.1, 0]
        if is_left:
            assert np.isfinite(built.bias(q, zero)).all()
            continue
        with pytest.raises(FloatingPointError, match="bias: no_rest_length_of_hoist_rope"):
            built.bias(q, zero)


def test_a_run_into_the_drum_tells_which_cable() -> None:
    """It is slack, and the load falls."""
    with pytest.raises(SimulationError, match="no_tangent_of_hoist_rope") as caught:
        eomc.simulate(eomc.build(model(9)), {"at_y": 2.0}, t_span=[0, 1], method="rk4", step=0.01)
    assert caught.value.time == pytest.approx(np.sqrt(2 * 1.7 / 9.81), abs=0.02)


def test_ends_that_meet_and_an_anchor_on_a_swivel_axis() -> None:
    made = eomc.Model("meeting", gravity=(0, 0, 0))
    made.body("load", mass=2)
    made.joint("at", "translational", parent="world", child="load")
    made.cable("straight", ["world", "load"], length=1, modulus=1)
    block = {
        "kind": "winch",
        "at": {"body": "world", "xyz": (1, 0, 0)},
        "swivel": Z,
        "radius": 0.1,
        "sense": 1,
    }
    made.cable("block", [block, "load"], length=1, modulus=1)
    other = {
        "kind": "winch",
        "at": "load",
        "swivel": Z,
        "radius": 0.1,
        "sense": 1,
    }  # crossed: the circles overlap
    made.cable("pair", [block, other], length=1, modulus=1)
    built, zero = eomc.build(made, functions=["bias"]), np.zeros(3)
    places = (((0, 0, 0), "straight"), ((1, 0, 2), "block"), ((1.15, 0.02, 0), "pair"))
    for place, name in places:
        with pytest.raises(FloatingPointError, match=f"no_tangent_of_{name}"):
            built.bias(np.array(place, dtype=float), zero)
