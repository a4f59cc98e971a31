"""Links that a picture draws of bodies without visual shapes."""

from __future__ import annotations

from typing import Any

import pytest

import eomc
from eomc.derive.picture import picture


def shapes(model: eomc.Model, body: str | None, kind: str) -> list[dict[str, Any]]:
    found: dict[str, Any] = picture(model)
    return [
        shape for shape in found["shapes"] if (shape.get("body"), shape["kind"]) == (body, kind)
    ]


def lever(half: float, middle: float, axial: float = 1e-4) -> eomc.Model:
    """An even rod of so many metres to each side of its middle, with a joint at 0.3 m."""
    model = eomc.Model("lever")
    across = half**2 / 3
    model.body("a", mass=1, com=(middle, 0, 0), inertia=(axial, across, across))
    model.body("b", mass=0.3, com=(0, 0, -0.2), inertia=(0.004, 0.004, 0))
    model.joint("j", "revolute", parent="world", child="a", axis=(0, 1, 0))
    model.joint("k", "revolute", parent="a", child="b", axis=(0, 1, 0), placement=(0.3, 0, 0))
    return model


@pytest.mark.parametrize(
    ("model", "ends"),
    [
        (lever(0.4, 0.4), (0.0, 0.8)),  # beyond its last joint
        (lever(0.5, 0.2), (-0.3, 0.7)),  # on both sides
        (lever(0.15, 0.15), (0.0, 0.3)),  # between its joints
        (lever(0.4, 0.4, axial=0.1), (0.0, 0.3)),  # not slender: its shape is not known
    ],
)
def test_a_slender_bar_reaches_to_its_ends(model: eomc.Model, ends: tuple[float, float]) -> None:
    drawn = [shape[end][0] for shape in shapes(model, "a", "capsule") for end in "ab"]
    assert (min(drawn), max(drawn)) == pytest.approx(ends, abs=1e-6)


def test_a_body_that_carries_another_at_its_own_joint_reaches_to_its_mass() -> None:
    model = lever(0.4, 0.4)
    model.body("c", mass=1, com=(0, 0, -0.1), inertia=(0.5, 0.5, 0.5))
    model.joint("l", "revolute", parent="b", child="c", axis=(1, 0, 0))
    (bar,) = shapes(model, "b", "capsule")
    assert bar["b"] == [0, 0, -0.2]


@pytest.mark.parametrize("guess", [0.0, 0.7])
def test_a_rail_lies_where_its_loop_closes(guess: float) -> None:
    model = eomc.Model("slide")
    model.body("piston", mass=1)
    model.joint("slide", "prismatic", parent="world", child="piston", axis=(1, 0, 0))
    model.initial_guess("slide", guess)
    (rail,) = (shape for shape in shapes(model, None, "box") if shape["joint"] == "slide")
    assert rail["placement"]["xyz"] == [guess, 0, 0]
