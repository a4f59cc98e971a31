"""Some sections of a record measured again on the same machine; the rest stands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.report import SPEED, as_json
from benchmarks.section import Section, Target, targets_table


def updated(
    page: Path, facts: Mapping[str, str], sections: Sequence[Section]
) -> tuple[str, dict[str, Any]]:
    """Text and figures of a record with these sections and their targets in place of the old; new
    sections come last, new targets follow those before them.

    Raises ValueError if the record was made by another machine or other versions;
    `python -m benchmarks --write FILE.md` makes it whole.
    """
    text = page.read_text(encoding="utf-8")
    figures = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    if figures["machine"] != dict(facts):
        raise ValueError(f"{page.name} was made by another machine or other versions: make it anew")
    new = as_json(facts, sections)
    for section in sections:
        part = re.compile(rf"^## {re.escape(section.title)}\n.*?(?=^## |\Z)", re.DOTALL | re.M)
        written = section.markdown() + "\n\n"
        text, found = part.subn(lambda _, written=written: written, text)  # type: ignore[misc]
        if not found:
            text = f"{text.rstrip()}\n\n{written}"
    figures["targets"] = merged(figures["targets"], new["targets"])
    shown = targets_table([Target(**_told(target)) for target in figures["targets"]])
    part = re.compile(r"^(## Targets\n\n).*?(?=\n+## |\Z)", re.DOTALL | re.M)
    text = part.sub(lambda head: head[1] + shown, text)
    figures["sections"] |= new["sections"]
    if any(section.title == SPEED for section in sections):
        figures["results"] = new["results"]
    return text.rstrip() + "\n", figures


def merged(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Targets measured anew in their places, others behind those measured before them.

    >>> merged([{"what": "a"}, {"what": "c"}], [{"what": "a", "value": 1}, {"what": "b"}])
    [{'what': 'a', 'value': 1}, {'what': 'b'}, {'what': 'c'}]
    """
    measured = {target["what"]: target for target in new}
    found = [measured.get(target["what"], target) for target in old]
    place = len(found)
    for target in new:
        if target not in found:
            found.insert(place, target)
        place = found.index(target) + 1
    return found


def _told(target: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a target in a record."""
    return {name: target[name] for name in ("what", "value", "wanted", "at_most")}
