"""Output of commands: JSON for programs, aligned columns for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def print_json(value: Any) -> None:
    """`value` as indented JSON."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False))


def print_table(rows: Iterable[Sequence[Any]], heads: Sequence[str] = (), indent: int = 2) -> None:
    """Rows in aligned columns; numbers to the right."""
    body = [[_text(cell) for cell in row] for row in rows]
    lines = [list(heads), *body] if heads else body
    if not body:
        return
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    numbers = [all(_is_number(line[k]) for line in body if line[k]) for k in range(len(widths))]
    for line in lines:
        cells = [
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numbers, strict=True)
        ]
        typer.echo(" " * indent + "  ".join(cells).rstrip())


def _text(cell: Any) -> str:
    return f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
