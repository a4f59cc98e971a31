"""Rods that bend far: verification, files, what is held, stations, and what they warn of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.bodies import Rod
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model
from eomc.derive.rods.exponential import terms

QUICK = ("-O0",)

TEXT = """
name = "whip"
gravity = [0, 0, -9.81]
[[deformable]]
name = "rod"
form = "rod"
length = 1.3
mass_per_length = "0.7*(1 - x/4)"
EI = [1, 2]
GJ = 1.5
damping = 0.02
section_inertia = [0.03, 0.01, 0.02]
curvature = [0, 0.2, 0.4]
points = 3
[deformable.strains]
twist = 1
bend_z = { basis = "b-spline", degree = 1, knots = [0.4] }
[[joint]]
name = "hinge"
kind = "revolute"
parent = "world"
child = "rod"
axis = [0, 0.6, 0.8]
[[body]]
name = "bob"
mass = 0.4
com = [0.1, 0.02, 0]
[[joint]]
name = "tip"
kind = "attachment"
parent = "rod"
child = "bob"
at = 1.1
"""


def test_a_file_is_read_and_written() -> None:
    model = parse_toml(TEXT)
    assert model.coordinates == ("hinge", "rod_kx1", "rod_kz1", "rod_kz2", "rod_kz3")
    again = parse_toml(toml_text(model))
    assert again.deformables["rod"].given == model.deformables["rod"].given


@pytest.mark.slow
@pytest.mark.parametrize("order", [2, 4])
def test_verification_passes(order: int) -> None:
    """The witness multiplies 4x4 matrices and knows no column and no tangent."""
    model = parse_toml(TEXT.replace("points = 3", f"points = 3\norder = {order}"))
    report = eomc.verify(model, quick=True)
    assert report.ok, str(report)


def test_what_is_held_leaves_the_state() -> None:
    """A rod held at an angle is the rigid arc."""
    model = Model("arc", gravity=(0, 0, 0))
    model.deformable("rod", "rod", length=1, mass_per_length=1, EI=1, strains={"bend_z": 2},
                     held={"kz1": np.pi / 2, "kz2": 0})  # fmt: skip
    model.joint("hinge", "revolute", parent="world", child="rod", axis=(0, 0, 1))
    model.attachment("tip", body="rod", at="tip")
    built = eomc.build(model, functions=("frame_tip_pose", "center_of_mass"), flags=QUICK)
    assert model.coordinates == ("hinge",)
    radius = 2 / np.pi
    place = np.asarray(built.frame_tip_pose([0.0]))[:3, 3]
    assert place == pytest.approx([radius, radius, 0], abs=1e-14)
    middle = np.asarray(built.center_of_mass([0.0]))
    expected = [radius * 2 / np.pi, radius * (1 - 2 / np.pi), 0]
    assert middle == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("at", "words"),
    [(-0.1, "lies outside"), (1.4, "lies outside"), ("middle", "give 'root', 'tip' or")],
)
def test_a_station_off_the_rod_is_refused(at: Any, words: str) -> None:
    given = f'"{at}"' if isinstance(at, str) else at
    with pytest.raises(ModelError, match=words):
        parse_toml(TEXT.replace("at = 1.1", f"at = {given}")).validate()


def test_nothing_rides_along_a_rod() -> None:
    model = parse_toml(TEXT)
    model.body("bead", mass=1)
    with pytest.raises(ModelError, match="ride"):
        model.joint("ride", "track", parent="rod", child="bead")
        model.validate()


def test_mistakes_are_told_by_file_and_line() -> None:
    with pytest.raises(
        ModelError, match=r"whip.toml:4: deformable 'rod': component 'twist' needs GJ"
    ):
        parse_toml(TEXT.replace("GJ = 1.5\n", ""), "whip.toml")


def test_coupling_of_bending_and_twist() -> None:
    """S q' = load: a moment about z twists a strip whose stiffness couples both."""
    model = Model("strip", gravity=(0, 0, 0))
    model.input("M")
    model.deformable("rod", "rod", length=1, mass_per_length=1, EI=2, GJ=1,
                     section_inertia=(1e-3, 1e-3, 1e-3), coupling=[("twist", "bend_z", 0.3)],
                     strains={"twist": 1, "bend_z": 1}, points=3)  # fmt: skip
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.attachment("tip", body="rod", at="tip")
    model.torque("load", "tip", (0, 0, "M"))
    built = eomc.build(model, flags=QUICK)
    load = 1e-5
    found = eomc.equilibrium(built, inputs={"M": load}).q
    expected = np.linalg.solve([[1, 0.3], [0.3, 2]], [0, load])
    assert found == pytest.approx(expected, rel=1e-4)


def test_splines_of_degree_zero_are_constant_strains() -> None:
    pieces = {"basis": "b-spline", "degree": 0, "knots": [0.25, 0.5]}
    rod = Rod(length=1, mass_per_length=1, EI=1, strains={"bend_z": pieces})
    (_, basis) = rod.bases[0]
    assert [basis(s) for s in (0.1, 0.3, 0.9)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert np.diag(np.array(rod.stiffness, dtype=float)) == pytest.approx([0.25, 0.25, 0.5])


def test_the_series_are_long_enough() -> None:
    for reach in (0.5, 1.5, 3.0, 7.0):
        x, count = reach**2, terms(reach, 2)
        partial = sum((-x) ** k / float(np.prod(np.arange(1.0, 2 * k + 3))) for k in range(count))
        assert partial == pytest.approx((1 - np.cos(reach)) / x, abs=3e-15)
