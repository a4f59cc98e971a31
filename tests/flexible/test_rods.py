"""Rods that bend far: verification, files, what is held, stations, and what they warn of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import eomc
from eomc.derive.bodies import Rod
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model
from eomc.derive.rods.exponential import terms
from eomc.runtime.model.validity import fold_limits, folding

QUICK = ("-O0",)

TEXT = """
name = "whip"
gravity = [0, 0, -9.81]
[[deformable]]
name = "rod"
kind = "rod"
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
bend_z = { kind = "b-spline", degree = 1, knots = [0.4] }
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
def test_verification_passes() -> None:
    """The witness multiplies 4x4 matrices and knows no column and no tangent."""
    model = parse_toml(TEXT.replace("points = 3", "points = 3\norder = 4"))
    report = eomc.verify(model, quick=True, states=3)
    assert report.ok, str(report)


def test_what_is_held_leaves_the_state() -> None:
    """A rod held at an angle is the rigid arc."""
    model = Model("arc", gravity=(0, 0, 0))
    model.deformable(
        "rod",
        "rod",
        length=1,
        mass_per_length=1,
        EI=1,
        strains={"bend_z": 2},
        fixed={"kz1": np.pi / 2, "kz2": 0},
    )
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
    model.deformable(
        "rod",
        "rod",
        length=1,
        mass_per_length=1,
        EI=2,
        GJ=1,
        section_inertia=(1e-3, 1e-3, 1e-3),
        coupling=[("twist", "bend_z", 0.3)],
        strains={"twist": 1, "bend_z": 1},
        points=3,
        radius=(0.5, 0.1),
    )
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.attachment("tip", body="rod", at="tip")
    model.torque("load", "tip", (0, 0, "M"))
    built = eomc.build(model, flags=QUICK)
    load = 1e-5
    found = eomc.equilibrium(built, inputs={"M": load})
    expected = np.linalg.solve([[1, 0.3], [0.3, 2]], [0, load])
    assert found.q == pytest.approx(expected, rel=1e-4)
    assert found.folding == {"rod": pytest.approx(0.5 * expected[1], rel=1e-4)}
    folds_while_it_turns(built)


def folds_while_it_turns(built: eomc.CompiledModel) -> None:
    """A section that reaches 0.5 m along y folds where the curvature about z is 2 / m: a strip that
    bends on from 1.9 / m does not from the start."""
    with pytest.warns(UserWarning, match=r"body 'rod' folds: .* comes to 1\.1, and from 1") as told:
        eomc.equilibrium(built, {"rod_kz1": 2.2}, solve_for=["tau(rod_kx1)", "tau(rod_kz1)"])
    assert len(told) == 1
    with pytest.warns(UserWarning, match=r"body 'rod' folds, from t = 0\.\d+ s: ") as told:
        run = eomc.simulate(built, q={"rod_kz1": 1.9}, u={"rod_kz1": 10.0}, t_span=0.1)
    assert len(told) == 1
    curved = 0.5 * np.abs(run["rod_kz1"])
    assert run.folding == {"rod": pytest.approx(curved.max(), rel=1e-12)}
    assert run.folding["rod"] > 1 > curved[0]


def test_sections_reach_as_far_as_their_inertia_tells() -> None:
    """Radii of gyration along y and z; stretch gives room; what is held counts as it is."""
    rod = Rod(
        length=2,
        mass_per_length="1 + x",
        EI=1,
        EA=1,
        strains={"bend_z": 2, "stretch": 1},
        section_inertia=(0.05, 0.01, "0.04*(1 + x)"),
        curvature=(0, 0.5, 0.25),
    )
    told = {}
    for held in ({}, {"kz2": 0.7, "stretch1": -0.6}):
        model = Model("told", gravity=(0, 0, 0))
        model.deformable("rod", rod, fixed=held)
        model.joint("clamp", "fixed", parent="world", child="rod")
        metadata = eomc.equations(model).program(functions=["neutral"]).metadata
        q = np.array([3.0, 0.7, -0.6])[: len(model.coordinates)]
        told[len(q)] = folding(metadata, model.coordinates, q)["rod"]
        assert fold_limits(metadata)[0].startswith("body 'rod' may be bent and shortened until")
    tip = np.hypot(0.2 * (0.25 + 3.7 / 2), np.sqrt(0.01 / 3) * 0.5)
    root = np.hypot(0.2 * (0.25 + 2.3 / 2), 0.1 * 0.5)
    assert told == {3: pytest.approx(max(tip, root) + 0.6), 1: pytest.approx(max(tip, root) + 0.6)}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"radius": -1}, "radius is -1"),
        ({"radius": (1, 2, 3)}, "radius"),
        ({"radius": "2.5 + 0*x", "curvature": (0, 0, 0.4)}, "stress-free rod at its radius"),
    ],
)
def test_sections_that_fold_at_rest_are_refused(given: dict[str, Any], words: str) -> None:
    model = Model("folded", gravity=(0, 0, 0))
    with pytest.raises(ModelError, match=words):
        model.deformable(
            "rod",
            "rod",
            **{"length": 1, "mass_per_length": 1, "EI": 1, "strains": {"bend_z": 1}, **given},
        )
        model.joint("clamp", "fixed", parent="world", child="rod")
        model.validate()


def test_splines_of_degree_zero_are_constant_strains() -> None:
    pieces = {"kind": "b-spline", "degree": 0, "knots": [0.25, 0.5]}
    rod = Rod(length=1, mass_per_length=1, EI=1, strains={"bend_z": pieces})
    (_, basis) = rod.bases[0]
    assert [basis(s) for s in (0.1, 0.3, 0.9)] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert np.diag(np.array(rod.stiffness, dtype=float)) == pytest.approx([0.25, 0.25, 0.5])


def test_the_series_are_long_enough() -> None:
    for reach in (0.5, 1.5, 3.0, 7.0):
        x, count = reach**2, terms(reach, 2)
        partial = sum((-x) ** k / float(np.prod(np.arange(1.0, 2 * k + 3))) for k in range(count))
        assert partial == pytest.approx((1 - np.cos(reach)) / x, abs=3e-15)


def test_a_point_mass_pulls_a_rod_by_its_moments() -> None:
    """The attraction of the sections, one by one, expanded to second order about the root."""
    model = Model("orbiter", gravity=(0, 0, 0))
    model.deformable(
        "rod", "rod", length=3, mass_per_length=0.7, EI=2, strains={"bend_z": 2}, points=4
    )
    model.joint("free", "planar", parent="world", child="rod", axis=(0, 0, 1))
    model.central_gravity("earth", mu=50.0, center=(0, -90, 0), expansion="second_order")
    equations = eomc.equations(model)
    rod = model.deformables["rod"].given
    assert isinstance(rod, Rod)
    q = {"free_x": 0.3, "free_y": 0.2, "free_theta": 0.4, "rod_kz1": 0.8, "rod_kz2": -0.5}
    values = np.array([q[name] for name in model.coordinates])

    def energy(at: Any) -> float:
        given = dict(zip(model.coordinates, at, strict=True))
        strains = [given["rod_kz1"], given["rod_kz2"]]
        places = rod.poses(strains, [3 * s for s, _ in rod.gauss])[:, :2, 3]
        c, s = np.cos(given["free_theta"]), np.sin(given["free_theta"])
        here = places @ np.array([[c, s], [-s, c]]) + [given["free_x"], given["free_y"] + 90]
        masses = np.array([2.1 * weight for _, weight in rod.gauss])
        elastic = 2 / 3 * (strains[0] ** 2 + strains[1] ** 2 / 3) / 2
        return float(elastic - 50 * (masses / np.linalg.norm(here, axis=1)).sum())

    h = 1e-4
    slopes = [(energy(values + h * e) - energy(values - h * e)) / (2 * h) for e in np.eye(5)]
    rest = np.zeros(5)
    forces = equations.inverse_dynamics.evaluate(q=values, u=rest, a=rest)
    elastic = 2 / 3 * np.array([0.8, -0.5 / 3])
    strained = [model.coordinates.index(name) for name in ("rod_kz1", "rod_kz2")]
    expected, got = np.array(slopes), np.array(forces)
    expected[strained] -= elastic
    got[strained] -= elastic
    # what the expansion leaves out is of the third order in length by distance
    assert got == pytest.approx(expected, abs=2e-3 * float(np.abs(expected).max()))


def test_a_rod_is_drawn_bent() -> None:
    model = parse_toml(TEXT)
    built = eomc.build(model, functions=("body_lines",), flags=QUICK)
    line = np.asarray(built.body_lines([0.2, 0.3, 0.9, -0.4, 0.5]))
    assert len(line) == 25
    assert line[0] == pytest.approx([0, 0, 0], abs=1e-14)
    assert np.linalg.norm(np.diff(line, axis=0), axis=1).sum() == pytest.approx(1.3, rel=2e-3)


def test_section_inertia_may_be_a_parameter() -> None:
    text = TEXT.replace("[0.03, 0.01, 0.02]", '["2*i", "i", "i"]')
    model = parse_toml(text + '[[parameter]]\nname = "i"\nvalue = 0.01\ntunable = true\n')
    assert model.coordinates[1] == "rod_kx1"


@pytest.mark.slow
def test_loops_with_long_rods_are_linearized_by_differences(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As those with short ones, whose derivatives are compiled."""
    found = []
    for long in (False, True):
        monkeypatch.setattr(Rod, "is_differenced", long)
        model = Model("loop", gravity=(0, -1, 0))
        model.deformable(
            "rod",
            "rod",
            length=1,
            mass_per_length=1,
            EI=1,
            order=2,
            points=4,
            strains={"bend_z": 3},
        )
        model.joint("clamp", "fixed", parent="world", child="rod")
        model.attachment("tip", body="rod", at="tip")
        model.body("wall")
        model.joint("wall", "fixed", parent="world", child="wall", placement=(0.9, 0, 0))
        model.joint("pin", "revolute", parent="tip", child="wall", axis=(0, 0, 1))
        built = eomc.build(model, flags=QUICK)
        assert built.manifest["metadata"].get("finite_differences", False) is long
        state = eomc.equilibrium(built, {"rod_kz1": -1.0, "rod_kz2": 0.1})
        found.append(eomc.linearize(built, state).modes().eigenvalues.imag.max())
    assert found[1] == pytest.approx(found[0], rel=1e-7)


@pytest.mark.parametrize("method", ["exact", "central", "one-sided"])
def test_differences_of_a_long_rod_compile_no_exact_derivatives(
    method: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rod, "is_differenced", True)
    model = Model("bent", gravity=(0, 0, 0))
    model.deformable(
        "rod", "rod", length=1, mass_per_length=1, EI=1, points=3, strains={"bend_z": 1}
    )
    model.joint("clamp", "fixed", parent="world", child="rod")
    built = eomc.build(model, flags=QUICK)
    linear = eomc.linearize(built, method=method)
    assert linear.stiffness == pytest.approx(np.eye(1), rel=1e-6)  # EI / length
    assert "linearization" not in built.functions


def test_a_rod_leans_on_a_table() -> None:
    """Weight, contact and strains balance where their energy is least; batches agree."""
    given: Any = {
        "length": 1,
        "mass_per_length": 1,
        "EI": 0.5,
        "strains": {"bend_y": 2},
        "points": 4,
    }
    height, radius, spring, g = 0.3, 0.02, 1e4, 9.81
    model = Model("leaning", gravity=(0, 0, -g))
    model.deformable("rod", "rod", **given)
    model.joint("clamp", "fixed", parent="world", child="rod", placement=(0, 0, height))
    model.attachment("tip", body="rod", at="tip")
    model.contact(
        "table",
        shape={"kind": "sphere", "at": "tip", "radius": radius},
        surface={"kind": "plane", "at": "world", "normal": (0, 0, 1)},
        normal={"kind": "spring", "stiffness": spring},
    )
    built = eomc.build(model, flags=QUICK)
    found = eomc.equilibrium(built, {"rod_ky1": 0.0, "rod_ky2": -1.6})
    rod = Rod(**given)
    stiffness, gauss = np.array(rod.stiffness, dtype=float), rod.gauss

    def energy(q: Any) -> float:
        places = rod.poses(q, [*(s for s, _ in gauss), 1.0])[:, 2, 3]
        weight = g * sum(w * z for (_, w), z in zip(gauss, places, strict=False))
        depth = max(0.0, radius - (height + places[-1]))
        return float(q @ stiffness @ q / 2 + weight + spring * depth**2 / 2)

    least = minimize(energy, found.q + 0.02, jac="3-point", tol=1e-9)
    assert found.q == pytest.approx(least.x, abs=1e-6)
    assert found.outputs["table.normal_force"] > 2
    random = np.random.default_rng(3)
    q, u = found.q + random.normal(0, 0.1, (9, 2)), random.normal(0, 1, (9, 2))
    each = [built.forward_dynamics(*state, np.zeros(2)) for state in zip(q, u, strict=True)]
    assert np.array_equal(built.forward_dynamics(q, u, np.zeros(2)), each)
