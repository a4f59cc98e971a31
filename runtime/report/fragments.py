"""Pieces of pages: tables, pictures and notes, of text that is never read as markup."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def number(value: float) -> str:
    """Six figures; infinite is told by a sign.

    >>> number(0.123456789), number(float("inf"))
    ('0.123457', '∞')
    """
    return f"{value:.6g}".replace("inf", "∞")


def table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; numbers to the right, columns in which nothing stands left out.

    >>> table(["body", "note"], [["arm", ""]])
    '<table><tr><th>body</th></tr><tr><td>arm</td></tr></table>'
    """
    body = [list(row) for row in rows]
    kept = [k for k in range(len(heads)) if any(row[k] not in ("", None) for row in body)]
    lines = ["".join(f"<th>{escape(heads[k])}</th>" for k in kept)]
    lines += ["".join(_cell(row[k]) for k in kept) for row in body]
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>" if body else ""


def _cell(value: Any) -> str:
    if isinstance(value, Markup):
        return f"<td>{value}</td>"
    if isinstance(value, float | int) and not isinstance(value, bool):
        return f'<td class="n">{number(value)}</td>'
    return f"<td>{escape('' if value is None else str(value))}</td>"


class Markup(str):
    """Text that is HTML."""

    __slots__ = ()


def picture(png: bytes, caption: str, width: str = "") -> str:
    """A PNG inside the page, with what it shows below it."""
    data = base64.b64encode(png).decode("ascii")
    style = f' style="max-width:{width}"' if width else ""
    return (
        f'<figure{style}><img alt="{escape(caption)}" src="data:image/png;base64,{data}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def paragraph(text: str, kind: str = "") -> str:
    """A paragraph; of kind "note" it stands back."""
    return f"<p{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{escape(text)}</p>"


def folded(summary: str, inside: str) -> str:
    """Something long, shown when it is asked for."""
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"
