"""``eomc emit``: files of a model in any language, without a compiler."""

import json
from pathlib import Path

import pytest
from cli.command import Command


@pytest.mark.parametrize("target", ["c", "cpp", "cuda", "julia", "matlab", "rust"])
def test_files_of_every_language(
    eomc: Command, pendulum: Path, tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    out = tmp_path / "out"
    options = ("--target", target, "--function", "mass_matrix", "--out", out, "--json")
    said = json.loads(eomc("emit", pendulum, *options).out)
    assert said["sources"] == str(out)
    assert said["files"] == sorted(
        str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()
    )
    assert any("mass_matrix" in (out / file).read_text() for file in said["files"])


def test_refusals(eomc: Command, pendulum: Path, tmp_path: Path) -> None:
    def complaint(*options: str) -> str:
        answer = eomc("emit", pendulum, "--out", tmp_path / "out", *options)
        assert answer.code == 2
        assert not (tmp_path / "out").exists()
        return answer.complaint

    said = complaint("--target", "cobol")
    assert said.startswith("eomc: unknown target 'cobol'; valid are c, cpp, cuda, ")
    assert "valid are double, float" in complaint("--real", "half")
    assert "writes no loops over bodies" in complaint("--target", "rust", "--small")
    assert "lanes is 4; valid are 1" in complaint("--target", "rust", "--lanes", "4")
    assert "no such file" in complaint("--target", "mine.py")
