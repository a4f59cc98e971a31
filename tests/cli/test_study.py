"""``eomc study``."""

import json
from pathlib import Path

import numpy as np
import pytest
from cli.command import Command

from eomc.runtime import study


def test_random_runs_and_going_on(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    given = (
        pendulum,
        "--vary",
        "q.hinge=uniform(-1,1)",
        "--vary",
        "u.hinge=normal(0,0.5)",
        "--runs",
        "300",
        "--seed",
        "3",
        "--t-span",
        "0.1",
        "--out",
        tmp_path / "falls",
        "--json",
    )
    told = json.loads(eomc("study", *given).out)
    assert told["runs"] == 300 and told["failed"] == 0 and told["results"] == ["q", "u", "failed"]
    first = study.read(tmp_path / "falls")["q"]
    assert json.loads(eomc("study", *given).out)["runs"] == 300
    assert np.array_equal(study.read(tmp_path / "falls")["q"], first)
    assert "another study, of other runs" in eomc("study", *given, "--seed", "4").complaint


def test_a_sweep(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    answer = eomc(
        "study",
        pendulum,
        "--vary",
        "p.l=0.2:0.4:3",
        "--vary",
        "q.hinge=0.1,0.5",
        "--t-span",
        "0.1",
        "--every",
        "50",
        "--out",
        tmp_path / "sweep",
    )
    assert answer.code == 0 and "6 runs of 0.1 s, 0 failed" in answer.out
    assert study.read(tmp_path / "sweep")["q"].shape == (6, 3, 1)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--vary", "q.hinge"), "give NAME=WHAT"),
        (("--vary", "q.hinge=uniform(0,1)"), "give --runs with it"),
        (("--vary", "q.hinge=0.1", "--runs", "5"), "--runs asks for uniform"),
        (("--vary", "q.hinge=uniform(0)", "--runs", "5"), "uniform takes two numbers"),
        (("--vary", "q.hinge=uniform(1,0)", "--runs", "5"), "low 1.0 is above high 0.0"),
        (("--vary", "q.hinge=gauss(0,1)", "--runs", "5"), "no 'gauss'"),
        (("--vary", "q.hinge=0:1:x"), "give FIRST:LAST:NUMBER"),
        (("--vary", "q.hinge=a"), "'a' is not a finite number"),
        (("--vary", "q.knee=1"), "'q.knee', which is none of"),
        (("--vary", "p.k=1"), "no parameter 'k'"),
        (("--vary", "q.hinge=1", "--step", "0.3"), "no whole number of steps"),
        (("--vary", "q.hinge=1", "--format", "csv"), "format: no 'csv'"),
    ],
)
def test_wrong_options(
    eomc: Command, pendulum: Path, tmp_path: Path, arguments: tuple[str, ...], text: str
) -> None:
    answer = eomc("study", pendulum, *arguments, "--out", tmp_path / "out")
    assert text in answer.complaint
    assert not any(path.suffix != ".toml" for path in tmp_path.rglob("*"))
