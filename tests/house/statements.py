"""Statements of source files, each file parsed once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PARTS = ("body", "orelse", "finalbody", "handlers", "cases")


@cache
def statements(path: Path) -> tuple[ast.AST, ...]:
    """All statements of a file, also those inside of others; expressions are not searched."""
    return tuple(within(ast.parse(path.read_text(encoding="utf-8"))))


def within(node: ast.AST) -> Iterator[ast.AST]:
    """Statements inside of one, or of a module."""
    for part in PARTS:
        for child in getattr(node, part, ()):
            yield child
            yield from within(child)
