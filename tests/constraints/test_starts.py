"""Starts off the constraints: refused or assembled, by one rule at every entry point."""

from __future__ import annotations

import functools
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from cli.command import Command

import eomc
from eomc.runtime.constraints.consistency import AssemblyError
from eomc.runtime.constraints.search import ConstraintSearch
from eomc.runtime.constraints.start import MovedStartWarning, moved
from eomc.runtime.errors import ConstraintError
from eomc.runtime.model.state import State

FILE = """\
import eomc


def model():
    model = eomc.Model("slider_crank")
    for name in ("R", "L"):
        model.parameter(name, {"R": 0.1, "L": 0.3}[name], tunable=True)
    model.body("arm", mass=1, com=("R/2", 0, 0), inertia=(0.001, 0.01, 0.01))
    model.body("bar", mass=1, com=("L/2", 0, 0), inertia=(0.001, 0.01, 0.01))
    model.body("piston", mass=0.5, inertia=(0.001, 0.001, 0.001))
    turning = {"kind": "revolute", "axis": (0, 1, 0)}
    model.joint("crank", parent="world", child="arm", **turning)
    model.joint("rod", parent="arm", child="bar", placement=("R", 0, 0), **turning)
    model.joint("slider", "prismatic", parent="world", child="piston", axis=(1, 0, 0))
    model.joint("pin", parent="bar", child="piston", placement=("L", 0, 0), cut=True, **turning)
    return model
"""
"""Open at its neutral coordinates, for every L."""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("starts") / "mechanism.py"
    path.write_text(FILE)
    return path


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@functools.cache
def slider_crank(lanes: int = 1) -> Any:
    space: dict[str, Any] = {}
    exec(FILE, space)
    return eomc.build(space["model"](), lanes=lanes)


def gap(q: Any, length: Any = 0.3) -> float:
    """Between the pin's ends, by hand."""
    crank, rod, slider = np.moveaxis(np.asarray(q, dtype=float), -1, 0)
    x = 0.1 * np.cos(crank) + length * np.cos(crank + rod) - slider
    z = 0.1 * np.sin(crank) + length * np.sin(crank + rod)
    return float(np.hypot(x, z).max())


REFUSED = r"violates constraint 'pin\.force_x'.*--assemble"
START = {"crank": 0.5}


@pytest.mark.parametrize("crank", np.linspace(-3, 3, 13).tolist())
def test_what_is_named_is_kept(crank: float) -> None:
    run = eomc.simulate(slider_crank(), {"crank": crank}, t_span=1e-3, step=1e-3, assemble=True)
    assert run["crank"][0] == pytest.approx(crank, abs=1e-13)
    assert gap(run.q) < 1e-9
    if abs(crank) < 2.5:  # the branch as drawn, with the slider ahead of the crank's pin
        ahead = np.sqrt(0.3**2 - (0.1 * np.sin(crank)) ** 2)
        assert run["slider"][0] == pytest.approx(0.1 * np.cos(crank) + ahead)
    told = run.statistics["assembled"]
    assert "slider 0 -> " in told and ("crank" not in told)


def test_named_speeds_are_kept() -> None:
    found = eomc.assemble(slider_crank(), START, {"crank": 2.0})
    assert found.q[0] == 0.5 and found.u[0] == 2.0
    assert np.abs(found.velocity).max() < 1e-12
    found = eomc.assemble(slider_crank(), START, {"slider": -0.1})
    assert found.u[2] == -0.1


def test_the_first_named_value_is_kept_and_others_are_reported() -> None:
    with pytest.warns(MovedStartWarning, match=r"slider 0\.35 -> 0\.38"):
        run = eomc.simulate(
            slider_crank(), {"crank": 0.5, "slider": 0.35}, t_span=1e-3, step=1e-3, assemble=True
        )
    assert run["crank"][0] == pytest.approx(0.5, abs=1e-13)
    found = eomc.assemble(slider_crank(), {"slider": 0.35, "crank": 0.5})
    assert found.q[2] == 0.35 and found.q[0] != 0.5 and gap(found.q) < 1e-12


def test_a_value_that_no_configuration_has_is_told_or_refused() -> None:
    """The slider reaches 0.4 m."""
    far = {"slider": 0.6}
    with pytest.warns(MovedStartWarning, match=r"slider 0\.6 -> "):
        eomc.simulate(slider_crank(), far, t_span=1e-3, step=1e-3, assemble=True)
    with pytest.raises(ConstraintError, match="'slider' held"):
        eomc.simulate(slider_crank(), far, t_span=1e-3, step=1e-3, assemble=True, fixed="slider")
    with pytest.raises(ValueError, match="fixed: give it with assemble=True"):
        eomc.simulate(slider_crank(), far, t_span=1e-3, fixed="slider")


def floating_pair() -> Any:
    """Two floating bodies on a rod of 2 m."""
    model = eomc.Model("pair")
    for name in ("a", "b"):
        model.body(name, mass=1, inertia=(1, 1, 1))
        model.joint(f"free_{name}", "floating", parent="world", child=name)
    model.constraint("rod", "distance", a="a", b="b", length=2)
    return eomc.build(model)


def test_places_and_attitudes_that_are_named_whole_are_kept() -> None:
    wanted = {"free_a_x": 0.3, "free_a_y": 0.1, "free_a_z": -0.2, "free_b_x": 1.5}
    found = eomc.assemble(floating_pair(), wanted)
    assert found.q[:3].tolist() == [0.3, 0.1, -0.2]
    assert np.linalg.norm(found.q[7:10] - found.q[:3]) == pytest.approx(2)


@pytest.mark.slow
def test_studies_and_optimize() -> None:
    lengths = [0.08, 0.15, 0.2, 0.3]
    runs = eomc.study.Grid({"p.L": lengths})
    given: dict[str, Any] = {"t_span": 0.01, "step": 1e-3, "every": 1, "q": START}
    with pytest.raises(ConstraintError, match=f"run 0: .*{REFUSED}"):
        eomc.study.run(slider_crank(4), runs, **given)
    found = eomc.study.run(slider_crank(4), runs, **given, assemble=True)
    assert found["q_start"][:, 0].tolist() == [0.5] * 4 and len(found.failed) == 0
    assert gap(found["q"], np.array(lengths)[:, None]) < 1e-9
    assert np.abs(np.diff(found["q"][:, :, 0], axis=1)).max() < 1e-3  # no jump
    # A crank at 1.5 rad is out of reach of a rod of 0.08 m: named by the runs, it moves.
    far = eomc.study.Listed({"q.crank": [1.5, 0.5], "p.L": [0.08, 0.08]})
    moved = eomc.study.run(slider_crank(4), far, t_span=0.01, step=1e-3, assemble=True)
    assert moved["q_start"][1, 0] == 0.5 and moved["q_start"][0, 0] != 1.5
    assert gap(moved["q_start"], 0.08) < 1e-9

    def cost(t: Any, q: Any, u: Any, runs: Any) -> Any:
        return (q[:, 0, 2] - 0.3) ** 2  # the slider at the start

    search: dict[str, Any] = {
        "generations": 12,
        "population": 8,
        "t_span": 0.002,
        "step": 1e-3,
        "every": 1,
        "q": START,
    }
    with pytest.raises(ConstraintError, match=REFUSED):
        eomc.study.optimize(slider_crank(4), cost, {"p.L": (0.1, 0.4)}, **search)
    best = eomc.study.optimize(slider_crank(4), cost, {"p.L": (0.1, 0.4)}, **search, assemble=True)
    # 0.1 cos + sqrt(L^2 - (0.1 sin)^2) = 0.3
    expected = np.hypot(0.3 - 0.1 * np.cos(0.5), 0.1 * np.sin(0.5))
    assert best.values["p.L"] == pytest.approx(expected, abs=2e-3)


def test_a_run_without_a_start_has_failed() -> None:
    """The wall stands out of the reach of arm and rope."""
    model = eomc.Model("far")
    model.parameter("d", 1.0, tunable=True)
    model.body("arm", mass=1, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1))
    model.joint("hinge", "revolute", parent="world", child="arm", axis=(0, 1, 0))
    ends = {"a": eomc.Point("arm", (1, 0, 0)), "b": eomc.Point("world", ("d", 0, 1))}
    model.constraint("rope", "distance", **ends, length=1)
    built = eomc.build(model, lanes=4)
    runs = eomc.study.Listed({"p.d": [1.0, 5.0, 1.2]})
    found = eomc.study.run(built, runs, t_span=0.01, step=1e-3, assemble=True)
    assert found.failed.tolist() == [1]
    assert np.isnan(found["q"][1]).all() and np.isfinite(found["q"][[0, 2]]).all()


def test_pages_and_reports() -> None:
    model = slider_crank()
    for show in (model.view, functools.partial(model.report, live=False)):
        with pytest.raises(ConstraintError, match=REFUSED):
            show(q=START)
        with pytest.raises(ConstraintError, match="'slider' held"):
            show(q={"slider": 0.6}, assemble=True, fixed="slider")
    assert "Picture" in [s.title for s in model.report(q=START, live=False, assemble=True).sections]


def test_units(file: Path, tmp_path: Path) -> None:
    space: dict[str, Any] = {}
    exec(FILE, space)
    unit = tmp_path / "unit.fmu"
    with pytest.raises(ConstraintError, match=REFUSED):
        eomc.fmu(space["model"](), unit, q=START, platforms=())
    assert not unit.exists()
    eomc.fmu(space["model"](), unit, q=START, platforms=(), assemble=True)
    text = zipfile.ZipFile(unit).read("modelDescription.xml").decode()
    expected = 0.1 * np.cos(0.5) + np.sqrt(0.3**2 - (0.1 * np.sin(0.5)) ** 2)
    (start,) = (line for line in text.split("<") if 'name="q.slider"' in line)
    assert float(start.split('start="')[1].split('"')[0]) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_the_command_line(file: Path, tmp_path: Path, command: Command) -> None:
    source, at = f"{file}:model", ("--q", "crank=0.5")
    entries: dict[str, tuple[Any, ...]] = {
        "simulate": ("--t-span", 0.01, "--json"),
        "view": ("--out", tmp_path / "view.html", "--json"),
        "report": (
            "--out",
            tmp_path / "report.html",
            "--t-span",
            0.01,
            "--verify",
            "none",
            "--no-live",
            "--json",
        ),
        "fmu": ("--out", tmp_path / "unit.fmu", "--platform", "none", "--json"),
        "linearize": ("--json",),
    }
    for name, more in entries.items():
        answer = command(name, source, *at, *more)
        assert answer.code == 2 and "'pin.force_x'" in answer.err, (name, answer)
        answer = command(name, source, *at, *more, "--assemble")
        assert answer.code == 0, (name, answer)
        assert "assembled: " in answer.err and "slider 0 -> 0.38" in answer.err, (name, answer.err)
        assert "crank" not in answer.err
        answer = command(
            name, source, "--q", "slider=0.6", *more, "--assemble", "--fixed", "slider"
        )
        assert "'slider' held" in answer.complaint, name
    vary = ("--vary", "p.L=0.15,0.3", "--t-span", 0.01)
    answer = command("study", source, *at, *vary, "--out", tmp_path / "refused")
    assert "run 0: " in answer.complaint
    answer = command("study", source, *at, *vary, "--out", tmp_path / "made", "--assemble")
    assert answer.code == 0 and "0 failed" in answer.out
    assert (
        "--fixed: give it with --assemble"
        in command("simulate", source, *at, "--fixed", "crank").complaint
    )


def test_a_command_assembles_and_tells(file: Path, command: Command) -> None:
    given = (f"{file}:model", "--q", "crank=0.5", "--t-span", 0.01)
    assert "'pin.force_x'" in command("simulate", *given).complaint
    answer = command("simulate", *given, "--assemble", "--fixed", "crank")
    assert answer.code == 0 and "assembled: " in answer.err and "slider 0 -> 0.38" in answer.err


def test_what_counts_as_moved_is_relative_to_the_value() -> None:
    """A thousand millionth of values above one, and of one below."""
    model = SimpleNamespace(coordinates=("far", "near"), speeds=("fast",))
    guess = State(np.array([1e6, 1e-3]), np.array([1e9]))
    found = State(np.array([1e6 + 1e-4, 1e-3 + 1e-8]), np.array([1e9 + 2.0]))
    told = moved(model, guess, found)  # type: ignore[arg-type]
    assert told == {"near": (1e-3, 1e-3 + 1e-8), "speed(fast)": (1e9, 1e9 + 2.0)}


def test_named_coordinates_stay_fixed_in_the_second_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other search keeps it too."""

    sound, calls = ConstraintSearch.positions, []

    def fails_once(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 1:
            raise AssemblyError("not found")
        return sound(*given)

    monkeypatch.setattr(ConstraintSearch, "positions", fails_once)
    run = eomc.simulate(slider_crank(), {"crank": 0.5}, t_span=1e-3, step=1e-3, assemble=True)
    assert run["crank"][0] == pytest.approx(0.5, abs=1e-13) and gap(run.q) < 1e-9
