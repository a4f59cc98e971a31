"""Points and directions of elements in a declared frame: the same as in the axes of its body."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from dynamics.evaluation import value

import eomc
from eomc.derive.language.errors import ModelError
from eomc.derive.picture.picture import picture
from eomc.derive.placement.placement import Placement, Point
from eomc.verifier.witness.declaration import mechanism
from eomc.verifier.witness.newton_euler import NewtonEuler

TIP = Placement(xyz=(0.1, 0.02, -0.03), rpy=(0.3, -0.2, 0.5))
PULL = (0.4, -0.3, 0.8)
OFFSET = (0.01, 0.0, 0.02)


@cache
def foot(in_frame: bool) -> eomc.Model:
    """A leg in flight with a round sole at its toe, a force and a cable there."""
    model = eomc.Model("foot", gravity=(0, 0, -9.81))
    model.body("leg", mass=2, com=(0, 0, -0.2), inertia=(0.05, 0.06, 0.02, 0.001, 0, 0))
    model.joint("base", "floating_euler", parent="world", child="leg")
    model.body("toe", mass=0.3, com=(0.05, 0, 0), inertia=(0.001, 0.002, 0.002, 0, 0, 0))
    model.joint(
        "ankle", "revolute", parent="leg", child="toe", axis=(0, 1, 0), placement=(0, 0, -0.4)
    )
    if in_frame:
        model.frame("tip", body="toe", placement=TIP)
        at, sole, along = Point("tip", OFFSET), "tip", PULL
    else:
        turn = np.array(TIP.matrix, dtype=float)
        at = Point("toe", TIP.point(OFFSET))
        sole = {"body": "toe", "xyz": TIP.xyz, "rpy": (0.3, -0.2, 0.5)}
        along = tuple(turn @ PULL)
    model.contact(
        "sole",
        shape={"kind": "disc", "at": sole, "radius": 0.05},
        surface={"kind": "plane", "at": "world"},
        normal={"kind": "spring", "stiffness": 1e4, "dissipation": 0.5},
    )
    model.force("pull", at=at, direction=along, frame="body", magnitude=4)
    model.cable("rope", route=["world", at], modulus=1e5, area=1e-4, length=0.3)
    return model


def states() -> dict[str, np.ndarray]:
    """A toe in the ground."""
    rng = np.random.default_rng(3)
    q, u, a = rng.uniform(-0.4, 0.4, (3, 7))
    q[2] = 0.35
    return {"q": q, "u": u, "a": a}


def test_a_frame_stands_for_its_place_in_the_body() -> None:
    found, expected = (
        value(eomc.equations(foot(given)), "inverse_dynamics", **states())
        for given in (True, False)
    )
    assert np.abs(expected).max() > 100  # the sole touches
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_the_witness_reads_frames_by_itself() -> None:
    none = np.zeros(0)
    at = states() | {"t": np.array(0.0), "r": none, "s": none, "s_rate": none}
    expected, size = NewtonEuler(
        mechanism(foot(True)), at | {"s_acceleration": none}
    ).inverse_dynamics()
    found = value(eomc.equations(foot(True)), "inverse_dynamics", **states())
    assert np.abs(found - expected).max() <= 1e-11 * size.max()


def test_the_reduced_model_keeps_the_frame() -> None:
    reduced = foot(True).reduced()
    assert reduced.frames["tip"].body == "toe" and set(reduced.bodies) == {"leg", "toe"}
    assert reduced.contacts["sole"].shape.at.body == "toe"


def test_a_frame_is_fixed_in_a_body_alone() -> None:
    model = foot(True).copy()
    model.frame("further", body="tip")
    with pytest.raises(ModelError, match="frame 'further': unknown body 'tip'"):
        model.validate()


def test_what_is_drawn_stands_at_the_frame() -> None:
    model = foot(True).copy()
    model.visual("cap", body="tip", shape={"kind": "sphere", "radius": 0.02})
    (cap,) = (shape for shape in picture(model)["shapes"] if shape.get("name") == "cap")
    assert cap["body"] == "toe" and cap["placement"]["xyz"] == pytest.approx(TIP.xyz)
