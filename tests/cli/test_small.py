"""``--small``: loops over the bodies."""

import json
from pathlib import Path

import pytest
from cli.command import Command

MODELS = Path(__file__).parents[2] / "examples" / "models"
FUNCTIONS = ("inverse_dynamics", "mass_matrix", "power")


def test_build_small(eomc: Command, tmp_path: Path) -> None:
    options = [word for name in FUNCTIONS for word in ("--function", name)]
    options += ["--cache-dir", str(tmp_path / "cache"), "--report"]
    panda = MODELS / "panda.toml"
    full, small = (
        json.loads(eomc("build", panda, *options, "--json", *more).out)
        for more in ((), ("--small",))
    )
    assert small["unrolled"] == ["power"] and "unrolled" not in full
    totals = [sum(row["code"] for row in said["size"]) for said in (full, small)]
    assert totals[1] < 0.7 * totals[0]
    said = eomc("build", panda, *options, "--small", "--sources-only", "--out", tmp_path / "c")
    assert "--report measures" in said.complaint
    assert "not in loops: power" in eomc("build", panda, *options, "--small").out


def test_what_to_optimize(eomc: Command, tmp_path: Path) -> None:
    panda, folder = MODELS / "panda.toml", tmp_path / "c"
    words = ["--function", "mass_matrix", "--out", folder, "--json"]
    assert eomc("emit", panda, *words, "--optimize", "size", "--no-self-test").code == 0
    manifest = json.loads((folder / "panda.json").read_text())
    assert manifest["optimize"] == "size"
    form = manifest["functions"]["mass_matrix"]["form"]
    told = json.loads(eomc("info", panda, "--json").out)["forms"]["mass_matrix"]
    assert form["cost"]["bytes"] <= told["cost"]["bytes"] and told["name"] == "plain"
    assert "in C, estimated" in eomc("info", panda).out
    complaint = eomc("emit", panda, *words, "--optimize", "beauty").complaint
    assert "--optimize beauty: valid are speed, size" in complaint


def test_small_refuses_lanes(eomc: Command) -> None:
    complaint = eomc("build", MODELS / "arm.toml", "--small", "--lanes", "4").complaint
    assert "lanes=4 writes every function unrolled once more" in complaint


@pytest.mark.slow
@pytest.mark.parametrize("model", ["panda", "arm", "quadcopter", "planar_free_flyer"])
def test_small_code_is_verified(eomc: Command, model: str) -> None:
    answer = eomc("verify", MODELS / f"{model}.toml", "--small", "--quick")
    assert answer.code == 0, answer.out


def test_pendulum_is_verified(eomc: Command) -> None:
    answer = eomc("verify", MODELS / "pendulum.toml", "--small", "--quick", "--json")
    assert answer.code == 0, answer.out
    verdicts = {check["name"]: check["verdict"] for check in json.loads(answer.out)["checks"]}
    assert verdicts["emitted C"] == "pass"
