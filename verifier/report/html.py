"""The report as one HTML page: no script, no link, pictures inside."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape

from eomc.verifier.report.figures import figures
from eomc.verifier.report.markdown import facts
from eomc.verifier.report.report import Report
from eomc.verifier.report.text import COLUMNS, numbers, rows
from eomc.verifier.report.verdict import absent, sentence
from eomc.verifier.report.wide_bound import alarming, wide_bound
from eomc.verifier.subject.check import CheckOutcome

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border: 1px solid #ccc; padding: .3em .6em; text-align: left; vertical-align: top; }
th { background: #f2f2f2; }
.pass { color: #14692b; } .breach { color: #b00020; font-weight: bold; } .skipped { color: #777; }
img { max-width: 100%; } figcaption { color: #555; } dt { font-weight: bold; }
code { overflow-wrap: anywhere; }
"""


def html(report: Report) -> str:
    """Summary, table of the checks, pictures, each check in detail, how to repeat it, states."""
    name = escape(report.model)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Verification of {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>Verification of {name}</h1>\n{body(report)}\n</body>\n</html>\n"
    )


def body(report: Report) -> str:
    """Content of the page below its head, for pages around it too."""
    parts = [
        f'<p class="{"pass" if report.ok else "breach"}">{escape(sentence(report))}</p>',
        f"<p>{report.nq} coordinates, {report.nu} speeds. An error is compared "
        " with what is allowed in the same state; the worst is the one nearest to (or "
        "farthest beyond) its own tolerance.</p>",
        _table(COLUMNS, rows(report), verdicts=1),
        f"<p>{escape(absent(report))}</p>",
    ]
    for caption, picture in figures(report).items():
        data = base64.b64encode(picture).decode("ascii")
        parts.append(
            f'<figure><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>"
        )
    parts.append("<h3>Checks</h3>")
    parts += [_check(outcome) for outcome in report.outcomes if not outcome.is_absent]
    parts += ["<h3>To repeat it</h3>", _table(("what", "value"), facts(report))]
    parts += ["<h3>States</h3>", _states(report)]
    return "\n".join(parts)


def _states(report: Report) -> str:
    """The arguments of the functions in every state, folded; and what was left out."""
    lines = []
    for label, values in zip(report.states, report.values, strict=False):
        found = [(name, numbers(value)) for name, value in values.items() if name != "label"]
        lines.append(f"<details><summary>{escape(label)}</summary>")
        lines.append(f"{_table(('argument', 'value'), found)}</details>")
    if not report.values:
        lines += ["<ul>", *(f"<li>{escape(label)}</li>" for label in report.states), "</ul>"]
    left = [f"<li>{escape(label)}: left out, not defined there</li>" for label in report.undefined]
    return "\n".join([*lines, *(["<ul>", *left, "</ul>"] if left else [])])


def _check(outcome: CheckOutcome) -> str:
    check = outcome.check
    parts = [
        f'<h4>{escape(check.name)}: <span class="{outcome.verdict}">{outcome.verdict}</span></h4>',
        "<dl>",
    ]
    pairs = [
        ("compares", check.compares),
        ("reference", check.reference),
        ("tolerance", check.tolerance),
    ]
    if outcome.reason:
        pairs.append(("skipped", outcome.reason))
    if note := wide_bound(outcome):
        pairs.append(("note", note))
    pairs += [("looks large", text) for text in alarming(outcome)]
    if outcome.worst is not None:
        worst = outcome.worst
        pairs.append(
            (
                f"worst of {len(outcome.comparisons)}",
                f"{worst.what} in state {worst.state!r}, error {worst.error:.3g}, allowed "
                f"{worst.allowed:.3g}",
            )
        )
    parts += [f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in pairs]
    parts.append("</dl>")
    if outcome.breaches:
        found = [
            (c.what, c.state, f"{c.error:.3g}", f"{c.allowed:.3g}") for c in outcome.breaches[:20]
        ]
        parts.append(f"<p>{len(outcome.breaches)} breaches:</p>")
        parts.append(_table(("what", "state", "error", "allowed"), found))
    return "\n".join(parts)


def _table(heads: Iterable[str], body: Iterable[Iterable[str]], verdicts: int | None = None) -> str:
    lines = ["<table>", "<tr>" + "".join(f"<th>{escape(h)}</th>" for h in heads) + "</tr>"]
    for row in body:
        cells = list(row)
        texts = [
            f'<td class="{cell}">{cell}</td>' if k == verdicts else f"<td>{escape(cell)}</td>"
            for k, cell in enumerate(cells)
        ]
        lines.append("<tr>" + "".join(texts) + "</tr>")
    return "\n".join([*lines, "</table>"])
