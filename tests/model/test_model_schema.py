"""The schema of model files: valid itself, true to every model of the repository, and no net with
holes: planted mistakes are found at their places."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from house.declared_stub import SCHEMA
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from typer.testing import CliRunner

from eomc.cli.application import application
from eomc.derive.formats import toml_text
from eomc.derive.formats.toml import parse_toml
from eomc.derive.joints import joint_kinds

HOUSE = Path(__file__).parents[2]
MODELS = [
    path
    for folder in ("examples", "eomc", "published", "systems", "tests")
    for path in sorted((HOUSE / folder).rglob("*.toml"))
    if path.name != "pyproject.toml"
]
VALIDATOR = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))

GOOD = """
version = 2
name = "good"
[[parameter]]
name = "m"
value = 1.5
[[body]]
name = "ball"
mass = "m"
inertia = [0.1, 0.1, 0.1]
[[body]]
name = "arm"
[[joint]]
name = "z"
kind = "prismatic"
parent = "world"
child = "ball"
axis = [0, 0, 1]
damping = 0.1
[[joint]]
name = "turn"
kind = "spherical_euler"
parent = "world"
child = "arm"
[[contact]]
name = "touch"
shape = { kind = "sphere", at = { body = "ball", rpy = [0, 0, 1] }, radius = 0.1 }
surface = { kind = "plane", at = "world" }
normal = { kind = "spring", stiffness = 1e4, exponent = "3/2" }
[[cable]]
name = "rope"
modulus = 1e5
length = 2
route = ["ball", { kind = "pulley", at = "world", axis = [0,1,0], radius = 1, sense = 1 }, "arm"]
[[constraint]]
name = "rod"
kind = "distance"
a = "ball"
b = { body = "arm", xyz = [0, 0, 1] }
length = 1
[[deformable]]
name = "whip"
kind = "rod"
length = 1
mass_per_length = 1
EI = 2
strains = { bend_z = { kind = "legendre", functions = 2 } }
[[visual]]
name = "seen"
body = "ball"
shape = { kind = "box", size = [1, 1, "m"] }
"""


def errors(document: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Places of the errors."""
    return [tuple(error.absolute_path) for error in VALIDATOR.iter_errors(document)]


def test_it_is_a_schema_and_current() -> None:
    Draft202012Validator.check_schema(VALIDATOR.schema)
    code = "from house.declared_stub import schema; print(schema(), end='')"
    run = [sys.executable, "-c", code]  # a process that knows no kinds of tests
    made = subprocess.run(run, cwd=HOUSE / "tests", capture_output=True, text=True, check=True)
    text = SCHEMA.read_text(encoding="utf-8")
    assert text == made.stdout, "run python tests/house/declared_stub.py"


def test_the_command_writes_it(tmp_path: Path) -> None:
    runner, file = CliRunner(), tmp_path / "eomc.schema.json"
    assert runner.invoke(application(["schema"]), ["schema", "-o", str(file)]).exit_code == 0
    assert file.read_bytes() == SCHEMA.read_bytes()
    assert runner.invoke(application(["schema"]), ["schema"]).output == file.read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_every_model_is_valid(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert errors(tomllib.loads(text)) == []


def test_models_are_valid_as_they_are_written() -> None:
    """What reading takes, and what writing gives."""
    assert len(MODELS) >= 12
    assert errors(tomllib.loads(GOOD)) == []
    assert errors(tomllib.loads(toml_text(parse_toml(GOOD, check=False)))) == []


def test_every_kind_of_joint_is_known() -> None:
    known = VALIDATOR.schema["$defs"]["joint"]["properties"]["kind"]["enum"]
    assert {word for word in joint_kinds() if not word.startswith("test_")} <= set(known)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda d: d.update(parametr=[]), ()),
        (lambda d: d.update(version=3), ("version",)),
        (lambda d: d.update(gravity=[0, 0]), ("gravity",)),
        (lambda d: d["body"][0].update(masss=1), ("body", 0)),
        (lambda d: d["body"][0].update(mass=[1]), ("body", 0, "mass")),
        (lambda d: d["body"][0].update(inertia_about="tip"), ("body", 0, "inertia_about")),
        (lambda d: d["joint"][0].update(kind="hinge"), ("joint", 0, "kind")),
        (lambda d: d["joint"][0].pop("axis"), ("joint", 0)),
        (lambda d: d["joint"][0].pop("child"), ("joint", 0)),
        (lambda d: d["joint"][0].update(pitch=1), ("joint", 0)),
        (lambda d: d["joint"][0].update(cut="yes"), ("joint", 0, "cut")),
        (lambda d: d["joint"][1].update(sequence="zzx"), ("joint", 1, "sequence")),
        (lambda d: d["contact"][0]["shape"].update(kind="ball"), ("contact", 0, "shape", "kind")),
        (lambda d: d["contact"][0]["shape"].pop("kind"), ("contact", 0, "shape")),
        (lambda d: d["contact"][0]["shape"].pop("radius"), ("contact", 0, "shape")),
        (lambda d: d["contact"][0].update(surface={"plane": "world"}), ("contact", 0, "surface")),
        (lambda d: d["contact"][0]["normal"].update(damping=1), ("contact", 0, "normal")),
        (lambda d: d["contact"][0].pop("normal"), ("contact", 0)),
        (lambda d: d["cable"][0]["route"][1].update(sense=2), ("cable", 0, "route", 1, "sense")),
        (lambda d: d["cable"][0]["route"][1].pop("sense"), ("cable", 0, "route", 1)),
        (lambda d: d["cable"][0].update(route=["ball"]), ("cable", 0, "route")),
        (lambda d: d["constraint"][0].update(axis_a=[1, 0, 0]), ("constraint", 0)),
        (lambda d: d["constraint"][0]["b"].update(xyz=[1]), ("constraint", 0, "b")),
        (lambda d: d["deformable"][0].update(modes=3), ("deformable", 0)),
        (lambda d: d["visual"][0].update(color="red"), ("visual", 0, "color")),
        (lambda d: d["visual"][0]["shape"].update(size=[1, 1]), ("visual", 0, "shape", "size")),
    ],
)
def test_schema_errors_have_the_path_of_the_mistake(change: Any, place: tuple[Any, ...]) -> None:
    document = copy.deepcopy(tomllib.loads(GOOD))
    change(document)
    assert place in errors(document)
    assert best_match(VALIDATOR.iter_errors(document)) is not None
    assert all(found[: len(place)] == place for found in errors(document))
