"""What header and C files tell of themselves: version, hash, units of single entries."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import eomc
from eomc.codegen import emit

MODELS = Path(__file__).parents[2] / "examples" / "models"


def emitted(name: str, **options: Any) -> Any:
    return emit(eomc.equations(eomc.load(MODELS / f"{name}.toml")).program(), **options)


def test_all_files_bear_version_and_hash() -> None:
    made = emitted("pendulum", lanes=2)
    digest = json.loads(made["pendulum.json"])["hash"]
    told = [name for name in made if name.endswith((".c", ".h"))]
    assert len(told) > 2
    for name in told:
        head = made[name][:300]
        assert f"made by eomc {version('eomc')}." in head and f"Model {digest}" in head, name
    assert dict(made) == dict(emitted("pendulum", lanes=2))


def test_the_hash_is_of_what_the_model_computes() -> None:
    model = eomc.load(MODELS / "pendulum.toml")
    hashes = []
    for mass in (1.5, 1.5, 1.6):
        model.parameters["m"] = type(model.parameters["m"])(
            **{**vars(model.parameters["m"]), "value": mass}
        )
        made = emit(eomc.equations(model).program())
        hashes.append(json.loads(made["pendulum.json"])["hash"])
    assert hashes[0] == hashes[1] != hashes[2]


def crane() -> eomc.Model:
    model = eomc.Model("crane")
    model.input("push", units="N")
    model.body("trolley", mass=1)
    model.joint("x", "prismatic", parent="world", child="trolley", axis=(1, 0, 0))
    model.body("load", mass=1, com=(0, 0, -1))
    model.joint("swing", "revolute", parent="trolley", child="load", axis=(0, 1, 0))
    model.generalized_force("drive", speed="x", expression="push")
    return model


def test_entries_have_their_units() -> None:
    header = emit(eomc.equations(crane()).program())["crane.h"]
    for line in (
        r"CRANE_Q_X = 0,  /\* x \[m\] \*/",
        r"CRANE_Q_SWING = 1,  /\* swing \[rad\] \*/",
        r"CRANE_U_X = 0,  /\* x \[m/s\] \*/",
        r"CRANE_U_SWING = 1,  /\* swing \[rad/s\] \*/",
        r"CRANE_R_PUSH = 0,  /\* push \[N\] \*/",
    ):
        assert re.search(line, header), line


@pytest.mark.parametrize(
    ("name", "there"), [("double_pendulum", "[rad]"), ("quadcopter", "[rad or m]")]
)
def test_alike_entries_share_one_unit(name: str, there: str) -> None:
    header = emitted(name)[f"{name}.h"]
    assert f"coordinates {there}" in header
    assert ("generalized forces on the speeds [N m]" in header) == (there == "[rad]")
    assert ("rad or m" in header) == (there != "[rad]")


def test_places_and_attitudes() -> None:
    header = emitted("quadcopter")["quadcopter.h"]
    units = dict(re.findall(r"QUADCOPTER_[QU]_\w+ = \d+,  /\* (\S+)(?: \[(.*)\])? \*/", header))
    assert {u for n, u in units.items() if n.endswith(("_x", "_y", "_z"))} >= {"m"}
    assert {u for n, u in units.items() if "_q" in n} == {""}  # pure numbers
    assert {u for n, u in units.items() if "_v" in n} == {"m/s"}
    assert {u for n, u in units.items() if "_w" in n} == {"rad/s"}
