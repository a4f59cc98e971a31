"""Studies give what each run gives by itself, however they are cut, kept and made."""

from __future__ import annotations

import fcntl
from pathlib import Path

import numpy as np
import pytest

import eomc
from eomc.runtime import study
from eomc_published.studies.pendulums import FUNCTIONS, STEPS, alone, falls, pendulum


def test_runs_are_those_by_themselves() -> None:
    found = study.run(pendulum(), falls(), **STEPS, chunk=93, threads=2)
    assert np.array_equal(np.column_stack([found["q"], found["u"]]), alone())
    assert len(found.failed) == 0 and len(found) == 1000 and found.names == ("q", "u", "failed")


@pytest.mark.parametrize("format", ["npz", "zarr", "parquet"])
def test_files_hold_the_same(format: str, tmp_path: Path) -> None:
    if format != "npz":
        pytest.importorskip({"zarr": "zarr", "parquet": "pyarrow"}[format])
    given = {**STEPS, "every": 5, "folder": tmp_path / "falls", "format": format}
    made = study.run(pendulum(), falls(300), **given, chunk=128)
    kept = study.read(tmp_path / "falls")
    there = study.run(pendulum(), falls(300), **STEPS, every=5)
    assert there["q"].shape == (300, 5, 1)
    for results in (made, kept):
        for name in ("q", "u", "failed"):
            assert np.array_equal(results[name], there[name])
    assert [first for first, _ in kept.parts()] == [0, 128, 256]
    names = sorted(path.name for path in (tmp_path / "falls").iterdir())
    assert names[:3] == [f"runs-{k:06d}.{format}" for k in range(3)]


def test_parquet_is_one_table(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.dataset

    study.run(
        pendulum(), falls(300), **STEPS, folder=tmp_path / "table", format="parquet", chunk=100
    )
    files = [str(path) for path in sorted((tmp_path / "table").glob("*.parquet"))]
    table = pyarrow.dataset.dataset(files).to_table()
    assert table["run"].to_pylist() == [*range(300)] and "q[0]" in table.column_names


def test_parameters_vary() -> None:
    """Against each pendulum built with its own numbers."""
    runs = study.Grid({"p.l": [0.3, 0.5], "p.m": [1.0, 2.0], "q.hinge": [0.4, 0.8, 1.2]})
    found = study.run(pendulum(), runs, **STEPS)
    told = runs.values(np.arange(len(runs)), {})
    for k in range(len(runs)):
        history, _ = pendulum().rk4_rollouts(
            [[told["q.hinge"][k]]],
            [[0.0]],
            [0.0],
            0.01,
            20,
            every=20,
            parameters={"l": told["p.l"][k], "m": told["p.m"][k]},
        )
        assert found["q"][k, 0] == history[0, -1, 0]


def highest(t, q, u, runs):
    return {"highest": q[:, :, 0].max(axis=1), "times": np.tile(t, (len(q), 1))}


def test_a_measure_is_all_that_is_kept() -> None:
    found = study.run(pendulum(), falls(50), **STEPS, every=1, measure=highest, u=[0.1], start=2.0)
    whole = study.run(pendulum(), falls(50), **STEPS, every=1, u=[0.1], start=2.0)
    assert found.names == ("highest", "times", "failed")
    assert np.array_equal(found["highest"], whole["q"].max(axis=(1, 2)))
    np.testing.assert_allclose(found["times"][3], 2 + 0.01 * np.arange(21))


def test_runs_that_fail_are_told() -> None:
    runs = study.Listed({"p.m": [1.0, 0.0, 2.0, 0.0], "q.hinge": [0.1, 0.1, 0.1, 0.2]})
    found = study.run(pendulum(), runs, **STEPS)
    assert found.failed.tolist() == [1, 3]
    assert np.isnan(found["q"][[1, 3]]).all() and np.isfinite(found["q"][[0, 2]]).all()


def test_a_folder_goes_on_and_is_no_others(tmp_path: Path) -> None:
    folder = tmp_path / "falls"
    given = {**STEPS, "folder": folder, "chunk": 100}
    study.run(pendulum(), falls(), **given)
    (folder / "runs-000003.npz").unlink()
    (folder / ".unfinished-runs-000004.npz").write_bytes(b"half")
    stamps = {path.name: path.stat().st_mtime_ns for path in folder.glob("runs-*")}
    with pytest.raises(study.StudyError, match="runs 300 to 399 are not done"):
        _ = study.read(folder)["q"]
    again = study.run(pendulum(), falls(), **STEPS, folder=folder)
    assert np.array_equal(np.column_stack([again["q"], again["u"]]), alone())
    assert all((folder / name).stat().st_mtime_ns == stamp for name, stamp in stamps.items())
    assert not [*folder.glob(".unfinished-*")]
    for runs, more, told in (
        (falls(seed=6), {}, "runs"),
        (falls(), {"q": [0.1]}, "rollout"),
        (falls(999), {}, "size, runs"),
        (falls(), {"chunk": 50}, "chunk"),
        (falls(), {"format": "parquet"}, "format"),
    ):
        with pytest.raises(study.StudyError, match=f"another study, of other {told}"):
            study.run(pendulum(), runs, **{**STEPS, "folder": folder, **more})
    with (folder / "study.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(study.StudyError, match="another process works"):
            study.run(pendulum(), falls(), **given)
    (folder / "runs-000001.npz").write_bytes(b"PK, but damaged")
    with pytest.raises(study.StudyError, match=r"runs-000001.npz is damaged .* remove it"):
        _ = study.read(folder)["q"]
    (folder / "study.json").write_text("{")
    with pytest.raises(study.StudyError, match=r"study.json is damaged"):
        study.run(pendulum(), falls(), **given)
    with pytest.raises(study.StudyError, match="holds no study"):
        study.read(tmp_path)
    with pytest.raises(study.StudyError, match="is not empty and holds no study"):
        study.run(pendulum(), falls(), **{**given, "folder": tmp_path})


def test_optimize_finds_the_length_of_a_pendulum(tmp_path: Path) -> None:
    """Of the period of which its small swings come to rest at a quarter: l = 3 g (T/2 pi)^2 / 2 of
    a rod, by paper."""
    wanted = 0.35
    period = 2 * np.pi * np.sqrt(2 * wanted / (3 * 9.81))

    def cost(t, q, u, runs):
        return q[:, -1, 0] ** 2

    given = {
        "t_span": 0.25,
        "step": 0.25 / 50,
        "q": [0.02],
        "generations": 14,
        "population": 16,
        "folder": tmp_path / "search",
    }
    assert abs(period / 4 - 0.25) < 0.02  # a length near it hangs straight down then
    true = 3 * 9.81 * (4 * 0.25 / (2 * np.pi)) ** 2 / 2
    found = study.optimize(pendulum(), cost, {"p.l": (0.2, 0.6)}, **given)
    assert abs(found.values["p.l"] - true) < 2e-3
    assert (np.diff(found.costs) <= 0).all() and found.runs == 14 * 16
    stamps = [path.stat().st_mtime_ns for path in sorted((tmp_path / "search").rglob("runs-*"))]
    again = study.optimize(pendulum(), cost, {"p.l": (0.2, 0.6)}, **given)
    assert again.values == found.values and np.array_equal(again.costs, found.costs)
    assert stamps == [
        path.stat().st_mtime_ns for path in sorted((tmp_path / "search").rglob("runs-*"))
    ]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"runs": 7}, "runs: give Grid, Random or Listed, not int"),
        ({"t_span": -1}, "t_span is -1; give a positive number"),
        ({"step": 0.03}, "no whole number of steps"),
        ({"every": 3}, "every is 3, which does not divide 20 steps"),
        ({"format": "csv"}, "format: no 'csv'"),
        ({"chunk": 0}, "chunk is 0"),
        ({"threads": 1.5}, "threads is 1.5"),
        ({"q": [1, 2]}, "q"),
        ({"tau": {"elbow": 1}}, "elbow"),
        ({"parameters": {"k": 1}}, "no tunable 'k'"),
        ({"arguments": {"kq": 1}}, "arguments: no 'kq' among"),
        ({"measure": 3}, "measure: give a function"),
        ({"measure": lambda t, q, u, runs: q}, "return a mapping"),
        ({"measure": lambda t, q, u, runs: {"a": 1.0}}, r"'a' has shape \(\)"),
        ({"measure": lambda t, q, u, runs: {"a b": q}}, "give an identifier"),
        ({"client": "tcp://here"}, "client: give a distributed.Client|needs Dask"),
        ({"runs": study.Grid({"p.length": [1]})}, "'p.length', which is none of"),
        ({"model": "pendulum.toml"}, "model: give a compiled one"),
    ],
)
def test_bad_input(change: dict[str, object], text: str) -> None:
    given = {"model": pendulum(), "runs": falls(10), **STEPS, **change}
    with pytest.raises(ValueError, match=text):
        study.run(**given)  # type: ignore[arg-type]


def test_models_without_lanes_say_how_to_build_them() -> None:
    plain = eomc.build("examples/models/pendulum.toml", functions=FUNCTIONS)
    with pytest.raises(AttributeError, match="build it with lanes="):
        study.run(plain, falls(10), **STEPS)


@pytest.mark.parametrize(
    ("bounds", "text"),
    [
        ({}, "bounds: give a mapping"),
        ({"p.l": 3}, r"bounds of 'p.l': give \(low, high\)"),
        ({"p.l": (2, 1)}, "give finite low < high"),
    ],
)
def test_bad_bounds(bounds: object, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        study.optimize(pendulum(), lambda t, q, u, runs: q[:, 0, 0], bounds, **STEPS)  # type: ignore[arg-type]
