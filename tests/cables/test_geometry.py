"""Lengths, tangents and wraps against printed values and shortest paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import eomc
from eomc.derive.placement.placement import Point

CENTER = {"body": "world", "xyz": (0.4, 1.2, 0)}
Z = (0, 0, 1)


def outputs(*cables: tuple[str, list[Any]], point: Any = (1.7, 0.3, 0)) -> dict[str, float]:
    """What the cables tell that end at a point of a body."""
    model = eomc.Model("plane", gravity=(0, 0, 0))
    model.body("load", mass=1)
    model.joint("slide", "translational", parent="world", child="load")
    for name, route in cables:
        model.cable(name, route, length=1, modulus=1)
    return eomc.build(model).outputs(point, (0, 0, 0))


def winch(sense: int, **given: Any) -> dict[str, Any]:
    return {
        "kind": "winch",
        "at": CENTER,
        "axis": Z,
        "radius": 0.25,
        "sense": sense,
        "zero": (1, 0, 0),
        **given,
    }


def test_circle_and_point() -> None:
    pulley = {"kind": "pulley", "at": CENTER, "axis": Z, "radius": 0.25, "sense": -1}
    start = Point("world", (-0.9, 0.1, 0))
    told = outputs(
        ("right", [winch(-1), "load"]),
        ("left", [winch(1), "load"]),
        ("over", [start, pulley, "load"]),
        ("round", [start, pulley | {"turns": 3}, "load"]),
    )
    near = lambda value: pytest.approx(value, abs=1e-14)  # noqa: E731
    assert told["right.length"] == near(1.5612494995995994) == told["left.length"]
    # The rest length is 1 + s r gamma, s = +1 where the cable leaves to the right hand.
    assert told["right.rest_length"] == near(1 + 0.25 * -0.7643248782507307)
    assert told["left.rest_length"] == near(1 - 0.25 * -0.4467644489592093)
    assert told["over.wrap_1"] == near(1.6139193622947774)
    assert told["over.length"] == near(3.6492173929655953)
    assert told["round.length"] == near(3.6492173929655953 + 6 * np.pi * 0.25)


BELTS = [
    ((-1, -1), 2.0591260281974, 0.1964524955480127),
    ((1, 1), 2.0591260281974, 0.2935048307057156),
    ((-1, 1), 2.0, 0.0),
    ((1, -1), 2.0, 0.4899573262537283),
]


@pytest.mark.parametrize(("senses", "length", "gamma"), BELTS)
def test_circle_and_circle(senses: tuple[int, int], length: float, gamma: float) -> None:
    first, second = (
        {
            "kind": "winch",
            "at": {"body": "world", "xyz": xyz},
            "axis": Z,
            "radius": r,
            "sense": s,
            "zero": (1, 0, 0),
        }
        for xyz, r, s in (((0, 0, 0), 0.3, senses[0]), ((2, 0.5, 0), 0.2, senses[1]))
    )
    second["zero"] = (-1, 0, 0)  # seen from there the cable goes the other way
    told = outputs(("belt", [first, second]), ("end", ["world", "load"]))
    assert told["belt.length"] == pytest.approx(length, abs=1e-13)
    paid = -senses[0] * 0.3 * gamma + senses[1] * 0.2 * gamma
    assert told["belt.rest_length"] == pytest.approx(1 + paid, abs=1e-13)


@pytest.mark.parametrize(("senses", "length", "gamma"), BELTS)
def test_blocks_in_one_plane(senses: tuple[int, int], length: float, gamma: float) -> None:
    """The same circles, in blocks that swivel about parallel axes: the drum of the second, seen
    from its side, turns the other way."""
    first, second = (
        {
            "kind": "winch",
            "at": {"body": "world", "xyz": xyz},
            "swivel": (0, 1, 0),
            "radius": r,
            "sense": s,
        }
        for xyz, r, s in (((0, 0, 0), 0.3, senses[0]), ((2, 0.5, 0), 0.2, -senses[1]))
    )
    told = outputs(("belt", [first, second]), ("end", ["world", "load"]))
    assert told["belt.length"] == pytest.approx(length, abs=1e-13)
    paid = -senses[0] * 0.3 * gamma + senses[1] * 0.2 * gamma
    assert told["belt.rest_length"] == pytest.approx(1 + paid, abs=1e-13)


def test_a_block_that_swivels() -> None:
    block = {
        "kind": "winch",
        "at": "world",
        "swivel": Z,
        "radius": 0.07,
        "sense": -1,
        "offset": 0.1,
        "height": 0.05,
    }
    told = outputs(("rope", [block, "load"]), point=(0.6, 0.5, 0.9))
    assert told["rope.length"] == pytest.approx(1.086919963236423, abs=1e-14)
    assert told["rope.rest_length"] == pytest.approx(1 + 0.07 * 0.8310071980404024, abs=1e-14)


@pytest.mark.parametrize("sense", [1, -1])
def test_the_cable_leaves_at_a_right_angle_to_the_radius(sense: int) -> None:
    """The tangent point found by the root of (t - c).(x - t) on the quarter that `sense` names."""
    rng, center = np.random.default_rng(5), np.array([0.4, 1.2])
    for _ in range(4):
        d = rng.uniform(0.4, 2, 2) * rng.choice([-1, 1], 2)
        told = outputs(("rope", [winch(sense), "load"]), point=(*(center + d), 0))

        def slant(angle: float, d: Any = d) -> float:
            on = 0.25 * np.array([np.cos(angle), np.sin(angle)])
            return float(on @ (d - on))

        toward = np.arctan2(d[1], d[0])
        angle = brentq(slant, toward, toward - sense * np.pi / 2, xtol=1e-14)
        on = 0.25 * np.array([np.cos(angle), np.sin(angle)])
        assert sense * (on[0] * d[1] - on[1] * d[0]) > 0
        assert told["rope.length"] == pytest.approx(np.hypot(*(d - on)), abs=1e-13)
