"""Share of the package that the quick part of the suite runs: `python docs/coverage_tables.py`.

`make test-all` leaves the measurement of SlipCover in `build/coverage.json`: of every file the
lines and branches that ran, in the processes of the tests (what tests start as programs of their
own is not seen). `--write` keeps the sums of the folders for the page, `--least` fails where
branches that run fell behind that record.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from reference_tables import table

HERE = Path(__file__).parent
RECORD = HERE / "coverage.json"
SLACK = 0.5
"""Percent of branches by which random examples and the order of tests let runs differ."""

_COUNTED = ("covered_lines", "missing_lines", "covered_branches", "missing_branches")


def rooms(measured: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Counts of lines and branches by folder, two deep."""
    found: dict[str, Counter[str]] = {}
    for name, file in measured["files"].items():
        folder = "/".join(Path(name).parts[:-1][:2])
        found.setdefault(folder, Counter()).update({k: file["summary"][k] for k in _COUNTED})
    return {folder: {k: found[folder][k] for k in _COUNTED} for folder in sorted(found)}


def percent(counts: dict[str, int], what: str) -> float:
    """Of 100 lines or branches those that ran; 100 of none."""
    ran, missing = counts[f"covered_{what}"], counts[f"missing_{what}"]
    return 100.0 * ran / (ran + missing) if ran + missing else 100.0


def total(found: dict[str, dict[str, int]]) -> dict[str, int]:
    """The sums of all folders."""
    return {k: sum(counts[k] for counts in found.values()) for k in _COUNTED}


def write_coverage(folder: Path) -> None:
    """The table of the page, from the record."""
    found = json.loads(RECORD.read_text(encoding="utf-8"))
    rows = [_row(f"`{name}`", counts) for name, counts in found.items()]
    made = table(("folder", "lines", "run", "branches", "run"), [*rows, _row("all", total(found))])
    (folder / "coverage.md").write_text(made, encoding="utf-8")


def _row(name: str, counts: dict[str, int]) -> list[str]:
    cells = [name]
    for what in ("lines", "branches"):
        number = counts[f"covered_{what}"] + counts[f"missing_{what}"]
        cells += [str(number), f"{percent(counts, what):.1f} %"]
    return cells


def main() -> None:
    """Sums of a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measured", type=Path, help="what SlipCover wrote")
    parser.add_argument("--write", action="store_true", help="keep the sums for the page")
    parser.add_argument("--least", action="store_true", help="fail if fewer branches run than kept")
    asked = parser.parse_args()
    found = rooms(json.loads(asked.measured.read_text(encoding="utf-8")))
    everything = total(found)
    ran = percent(everything, "branches")
    print(f"{percent(everything, 'lines'):.1f} % of lines run, {ran:.1f} % of branches")
    if asked.write:
        RECORD.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if asked.least:
        kept = percent(total(json.loads(RECORD.read_text(encoding="utf-8"))), "branches")
        if ran < kept - SLACK:
            sys.exit(f"{kept:.1f} % of branches ran before: test what came, or delete it")


if __name__ == "__main__":
    main()
