"""Rigid contacts that stay closed, as constraints: their rows, their sites, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.language.errors import ModelError

RIGID = {"kind": "rigid", "restitution": 0}


def box(normal: Any = RIGID, friction: Any = None) -> eomc.Model:
    """2 kg on a plane, on its corners."""
    model = eomc.Model("box")
    model.body("box", mass=2, inertia=(0.1, 0.2, 0.3))
    model.joint("free", "floating", parent="world", child="box")
    shape = {"kind": "box", "at": "box", "half_sizes": (0.3, 0.2, 0.1)}
    model.contact("floor", shape, {"kind": "plane", "at": "world"}, normal, friction)
    return model


def test_three_corners_carry_the_weight() -> None:
    """Corners 2, 4 and 6 are below; by moments 6 and 4 have a half, 2 between them nothing."""
    closed = box().closed("floor_2", "floor_4", "floor_6")
    assert not closed.contacts and set(closed.constraints) == {"floor_2", "floor_4", "floor_6"}
    model = eomc.build(
        closed, functions=["inverse_dynamics", "constraint_jacobian"], flags=("-O0",)
    )
    rest = eomc.equilibrium(model, {"free_z": 0.1})
    assert np.allclose(rest.multipliers, [0, 9.81, 9.81], atol=1e-9)


def test_what_sticks_rolls() -> None:
    closed = box(friction={"kind": "dry", "kinetic": 0.5}).closed("floor_8")
    assert closed.constraints["floor_8"].kind == "rolling_contact"


@pytest.mark.parametrize(
    ("model", "name", "message"),
    [
        (box(), "flor", "model 'box': no contact 'flor'; did you mean 'floor'"),
        (box({"kind": "spring", "stiffness": 1}), "floor", "contact 'floor': is not rigid"),
        (
            box(friction={"kind": "coulomb", "coefficient": 1}),
            "floor",
            "contact 'floor': slides with friction \\(coulomb\\)",
        ),
    ],
)
def test_mistakes(model: eomc.Model, name: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        model.closed(name)


def test_a_site_that_there_is_not() -> None:
    with pytest.raises(ModelError, match="site is 9; the box has 8"):
        box().closed("floor_9").validate()
