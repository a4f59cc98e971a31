"""The report as a table on the terminal."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich.console import Console
from rich.table import Table

from eomc.verify.report.report import Report

COLUMNS = ("check", "verdict", "worst error", "allowed", "where", "compared")
_STYLES = {"pass": "green", "breach": "bold red", "skipped": "dim"}


def rows(report: Report) -> list[tuple[str, ...]]:
    """One row a check: name, verdict, worst error and its tolerance, where, how many compared."""
    found: list[tuple[str, ...]] = []
    for outcome in report.outcomes:
        worst = outcome.worst
        if worst is None:
            found.append((outcome.check.name, outcome.verdict, "", "", outcome.reason, "0"))
            continue
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


def table(report: Report) -> Table:
    """The table of all checks."""
    title = f"{report.model}: {len(report.states)} states, seed {report.seed}"
    result = Table(title=title, caption="\n".join(report.limits) or None)
    for name in COLUMNS:
        right = name in ("worst error", "allowed", "compared")
        result.add_column(name, justify="right" if right else "left")
    for row in rows(report):
        result.add_row(row[0], f"[{_STYLES[row[1]]}]{row[1]}[/]", *row[2:])
    return result


def table_text(report: Report, width: int = 120) -> str:
    """The table as plain text."""
    stream = StringIO()
    Console(file=stream, width=width, no_color=True).print(table(report))
    return stream.getvalue()
