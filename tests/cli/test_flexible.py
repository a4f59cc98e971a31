"""The commands on a model with a deformable body."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from cli.command import Command

from eomc.runtime import load

BOOM = """
name = "boom"
gravity = [0, 0, -9.81]

[[parameter]]
name = "stiffness"
value = 60.0
tunable = true

[[deformable]]
name = "boom"
kind = "beam"
length = 2.0
mass_per_length = 1.5
EI = "stiffness"
modes = [2, 1]
damping = 0.01

[[joint]]
name = "slew"
kind = "revolute"
parent = "world"
child = "boom"
axis = [0, 0, 1]

[[body]]
name = "payload"
mass = 0.8
inertia = [0.01, 0.01, 0.01]

[[joint]]
name = "tip"
kind = "attachment"
parent = "boom"
child = "payload"
at = "tip"
"""
COORDINATES = ["slew", "boom_y1", "boom_y2", "boom_z1"]
HEADS = ["slew [rad]", *(f"{name} [m]" for name in COORDINATES[1:])]


@pytest.fixture
def boom(tmp_path: Path) -> Path:
    path = tmp_path / "boom.toml"
    path.write_text(BOOM)
    return path


def test_info_lists_internal_coordinates(eomc: Command, boom: Path) -> None:
    report = json.loads(eomc("info", boom, "--json").out)
    assert report["coordinates"] == COORDINATES
    assert report["deformables"] == [
        {
            "name": "boom",
            "form": "beam",
            "coordinates": COORDINATES[1:],
            "units": ["m", "m", "m"],
            "neutral": [0, 0, 0],
            "held": {},
            "mass": "3",
        }
    ]
    lines = eomc("info", boom).out.splitlines()
    assert any(line.split() == ["boom", "beam", "3", "boom_y1", "0", "m"] for line in lines)
    boom.write_text(BOOM.replace("damping = 0.01", "held = { y2 = 0.1 }"))
    report = json.loads(eomc("info", boom, "--json").out)
    assert report["coordinates"] == ["slew", "boom_y1", "boom_z1"]
    assert report["deformables"][0]["held"] == {"y2": "0.1"}
    assert "boom_y2" in eomc("info", boom).out


def test_show_and_derive(eomc: Command, boom: Path) -> None:
    shown = eomc("show", boom, "potential_energy")
    assert shown.code == 0
    assert "stiffness" in shown.out and "boom_z1" in shown.out
    derived = json.loads(eomc("derive", boom, "--json").out)
    assert "forward_dynamics" in json.dumps(derived)


@pytest.mark.slow
def test_build_and_simulate(
    eomc: Command, boom: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deflected boom swings as its compiled equations say, and loses energy to its damping."""
    monkeypatch.setenv("EOMC_CACHE_DIR", str(tmp_path / "cache"))
    library = json.loads(eomc("build", boom, "--json").out)["library"]
    model = load(library)
    assert list(model.coordinates) == COORDINATES
    out, film = tmp_path / "run", tmp_path / "run.gif"
    options = (
        "--q",
        "boom_y1=0.1",
        "--t-span",
        "1",
        "--step",
        "0.1",
        "--out",
        out,
        "--animation",
        film,
    )
    answer = eomc("simulate", boom, *options)
    assert answer.code == 0, answer.err
    assert film.stat().st_size > 1000
    with (out / "boom.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    energies = []
    for row in rows:
        q = np.array([float(row[head]) for head in HEADS])
        u = np.array([float(value) for name, value in row.items() if name.startswith("speed(")])
        energies.append(float(model.kinetic_energy(q, u) + model.potential_energy(q)))
    assert len(rows) == 11
    assert energies[-1] < energies[0]


@pytest.mark.slow
def test_verify(eomc: Command, boom: Path) -> None:
    answer = eomc("verify", boom, "--quick", "--json")
    assert answer.code == 0, answer.err
    verdicts = {check["name"]: check["verdict"] for check in json.loads(answer.out)["checks"]}
    others = {name for name, verdict in verdicts.items() if verdict != "pass"}
    absent = {"momentum", "constraints", "multipliers", "loops", "rows", "solvers"}
    absent |= {"given equations", "composites", "limits"}
    # What --quick leaves out.
    thorough = {"deformation", "lanes", "laws", "small code", "single precision"}
    thorough |= {"functions on request", "sampled control", "near-rigid control", "vectors"}
    of_elements = {"states of elements", "element outputs", "contacts", "rigid contacts"}
    of_elements |= {"switches", "rod reach", "contact steps"}
    assert others == {*absent, *thorough, *of_elements}


def test_mistakes_name_the_body_and_the_file(eomc: Command, boom: Path) -> None:
    for old, new, message in (
        ('"beam"', '"baem"', "'baem'; did you mean 'beam'"),
        ("modes = [2, 1]", "modes = [2, -1]", "deformable 'boom'"),
        ('at = "tip"', 'at = "tap"', "joint 'tip'"),
        ('EI = "stiffness"', 'EI = "stifness"', "stifness"),
        ("length = 2.0", "length = -2.0", "length"),
    ):
        boom.write_text(BOOM.replace(old, new))
        answer = eomc("info", boom)
        assert answer.code == 2
        assert message in answer.err and "boom.toml:" in answer.err
        assert answer.err.count("\n") == 1
