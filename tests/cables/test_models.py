"""Ready models with cables: structure matrix, sway, ratios of tackles, a mast in equilibrium."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import eomc
from eomc.systems.cables import mast, planar_robot, tackle, tower_crane
from eomc.systems.cables.planar_robot import CORNERS, PLATFORM


def test_the_robot_has_the_structure_matrix_of_its_pose() -> None:
    """Lengths and the null vector, as they were computed from the unit vectors of the cables."""
    model = eomc.build(planar_robot(), functions=["constraint_residual", "constraint_jacobian"])
    lengths = [2.865298733298204, 2.421345179226997, 1.8752665287971364, 2.557834267754611]
    free = [math.dist(a, b) for a, b in zip(CORNERS, PLATFORM, strict=True)]
    drums = (np.array(free) - lengths) / 0.05
    q = np.array([0.4, 0.3, 0.1, *drums])
    assert model.constraint_residual(q) == pytest.approx(np.zeros(4), abs=1e-14)
    structure = -np.asarray(model.constraint_jacobian(q))[:, :3].T
    tensions = np.linalg.pinv(structure) @ [12, 90.1, 1.2]
    assert tensions == pytest.approx(
        [-37.8218554036, -31.5913326392, 32.6166606712, 24.7465505185], abs=1e-9
    )
    null = np.linalg.svd(structure)[2][3]
    assert null / null.sum() * 1.9801385870977968 == pytest.approx(
        [0.4019761340011886, 0.5068254628552828, 0.5975619380138479, 0.4737751240115089], abs=1e-7
    )


def test_the_elastic_robot_pulls_by_the_same_matrix() -> None:
    """Wound up by so much that the tensions are those that hold it, it stays."""
    stiffness = 1e9 * 1e-5
    model = eomc.build(planar_robot(modulus=1e9), functions=["forward_dynamics"])
    pose, tensions = np.array([0.4, 0.3, 0.1]), np.array([40.0, 60.0, 150.0, 120.0])
    turned = np.array([[math.cos(0.1), -math.sin(0.1)], [math.sin(0.1), math.cos(0.1)]])
    spans = np.array(CORNERS) - pose[:2] - np.array(PLATFORM) @ turned.T
    lengths = np.linalg.norm(spans, axis=1)
    along = spans / lengths[:, None]
    arms = np.array(PLATFORM) @ turned.T
    moments = arms[:, 0] * along[:, 1] - arms[:, 1] * along[:, 0]
    free = np.array([math.dist(a, b) for a, b in zip(CORNERS, PLATFORM, strict=True)])
    drums = (free - lengths / (1 + tensions / stiffness)) / 0.05
    a = model.forward_dynamics(np.array([*pose, *drums]), np.zeros(7), np.zeros(7), np.zeros(4))
    wanted = [*(tensions @ along / 10 - [0, 9.81]), tensions @ moments / 0.6]
    assert a[:3] == pytest.approx(wanted, rel=1e-9)
    # A winch feels the radius times the tension, times 1 + half the strain of what it lets go.
    torques = 0.05 * tensions * (1 + tensions / stiffness / 2)
    assert a[3:] == pytest.approx(-torques / 0.002, rel=1e-9)


def test_the_crane_sways_as_a_pendulum_under_a_free_trolley() -> None:
    """Two falls from one place are a pendulum: g/l across the jib, (g/l)(1 + m/M) along it."""
    model = tower_crane(load=50, trolley=200, fall=8)
    model.prescribed("slew")
    model.prescribed("drum")
    still = {name: lambda t: (0.0, 0.0, 0.0) for name in ("slew", "drum")}
    modes = eomc.linearize(eomc.build(model), prescribed=still).modes()
    found = sorted(value.imag for value in modes.eigenvalues if value.imag > 1e-3)
    assert found == pytest.approx([1.1073617295175051, 1.2380680514414384], abs=1e-9)


def test_a_turn_of_the_drum_lifts_the_hook_by_half_its_rope() -> None:
    model = eomc.build(tower_crane(radius=0.3), functions=["constraint_residual"])
    lifted = np.array([0.7, 3.0, 0.0, 0.0, math.pi * 0.3, 2 * math.pi])
    assert model.constraint_residual(lifted) == pytest.approx([0.0], abs=1e-12)


RAISE = (
    *(1.369107770624847, 0.7912076060140374, 0.6047587548948872, 0.5159528858493316),
    0.4659743135070242,
)
LOWER = (
    *(0.7304026910486456, 0.3083028556594551, 0.1721201130590995, 0.1072560673273121),
    0.0707515835937213,
)


@pytest.mark.parametrize("parts", [1, 2, 3, 4, 5])
def test_the_effort_at_a_tackle(parts: int) -> None:
    """Drawn steadily, far faster than the slip speed, its forces stand in the ratio of capstans."""
    built = eomc.build(tackle(parts, slip_speed=1e-9), functions=["inverse_dynamics"])
    free = eomc.build(tackle(parts, friction=0), functions=["inverse_dynamics"])
    for speed, expected in ((1.0, RAISE[parts - 1]), (-1.0, LOWER[parts - 1])):
        assert _effort(built, parts, speed) == pytest.approx(expected, rel=1e-12)
        assert _effort(free, parts, speed) == pytest.approx(1 / parts, rel=1e-12)


def _effort(model: Any, parts: int, speed: float) -> float:
    """Forces of the cable on the hand and on the load, by what moving them needs."""
    u = np.array([speed, -parts * speed])
    tau = model.inverse_dynamics(np.array([-1e-3, 0.0]), u, np.zeros(2))
    return float((9.81 - tau[1]) / (981.0 - tau[0]))


def test_a_mast_without_weight_is_in_equilibrium() -> None:
    """Force densities of a prism, stage by stage."""
    model = mast(3, gravity=0)
    built = eomc.build(model, functions=["inverse_dynamics", "neutral"])
    rest = np.zeros(built.nu)
    assert built.inverse_dynamics(built.neutral(), rest, rest) == pytest.approx(rest, abs=1e-9)
    moved = built.neutral() + 1e-3
    assert np.abs(built.inverse_dynamics(moved, rest, rest)).max() > 1e-3


@pytest.mark.parametrize("stages", [1, 2, 9])
def test_the_mast_has_so_many_cables(stages: int) -> None:
    assert len(mast(stages).cables) == 12 * stages - 3
    assert len(mast(stages).bodies) == 3 * stages


@pytest.mark.parametrize("make", [lambda: tackle(0), lambda: mast(True), lambda: mast(0)])
def test_no_tackle_without_parts(make: Any) -> None:
    with pytest.raises(eomc.ModelError, match="whole number, at least 1"):
        make()


def test_the_rope_of_a_block_leaves_its_drum_along_a_tangent() -> None:
    """Lines of a picture: the way of the cable, then the circles."""
    model = eomc.Model("picture", gravity=(0, 0, 0))
    model.body("load", mass=1)
    model.joint("load", "translational", parent="world", child="load")
    z = (0, 0, 1)
    drum = {
        "kind": "winch",
        "at": "world",
        "axis": z,
        "radius": 0.3,
        "sense": -1,
        "zero": (1, 0, 0),
    }
    over = {
        "kind": "pulley",
        "at": {"body": "world", "xyz": (2, 0.5, 0)},
        "axis": z,
        "radius": 0.2,
        "sense": 1,
    }
    block = {
        "kind": "winch",
        "at": {"body": "world", "xyz": (1, 3, 0)},
        "swivel": z,
        "radius": 0.1,
        "sense": 1,
        "offset": 0.2,
        "height": 0.4,
    }
    model.cable("over", [drum, over, "load"], length=2, modulus=1)
    model.constraint("stay", "rope", route=["load", block], length=2)
    built = eomc.build(model, functions=["element_lines", "element_outputs"])
    told = built.picture()["lines"]
    assert [line["points"]["count"] for line in told] == [15, 25, 25, 2, 25]
    assert [line["points"]["first"] for line in told] == [0, 15, 40, 65, 67]
    load = np.array([3.5, 2.0, 0.7])
    points = np.split(built.element_lines(load), np.cumsum([15, 25, 25, 2]))
    line, first, second, stay, swivelled = points
    assert np.linalg.norm(line[0]) == pytest.approx(0.3)
    assert np.linalg.norm(line[1:14] - [2, 0.5, 0], axis=1) == pytest.approx(np.full(13, 0.2))
    assert (line[1] - line[0]) @ line[0] == pytest.approx(0, abs=1e-14)
    assert (line[1] - line[0]) @ (line[1] - [2, 0.5, 0]) == pytest.approx(0, abs=1e-14)
    assert line[-1] == pytest.approx(load)
    # What is drawn is as long as the cable, but for the polygon on the pulley.
    wrap = built.element_outputs(load, np.zeros(3))[4]
    chords = 2 * 0.2 * 12 * math.sin(wrap / 24)
    drawn = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    length = built.element_outputs(load, np.zeros(3))[2]
    assert drawn == pytest.approx(length - 0.2 * wrap + chords)
    assert np.linalg.norm(first, axis=1) == pytest.approx(np.full(25, 0.3))
    assert second.mean(axis=0)[2] == 0
    # In the plane of the block, which holds the load and the vertical through (1, 3).
    radial = (load - [1, 3, load[2]]) / np.linalg.norm(load[:2] - [1, 3])
    center = np.array([1, 3, 0]) + 0.2 * radial + [0, 0, 0.4]
    assert np.linalg.norm(swivelled - center, axis=1) == pytest.approx(np.full(25, 0.1))
    assert np.linalg.norm(stay[1] - center) == pytest.approx(0.1)
    assert (stay[1] - load) @ (stay[1] - center) == pytest.approx(0, abs=1e-14)


def test_cables_that_are_just_straight_do_not_hold_a_run_up() -> None:
    """Braces of the mast are without strain at its start: a run passes over their rounding."""
    model = eomc.build(mast(2, modulus=2e9, viscosity=5e6), functions=["forward_dynamics"])
    lean = {name: 0.5 for name in model.speeds if name.startswith("strut0_") and name.endswith("x")}
    run = eomc.simulate(model, u=lean, t_span=0.2, max_steps=400)
    assert run.t[-1] == 0.2
    assert 0 < run.statistics["switches"] < 100
