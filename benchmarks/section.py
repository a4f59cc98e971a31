"""One part of the report: a table, how it was made, and the targets that it must meet."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.timing import pin_to_one_core


@dataclass(frozen=True)
class Target:
    """A figure beside what is wanted of it: at least `wanted`, or at most."""

    what: str
    value: float
    wanted: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        """True if the figure is as good as it must be."""
        return self.value <= self.wanted if self.at_most else self.value >= self.wanted

    def row(self) -> tuple[str, ...]:
        """Name, figure, limit, verdict."""
        sign = "≤" if self.at_most else "≥"
        verdict = "met" if self.met else "MISSED"
        return (self.what, f"{self.value:.3g}", f"{sign} {self.wanted:g}", verdict)


@dataclass(frozen=True)
class Section:
    """Rows of text for the page, and the same as plain figures for the file beside it."""

    title: str
    text: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: Sequence[dict[str, Any]] = ()
    notes: Sequence[str] = ()
    targets: Sequence[Target] = field(default_factory=tuple)

    def markdown(self) -> str:
        """Heading, explanation, table, notes."""
        notes = "\n".join(f"- {note}" for note in self.notes)
        parts = (f"## {self.title}", self.text, table(self.head, self.rows), notes)
        return "\n\n".join(part for part in parts if part)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines: list[Sequence[object]] = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def targets_table(targets: Iterable[Target]) -> str:
    """All targets as a Markdown table."""
    return table(("target", "measured", "wanted", ""), [target.row() for target in targets])


def print_alone(make: Callable[[Path], Section]) -> None:
    """Print a section made on one core, in a folder of its own, and its targets."""
    pin_to_one_core()
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder))
    print(made.markdown())
    for target in made.targets:
        print("- " + ", ".join(target.row()))


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """The power of the size that fits the values best."""
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])
