"""Statements that mutants are in: what one run passes as a whole, and one fault of each tries."""

from __future__ import annotations

import ast
from functools import cache

from verification.mutants.mutant import ROOT, Mutant

Statement = tuple[str, int]
"""File and first line."""


def statement_of(mutant: Mutant) -> Statement:
    """Of a template its line, as of what is in no function."""
    is_python = mutant.file.endswith(".py")
    lines = statement_lines(mutant.file, mutant.line) if is_python else None
    return mutant.file, min(lines) if lines else mutant.line


@cache
def _statements(file: str) -> list[tuple[int, int]]:
    """First and last lines of the statements of functions, without those inside them."""
    found = []
    for function in ast.walk(ast.parse((ROOT / file).read_bytes())):
        if not isinstance(function, ast.FunctionDef | ast.Lambda):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.stmt) and node is not function:
                body = getattr(node, "body", None)
                last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
                found.append((node.lineno, max(last, node.lineno)))
    return found


def statement_lines(file: str, line: int) -> set[int] | None:
    """Lines of the smallest statement of Python that holds the line; None if no function does."""
    around = [(b - a, a, b) for a, b in _statements(file) if a <= line <= b]
    if not around:
        return None
    _, first, last = min(around)
    return set(range(first, last + 1))
