"""Public names stand in the glossary, or are words that every reader knows."""

from __future__ import annotations

import importlib.util
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import eomc
import eomc.runtime
import eomc.runtime.control
from eomc.cli.application import application
from eomc.derive.model import Model

HOUSE = Path(__file__).parents[2]


def _table() -> Any:
    spec = importlib.util.spec_from_file_location("glossary", HOUSE / "docs" / "glossary.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GLOSSARY = _table()
PLAIN = set(GLOSSARY.PLAIN.split())


def _arguments() -> Iterator[tuple[str, str]]:
    for package in (eomc, eomc.runtime, eomc.runtime.control):
        for name in package.__all__:
            made = getattr(package, name)
            if callable(made):
                for parameter in inspect.signature(made).parameters.values():
                    if parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
                        yield parameter.name, f"{package.__name__}.{name}"


def _options() -> Iterator[tuple[str, str]]:
    def of(command: Any, name: str) -> Iterator[tuple[str, str]]:
        for word, part in getattr(command, "commands", {}).items():
            yield from of(part, word)
        for parameter in command.params:
            for option in (*parameter.opts, *parameter.secondary_opts):
                plain = (
                    option.removeprefix("--no-") if option in parameter.secondary_opts else option
                )
                yield plain.removeprefix("--") if plain != option else option, f"eomc {name}"

    yield from of(typer.main.get_command(application()), "")


def _keys() -> Iterator[tuple[str, str]]:
    model = Model()
    own = {kind.word for kind in Model.kinds() if not kind.__module__.startswith("eomc.derive.")}
    for table in sorted({*model.tables(), *model.composites()} - own):
        yield table, "TOML"
        for parameter in inspect.signature(getattr(model, table)).parameters.values():
            if parameter.kind is not parameter.VAR_KEYWORD and parameter.name != "source":
                yield parameter.name, f"[[{table}]]"


def _manifest() -> Iterator[tuple[str, str]]:
    told = json.loads((HOUSE / "generated/pendulum_double/pendulum_double.json").read_text())
    assert told["version"] == 2
    yield from ((key, "manifest") for key in told)
    for table in ("functions",):
        yield from ((key, table) for entry in told[table].values() for key in entry)
    for name in ("four_bar", "flexible_arm"):
        program = eomc.equations(HOUSE / "examples/models" / f"{name}.toml").program(
            ["mass_matrix"]
        )
        yield from ((key, "metadata") for key in program.metadata)


PLACES = {2: _arguments, 3: _options, 4: _keys, 5: _manifest}


@pytest.mark.parametrize("column", PLACES)
def test_public_names_stand_in_the_glossary(column: int) -> None:
    known = {name for row in GLOSSARY.rows() for name in row[column].split()}
    missing = {
        name: place
        for name, place in PLACES[column]()
        if name not in known and name.strip("-").replace("-", "_") not in PLAIN
    }
    assert missing == {}


def test_the_page_is_made_from_the_table() -> None:
    assert all(len(row) == 6 for row in GLOSSARY.rows())
    assert GLOSSARY.PAGE.read_text(encoding="utf-8") == GLOSSARY.page()


def test_names_of_the_glossary_exist() -> None:
    """Options and keys of the table are taken by a command, or a table of a file."""
    for column, more in ((3, set()), (4, {"version"})):
        taken = {name for name, _ in PLACES[column]()} | more | PLAIN
        named = {name for row in GLOSSARY.rows() for name in row[column].split()}
        assert named - taken == set()
