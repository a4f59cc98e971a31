"""Long derivations and emissions tell how far they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import eomc
from eomc.codegen import emit
from eomc.derive.graph.progress import heard_by, say


def test_each_function_is_told_when_derived_and_when_written() -> None:
    model = eomc.Model("swing")
    model.body("bob", mass=1, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    heard: list[str] = []
    with heard_by(heard.append):
        program = eomc.equations(model).program(functions=["gravity", "mass_matrix"])
        emit(program)
    say("nobody listens")
    assert heard == [
        "deriving gravity of swing, 1 of 2",
        "deriving mass_matrix of swing, 2 of 2",
        "writing gravity of swing",
        "writing mass_matrix of swing",
    ]


def test_a_build_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []

    @contextmanager
    def shown(text: str) -> Iterator[Callable[[str], None]]:
        yield heard.append

    monkeypatch.setattr("eomc.building.sources.spinner", shown)
    model = eomc.Model("swing")
    model.body("bob", mass=1, com=(0, 0, -0.5))
    model.joint("hinge", "revolute", parent="world", child="bob", axis=(0, 1, 0))
    eomc.emit(model, tmp_path / "c", functions=["gravity"])
    assert heard == ["deriving gravity of swing, 1 of 1", "writing gravity of swing"]
