"""The report as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from eomc.verifier.report.report import Report
from eomc.verifier.report.text import COLUMNS, numbers, rows
from eomc.verifier.report.verdict import absent, sentence
from eomc.verifier.report.wide_bound import alarming, wide_bound
from eomc.verifier.subject.check import CheckOutcome


def markdown(report: Report, figures: Mapping[str, str]) -> str:
    """Summary, table of the checks, each check in detail, pictures, how to repeat it."""
    lines = [
        f"# Verification of {_cell(report.model)}",
        "",
        f"**{_cell(sentence(report))}.** {report.nq} coordinates, {report.nu} speeds.",
        "",
        *_table(COLUMNS, rows(report)),
        "",
        "An error is compared with what is allowed in the same state; the worst is the one nearest "
        "to (or farthest beyond) its own tolerance.",
        "",
    ]
    lines += [_cell(absent(report)), ""] if absent(report) else []
    for caption, place in figures.items():
        lines += [f"![{caption}]({place})", "", f"*{caption}*", ""]
    lines += ["## Checks", ""]
    for outcome in report.outcomes:
        lines += [] if outcome.is_absent else _check(outcome)
    lines += ["## To repeat it", ""]
    lines += _table(("what", "value"), facts(report))
    lines += ["", "## States", ""]
    values = report.values or ({},) * len(report.states)
    for label, state in zip(report.states, values, strict=True):
        lines.append(f"- {_cell(label)}")
        found = {name: value for name, value in state.items() if name != "label"}
        lines += [f"  - {name}: `{_cell(numbers(value))}`" for name, value in found.items()]
    lines += [f"- {_cell(label)}: left out, not defined there" for label in report.undefined]
    return "\n".join(lines) + "\n"


def facts(report: Report) -> list[tuple[str, str]]:
    """Hashes, seed and versions."""
    return [
        ("model, SHA-256", report.model_hash),
        ("emitted sources, SHA-256", report.sources_hash),
        ("seed", str(report.seed)),
        *(("limit", sentence) for sentence in report.limits),
        ("random states", str(sum(s.startswith("random ") for s in report.states))),
        *report.versions.items(),
    ]


def _check(outcome: CheckOutcome) -> list[str]:
    check = outcome.check
    lines = [
        f"### {check.name}: {outcome.verdict}",
        "",
        f"- compares: {_cell(check.compares)}",
        f"- reference: {_cell(check.reference)}",
        f"- tolerance: {_cell(check.tolerance)}",
    ]
    if outcome.reason:
        lines.append(f"- skipped: {_cell(outcome.reason)}")
    if outcome.worst is not None:
        worst = outcome.worst
        lines.append(
            f"- worst of {len(outcome.comparisons)}: {_cell(worst.what)} in state "
            f"{_cell(worst.state)}, error {worst.error:.3g}, allowed {worst.allowed:.3g}"
        )
    if note := wide_bound(outcome):
        lines.append(f"- note: {_cell(note)}")
    lines += [f"- looks large: {_cell(text)}" for text in alarming(outcome)]
    if outcome.breaches:
        found = [
            (c.what, c.state, f"{c.error:.3g}", f"{c.allowed:.3g}") for c in outcome.breaches[:20]
        ]
        lines += ["", f"{len(outcome.breaches)} breaches:", ""]
        lines += _table(("what", "state", "error", "allowed"), found)
    return [*lines, ""]


def _table(heads: Iterable[str], body: Iterable[Iterable[str]]) -> list[str]:
    heads = list(heads)
    lines = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}"]
    return lines + [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in body]


def _cell(text: str) -> str:
    """Text that neither breaks a table nor is read as HTML."""
    text = " ".join(str(text).split())
    for character, instead in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("|", "\\|")):
        text = text.replace(character, instead)
    return text
