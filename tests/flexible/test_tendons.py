"""Tendons along rods: laws, ways, energy, files, pictures, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eomc
from eomc.derive.formats.toml import parse_toml
from eomc.derive.formats.toml_writer import toml_text
from eomc.derive.graph import evaluate, forward_derivative
from eomc.derive.language.errors import ModelError
from eomc.derive.model import Model

TEXT = """
name = "finger"
gravity = [0, 0, 0]
[[deformable]]
name = "rod"
kind = "rod"
length = 1.2
mass_per_length = 0.7
EI = [1, 2]
GJ = 1.5
section_inertia = [0.03, 0.01, 0.02]
points = 3
[deformable.strains]
twist = 1
bend_y = 1
bend_z = { kind = "b-spline", degree = 1, knots = [0.4] }
[[joint]]
name = "hinge"
kind = "revolute"
parent = "world"
child = "rod"
axis = [0, 0.6, 0.8]
[[input]]
name = "pull"
[[tendon]]
name = "flexor"
body = "rod"
offset = ["0.05 - x/50", "0.01*x**2"]
start = 0.2
end = 1.1
stiffness = 30
damping = 2
width = 0.01
[[tendon]]
name = "extensor"
body = "rod"
offset = [-0.05, 0]
law = "pull + 5*x + v"
"""


def test_a_file_is_read_and_written() -> None:
    model = parse_toml(TEXT)
    again = parse_toml(toml_text(model))
    assert list(again.elements()) == list(model.elements())


@pytest.mark.slow
def test_verification_passes() -> None:
    report = eomc.verify(parse_toml(TEXT), quick=True, states=3)
    assert report.ok, str(report)


def test_forces_are_the_slopes_of_the_energy() -> None:
    """-dV/dq of the elastic tendon, by the graph's own derivative."""
    model = parse_toml(TEXT.split('[[tendon]]\nname = "extensor"')[0])
    equations = eomc.equations(model)
    system = equations.system(())
    one, rng = (system.tree.zero + 1).node, np.random.default_rng(2)
    energy = system.loads.conservative.potential.node
    forces = system.generalized(system.loads.conservative)
    slopes = [forward_derivative(system.graph, [energy], {x.node: one})[0] for x in system.q]
    at = {x.node: v for x, v in zip(system.q, rng.normal(0, 0.6, len(system.q)), strict=True)}
    got = evaluate(system.graph, [f.node for f in forces], at)
    expected = evaluate(system.graph, slopes, at)
    assert np.allclose(got, -np.array(expected, dtype=float), rtol=1e-12, atol=1e-14)


def test_its_length_is_that_of_points_along_the_rod() -> None:
    """The polygon through many points of its picture is nearly as long."""
    model = parse_toml(TEXT)
    built = eomc.build(model, functions=("element_lines", "element_outputs"), flags=("-O0",))
    q = np.array([0.3, 0.4, -0.5, 0.7, -0.6, 0.2])
    told = built.outputs(q, 0 * q, [1.0])
    lines = np.asarray(built.element_lines(q, [1.0])).reshape(2, -1, 3)
    lengths = np.linalg.norm(np.diff(lines, axis=1), axis=2).sum(axis=1)
    assert lengths == pytest.approx([told["flexor.length"], told["extensor.length"]], rel=2e-3)


def test_a_winch_takes_in_what_its_free_length_loses() -> None:
    model = Model("wound", gravity=(0, 0, 0))
    model.input("wound")
    model.deformable(
        "rod", "rod", length=1, mass_per_length=1, EI=1, strains={"bend_z": 1}, points=3
    )
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.tendon("t", body="rod", offset=(0.1, 0), stiffness=1e6, free_length="1 - wound")
    built = eomc.build(model, flags=("-O0",))
    # inextensible: l = 1 - kz d
    found = eomc.equilibrium(built, {"rod_kz1": 0.1}, inputs={"wound": 0.05}).q
    assert found == pytest.approx([0.5], rel=1e-3)
    assert eomc.equilibrium(built, inputs={"wound": -0.05}).q == pytest.approx([0], abs=1e-12)


def test_steps_end_where_it_comes_taut_and_goes_slack() -> None:
    model = Model("struck", gravity=(0, 0, 0))
    model.deformable(
        "rod", "rod", length=1, mass_per_length=1, EI=1, strains={"bend_z": 1}, points=3
    )
    model.joint("clamp", "fixed", parent="world", child="rod")
    model.tendon("t", body="rod", offset=(0.1, 0), stiffness=500)
    built = eomc.build(model, flags=("-O0",))
    run = eomc.simulate(built, [1e-4], [0], t_span=2.5, rtol=1e-10, atol=1e-14)
    mass = float(np.squeeze(built.mass_matrix([0.0])))
    loose, taut = (np.pi * np.sqrt(mass / k) for k in (1.0, 1.0 + 500 * 0.1**2))
    expected = [loose / 2, loose / 2 + taut, 3 * loose / 2 + taut]
    assert run.switches["t.taut"][:3] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('body = "rod"\noffset = [-', 'body = "world"\noffset = [-', "no rod"),
        ("start = 0.2", "start = 1.15", "no way towards the tip"),
        ("end = 1.1", "end = 1.3", "lies outside"),
        ("end = 1.1", 'end = "top"', "give 'root', 'tip' or"),
        ("[-0.05, 0]", "[-0.05]", "along y and z"),
        ("[-0.05, 0]", '["y", 0]', "unknown name 'y'"),
        ("stiffness = 30", "stiffness = -30", "stiffness is -30"),
        ("stiffness = 30\ndamping = 2", "damping = 2", "never pull"),
        ('law = "pull', 'damping = 1\nlaw = "pull', "both given"),
    ],
)
def test_what_is_no_tendon_is_refused(old: str, new: str, words: str) -> None:
    assert old in TEXT
    with pytest.raises(ModelError, match=words) as told:
        parse_toml(TEXT.replace(old, new), "finger.toml").validate()
    assert "tendon '" in str(told.value)
    assert "finger.toml:" in str(told.value)


def test_a_beam_has_no_strains_to_run_along() -> None:
    model = Model("beam", gravity=(0, 0, 0))
    given: dict[str, Any] = {"length": 1, "mass_per_length": 1, "EI": 1, "modes": (2, 0)}
    model.deformable("arm", "beam", **given)
    model.joint("clamp", "fixed", parent="world", child="arm")
    model.tendon("t", body="arm", offset=(0.1, 0), law="1")
    with pytest.raises(ModelError, match=r"'arm' is no rod.*declare one"):
        model.validate()
