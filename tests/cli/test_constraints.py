"""Commands on models with loops."""

import json
from pathlib import Path

import pytest
from cli.command import Command
from constraints.mechanisms import four_bar
from constraints.test_redundancy import parallelogram

from eomc.derive.formats.toml_writer import write_toml


@pytest.fixture
def linkage(tmp_path: Path) -> str:
    path = tmp_path / "four_bar.toml"
    write_toml(four_bar("c"), path)
    return str(path)


def test_info_tells_rank_and_redundant_directions(eomc: Command, linkage: str) -> None:
    shown = eomc("info", linkage)
    assert shown.code == 0
    assert "5 rows of rank 2 on 3 speeds leave 1 degree of freedom" in shown.out
    assert "closes a loop" in shown.out
    report = json.loads(eomc("info", linkage, "--json").out)
    assert report["redundancy"]["redundant"] == {"c": ["force_z", "torque_1", "torque_2"]}


def test_info_names_the_parameter_on_which_a_redundancy_rests(
    eomc: Command, tmp_path: Path
) -> None:
    path = tmp_path / "parallelogram.toml"
    write_toml(parallelogram(), path)
    assert "redundant at the default values only of place" in eomc("info", str(path)).out


def test_simulate_refuses_an_open_loop_and_closes_it_on_request(
    eomc: Command, linkage: str
) -> None:
    refused = eomc("simulate", linkage, "--t-span", "0.2")
    assert refused.code == 2
    assert "violates constraint 'c.force_x'" in refused.err
    start = ("--q", "a=1,b=-0.5,d=1.5", "--assemble", "--t-span", "0.2", "--json")
    for formulation in ("multipliers", "independent"):
        run = eomc("simulate", linkage, *start, "--formulation", formulation)
        assert run.code == 0
        energy = json.loads(run.out)["energy"]
        assert energy["end"] == pytest.approx(energy["start"], rel=1e-7)
    unknown = eomc("simulate", linkage, *start, "--formulation", "penalty")
    assert unknown.code == 2
    assert "unknown formulation 'penalty'" in unknown.err
