"""The command ``eomc reproduce``: cases of a work as a table and as figures."""

from __future__ import annotations

import json as json_text
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import typer

from eomc.cli.errors import FAULT, CommandError, one_line
from eomc.cli.output import print_json
from eomc.cli.result_folder import result_folder
from eomc_published.case import Case, CaseCheck, CaseOutcome, shown
from eomc_published.work import Figure, PublishedWork, UnknownReferenceError, names, reference

_WIDTH = 150


def reproduce(
    name: str | None,
    case: list[int] | None = None,
    out: Path | None = None,
    *,
    figures: bool = True,
    checks: bool = False,
    json: bool = False,
) -> int:
    """Run the command; its options are those of `eomc.cli.reproduce`. Returns the exit code."""
    if name is None:
        _list(names(), json)
        return 0
    try:
        work = reference(name)
        cases = work.select(case or None)
    except UnknownReferenceError as error:
        raise CommandError(str(error)) from None
    folder = Path("reproduced") / name if out is None else out
    if figures and folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder} is a file; give a folder")
    outcomes = list(_run(cases))
    report: dict[str, Any] = {
        "reference": work.name,
        "title": work.title,
        "citation": work.citation,
        "cases": [outcome.as_dict() for outcome in outcomes],
    }
    if figures:
        report["figures"] = _write(work.figures_of(c.number for c in cases), report, folder)
    if json:
        print_json(report)
    else:
        _print(work, outcomes, checks, report.get("figures", []))
    return FAULT if any(outcome.failed for outcome in outcomes) else 0


def _list(names: Iterable[str], json: bool) -> None:
    works = [reference(name) for name in names]
    if json:
        print_json({work.name: {"title": work.title, "cases": len(work.cases)} for work in works})
        return
    for work in works:
        typer.echo(f"{work.name}: {work.title}, {len(work.cases)} cases. {work.citation}")


def _run(cases: Sequence[Case]) -> Iterable[CaseOutcome]:
    """Evaluate the cases one by one; one that breaks down fails, the others still run."""
    from eomc.runtime.output.progress import spinner

    for place, case in enumerate(cases, 1):
        start = time.perf_counter()
        with spinner(f"case {case.number} ({place} of {len(cases)}): {case.title}"):
            try:
                outcome = case.run()
            except Exception as error:
                seconds = time.perf_counter() - start
                reason = f"{type(error).__name__}: {one_line(str(error))}"
                outcome = CaseOutcome(case, (), seconds, reason)
        yield outcome


def _write(figures: Sequence[Figure], report: dict[str, Any], folder: Path) -> list[str]:
    """Figures and cases.json in the folder; their paths."""
    from eomc.runtime.output.progress import spinner

    try:
        import matplotlib  # noqa: F401
    except ImportError:
        print("eomc: no figures: they need matplotlib, pip install 'eomc[plot]'", file=sys.stderr)
        figures = ()
    drawn = []
    with result_folder(folder) as staging:
        for figure in figures:
            with spinner(f"drawing {figure.title}"):
                try:
                    figure.draw(staging / f"{figure.name}.png")
                except Exception as error:  # what a failed case would show; the table still comes
                    reason = f"{type(error).__name__}: {one_line(str(error))}"
                    print(f"eomc: no figure {figure.name!r}: {reason}", file=sys.stderr)
                else:
                    drawn.append(str(folder / f"{figure.name}.png"))
        text = json_text.dumps(report, indent=2, allow_nan=False)
        (staging / "cases.json").write_text(text + "\n", encoding="utf-8")
    return drawn


def _print(
    work: PublishedWork, outcomes: Sequence[CaseOutcome], all_checks: bool, pictures: Sequence[str]
) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=SIMPLE, expand=True, title=f"{work.title}\n{work.citation}", title_justify="left"
    )
    table.add_column("case", justify="right", no_wrap=True)
    table.add_column("what", overflow="fold", ratio=5)
    table.add_column("expected", overflow="fold", ratio=3)
    table.add_column("got", overflow="fold", ratio=3)
    table.add_column("tolerance", justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    for outcome in outcomes:
        number = f"{outcome.case.number}{_mark(outcome.case)}"
        shown_checks = outcome.checks if all_checks else _decisive(outcome.checks)
        style = "green" if outcome.passed else "yellow" if outcome.skipped else "bold red"
        verdict = Text(outcome.verdict, style=style)
        count = len(outcome.checks)
        what = f"{outcome.case.title} ({count} check{'' if count == 1 else 's'})"
        if outcome.error:
            what += f"\n{outcome.error}"
        if outcome.skipped:
            what = f"{outcome.case.title}\n{outcome.case.unavailable}"
        table.add_row(number, Text(what, style="bold"), "", "", "", verdict)
        for check in shown_checks:
            table.add_row("", *(Text(cell) for cell in _cells(check)))
    console = Console()
    if not console.is_terminal:
        console = Console(width=_WIDTH)
    console.print(table)
    if any(_mark(outcome.case) for outcome in outcomes):
        typer.echo("* expected values recomputed from the data of the source, which prints none")
    for outcome in outcomes:
        if outcome.case.note:
            typer.echo(f"case {outcome.case.number}: {outcome.case.note}")
    for picture in pictures:
        typer.echo(picture)
    failed = [str(outcome.case.number) for outcome in outcomes if outcome.failed]
    skipped = [str(outcome.case.number) for outcome in outcomes if outcome.skipped]
    passed = len(outcomes) - len(failed) - len(skipped)
    ending = f", failed: {', '.join(failed)}" if failed else ""
    ending += f", skipped: {', '.join(skipped)}" if skipped else ""
    typer.echo(f"{passed} of {len(outcomes)} cases pass{ending}")


def _mark(case: Case) -> str:
    return "*" if case.provenance == "reconstructed" else ""


def _decisive(checks: Sequence[CaseCheck]) -> Sequence[CaseCheck]:
    """All that failed, else the one that comes nearest to its tolerance."""
    failed = [check for check in checks if not check.passed]
    if failed or not checks:
        return failed

    def used(check: CaseCheck) -> float:
        deviation = check.deviation if check.deviation is not None else check.got
        if check.tolerance and isinstance(deviation, int | float):
            return float(deviation) / check.tolerance
        return -1.0

    return [max(checks, key=used)]


def _cells(check: CaseCheck) -> tuple[str, str, str, str, str]:
    tolerance = "" if check.tolerance is None else f"{check.tolerance:.3g}"
    return check.quantity, shown(check.expected), shown(check.got), tolerance, check.verdict
