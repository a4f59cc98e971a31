"""``eomc doctor`` on machines that lack something."""

from __future__ import annotations

import json
import os
import tomllib
import webbrowser
from importlib import metadata
from pathlib import Path
from typing import Any, NoReturn

import pytest
from cli.command import Command

from eomc.cli import doctor
from eomc.codegen import compiler


def findings(command: Command) -> dict[str, dict[str, str]]:
    done = command("doctor", "--json")
    assert done.code == 0
    return {entry["part"]: entry for entry in json.loads(done.out)}


def test_ten_lines(eomc: Command) -> None:
    done = eomc("doctor")
    lines = done.out.splitlines()
    assert done.code == 0 and len(lines) >= 10
    assert [line.split()[0] for line in lines[:10]] == list(findings(eomc))


def test_without_a_compiler_ziglang_is_offered(
    eomc: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler, "_on_path", lambda command: None)
    monkeypatch.setattr(compiler, "zig_command", list)
    monkeypatch.delenv("CC", raising=False)
    found = findings(eomc)["compiler"]
    assert found["state"] == "none"
    assert "pip install 'eomc[compiler]' brings one, ziglang" in found["missing"]


def test_each_lack_has_a_cost(
    eomc: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    def alone(package: str) -> str:
        if package == "eomc":
            return "1.0"
        raise metadata.PackageNotFoundError

    def nowhere(*_: object) -> NoReturn:
        raise webbrowser.Error

    monkeypatch.setattr(doctor.metadata, "version", alone)
    monkeypatch.setattr(webbrowser, "get", nowhere)
    monkeypatch.setenv("EOMC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
    found = findings(eomc)
    assert found["extras"]["state"] == "none"
    assert "urdf (URDF files)" in found["extras"]["missing"]
    assert "EOMC_CACHE_DIR" in found["cache"]["missing"]
    assert "one thread" in found["threads"]["missing"]
    assert "eomc view --out" in found["browser"]["missing"]


def test_extras_are_those_of_the_package() -> None:
    file = Path(__file__).parents[2] / "pyproject.toml"
    project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
    assert set(doctor.EXTRAS) <= set(project["optional-dependencies"])
    assert "yourdfpy" in doctor.requirements("urdf")
