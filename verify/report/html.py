"""The report as one HTML page: no script, no link, pictures inside."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape

from eomc.verify.report.figures import figures
from eomc.verify.report.markdown import facts
from eomc.verify.report.report import Report
from eomc.verify.report.text import COLUMNS, rows
from eomc.verify.report.wide_bound import wide_bound
from eomc.verify.subject.check import Outcome

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
    """Summary, table of the checks, pictures, each check in detail, how to repeat it."""
    verdict = "No breach" if report.ok else f"Breached: {', '.join(report.breaches) or 'nothing'}"
    name = escape(report.model)
    body = [
        f"<h1>Verification of {name}</h1>",
        f'<p class="{"pass" if report.ok else "breach"}">{escape(verdict)}</p>',
        f"<p>{len(report.states)} states, {report.nq} coordinates, {report.nu} speeds. An error is "
        "compared with what is allowed in the same state; the worst is the one nearest to (or "
        "farthest beyond) its own tolerance.</p>",
        _table(COLUMNS, rows(report), verdicts=1),
    ]
    for caption, picture in figures(report).items():
        data = base64.b64encode(picture).decode("ascii")
        body.append(
            f'<figure><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
            f"<figcaption>{escape(caption)}</figcaption></figure>"
        )
    body.append("<h2>Checks</h2>")
    body += [_check(outcome) for outcome in report.outcomes]
    body += ["<h2>To repeat it</h2>", _table(("what", "value"), facts(report))]
    body += ["<h2>States</h2>", "<ul>"]
    body += [f"<li>{escape(label)}</li>" for label in report.states]
    body += [f"<li>{escape(s)}: left out, not defined there</li>" for s in report.undefined]
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>Verification of {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</ul>\n</body>\n</html>\n"
    )


def _check(outcome: Outcome) -> str:
    check = outcome.check
    parts = [
        f'<h3>{escape(check.name)}: <span class="{outcome.verdict}">{outcome.verdict}</span></h3>',
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
