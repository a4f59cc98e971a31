"""The page of the command line, made from the parser itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from unittest import mock

import typer.main
from typer.testing import CliRunner

from eomc.cli.application import application

HEAD = """# The command line

Commands take a model file (TOML, URDF or another [format](formats.md)), or `file.py:name`, an
object in a Python file.

"""
WIDTH = "96"


def command_page() -> str:
    """Every command with what its `--help` says."""
    group: Any = typer.main.get_command(application())
    parts = [HEAD, _block(())]
    parts += [f"\n## eomc {' '.join(words)}\n\n{_block(words)}" for words in _commands(group)]
    return "".join(parts)


def _commands(group: Any, before: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    for name, command in group.commands.items():
        words = (*before, name)
        found += _commands(command, words) if hasattr(command, "commands") else [words]
    return found


def _block(words: tuple[str, ...]) -> str:
    with mock.patch.dict(os.environ, {"COLUMNS": WIDTH, "TERMINAL_WIDTH": WIDTH, "NO_COLOR": "1"}):
        result = CliRunner().invoke(application(words), [*words, "--help"], prog_name="eomc")
    if result.exit_code:
        raise RuntimeError(f"eomc {' '.join(words)} --help failed: {result.output}")
    lines = [line.rstrip() for line in result.output.strip("\n").splitlines()]
    return "```text\n" + "\n".join(lines) + "\n```\n"


def write_commands(folder: Path) -> None:
    """Write command_line.md into `folder`."""
    folder.mkdir(exist_ok=True)
    (folder / "command_line.md").write_text(command_page(), encoding="utf-8")
