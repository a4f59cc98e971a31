"""The report as a table on the terminal."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from eomc.verifier.report.report import Report
from eomc.verifier.report.verdict import absent, in_order, sentence

COLUMNS = ("check", "verdict", "worst error", "allowed", "where", "compared")
_STYLES = {"pass": "green", "breach": "bold red"}
_AS_IT_IS: dict[str, Any] = {"markup": False, "highlight": False}
_SHOWN = 5
"""Breaches of a check that are told one by one."""


def rows(report: Report) -> list[tuple[str, ...]]:
    """One row a check that was made, breaches first: name, verdict, worst error and its tolerance,
    where, how many compared."""
    found: list[tuple[str, ...]] = []
    for outcome in in_order(report):
        worst = outcome.worst
        assert worst is not None
        unit = " ulp" if outcome.check.tolerance.startswith("error in ulp") else ""
        found.append(
            (
                outcome.check.name,
                outcome.verdict,
                f"{worst.error:.2g}{unit}",
                f"{worst.allowed:.2g}{unit}",
                f"{worst.what} | {worst.state}",
                str(len(outcome.comparisons)),
            )
        )
    return found


def numbers(value: Any) -> str:
    """The entries of an array with all their digits, so that a state can be copied.

    >>> numbers([0.1, -2.0])
    '0.1, -2.0'
    """
    if isinstance(value, list | tuple):
        return ", ".join(map(numbers, value))
    return repr(value)


def printed(report: Report, console: Console) -> None:
    """The verdict, breaches in full, the table, and what is not in the model.

    Names are never cut: where lines are too short for the place of the worst error, the table of
    checks that passed leaves it out.
    """
    console.print(sentence(report), style="" if report.ok else "bold red", **_AS_IT_IS)
    for outcome in in_order(report):
        for c in outcome.breaches[:_SHOWN]:
            text = f"  {outcome.check.name}: {c.what} in state {c.state}: error {c.error:.2g}"
            console.print(f"{text}, allowed {c.allowed:.2g}", **_AS_IT_IS)
        if (more := len(outcome.breaches) - _SHOWN) > 0:
            console.print(f"  {outcome.check.name}: {more} more of {len(outcome.comparisons)}")
    found = rows(report)
    widths = [max(map(len, column)) for column in zip(COLUMNS, *found, strict=True)]
    is_short = sum(widths) + 2 * len(widths) > console.width
    columns = [k for k, name in enumerate(COLUMNS) if not (is_short and name == "where")]
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for k in columns:
        right = COLUMNS[k] in ("worst error", "allowed", "compared")
        table.add_column(COLUMNS[k], justify="right" if right else "left", no_wrap=True)
    for row in found:
        cells = [Text(cell, style=_STYLES.get(cell, "")) for cell in row]
        table.add_row(*(cells[k] for k in columns))
    console.print(table)
    for line in (absent(report), *report.limits):
        if line:
            console.print(line, **_AS_IT_IS)


def table_text(report: Report, width: int = 120) -> str:
    """The same as plain text."""
    stream = StringIO()
    printed(report, Console(file=stream, width=width, no_color=True))
    return stream.getvalue()
