"""Options of ``eomc build``: lanes, flags, limits, the cache, and the report of sizes."""

import json
from pathlib import Path

import pytest
from cli.command import Command

FUNCTIONS = ("--function", "forward_dynamics", "--function", "mass_matrix")


@pytest.fixture
def arm(pendulum: Path) -> Path:
    return pendulum.with_name("arm.toml")


def test_lanes_and_limits_shape_the_sources(eomc: Command, arm: Path, tmp_path: Path) -> None:
    out = tmp_path / "arm"
    options = ("--lanes", "4", "--file-limit", "20", "--out", out, "--sources-only")
    assert eomc("build", arm, *FUNCTIONS, *options).code == 0
    assert json.loads((out / "arm.json").read_text())["lanes"] == 4
    assert {"arm.c", "arm_2.c", "arm_lanes.c", "arm_lanes_2.c"} <= {p.name for p in out.iterdir()}
    assert "lanes is 3; valid are 1, 2, 4, 8, 16" in eomc("build", arm, "--lanes", "3").complaint
    assert "at least 1" in eomc("build", arm, "--piece-size", "0").complaint


def test_report_of_sizes(eomc: Command, arm: Path, tmp_path: Path) -> None:
    def size(*options: str) -> tuple[dict[str, dict[str, int]], Path]:
        cache = ("--cache-dir", tmp_path / "cache", "--report", "--json")
        said = json.loads(eomc("build", arm, *FUNCTIONS, *cache, *options).out)
        assert Path(said["library"]).is_relative_to(tmp_path / "cache")
        return {row.pop("name"): row for row in said["size"]}, Path(said["library"])

    rows, library = size("--lanes", "4")
    assert list(rows) == ["forward_dynamics", "mass_matrix", "everything else"]
    written = sum(path.stat().st_size for path in library.parent.glob("*.c"))
    assert sum(row["text"] for row in rows.values()) == written
    counts = json.loads(eomc("info", arm, "--json").out)["operations"]
    for name in ("forward_dynamics", "mass_matrix"):
        row = rows[name]
        assert row["operations"] >= counts[name] > 0  # sines and cosines too
        assert 0 < row["statements"] <= row["operations"]
        # x86-64 and AArch64 take four to a dozen bytes for an operation, and inline sines.
        assert row["operations"] < row["code"] < 100 * row["operations"]
        assert row["lanes_code"] > row["operations"]
    assert rows["forward_dynamics"]["code"] > rows["mass_matrix"]["code"]
    small, _ = size("--flags", "-Os")
    assert small["forward_dynamics"]["lanes_code"] is None
    assert small["forward_dynamics"]["code"] < rows["forward_dynamics"]["code"]


def test_report_as_a_table(eomc: Command, arm: Path, tmp_path: Path) -> None:
    answer = eomc("build", arm, *FUNCTIONS, "--cache-dir", tmp_path, "--report")
    head, *lines = answer.out.splitlines()[1:6]
    assert head.split("  ")[1].strip() == "function" and "code [B]" in head
    assert [line.split()[0] for line in lines] == [
        *("forward_dynamics", "mass_matrix", "everything", "total")
    ]
    refused = eomc("build", arm, "--report", "--sources-only").complaint
    assert "--report measures compiled functions" in refused


def test_odd_toolchains_are_told_in_a_sentence(
    eomc: Command, arm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = ("--cache-dir", tmp_path / "cache")
    assert 'flags is "-O1 \'"' in eomc("build", arm, "--flags", "-O1 '", *cache).complaint
    (tmp_path / "open").mkdir(mode=0o700)
    (tmp_path / "open").chmod(0o777)
    refused = eomc("build", arm, "--cache-dir", tmp_path / "open").complaint
    assert f"chmod go-w {tmp_path / 'open'}" in refused
    for command, words in (("gcc 'x", "No closing quotation"), ("true", "no C compiler")):
        monkeypatch.setenv("CC", command)
        assert words in eomc("build", arm, *cache).complaint


def test_emit_writes_what_build_would_compile(eomc: Command, arm: Path, tmp_path: Path) -> None:
    out, same = tmp_path / "emitted", tmp_path / "built"
    assert eomc("emit", arm, *FUNCTIONS, "--out", out, "--no-self-test").code == 0
    assert eomc("build", arm, *FUNCTIONS, "--out", same, "--sources-only").code == 0
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted(path.name for path in same.iterdir())
    assert all((out / name).read_bytes() == (same / name).read_bytes() for name in names)
    assert "double, float" in eomc("emit", arm, "--real", "half").complaint
