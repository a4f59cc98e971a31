"""Some sections of a record measured again on the same machine; the rest stands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.report import SPEED, as_json
from benchmarks.section import Section


def updated(
    page: Path, facts: Mapping[str, str], sections: Sequence[Section]
) -> tuple[str, dict[str, Any]]:
    """Text and figures of a record with these sections and their targets in place of the old.

    Raises ValueError if the record was made by another machine or other versions, or lacks a
    section; `python -m benchmarks --write FILE.md` makes it whole.
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
            raise ValueError(f"{page.name} has no section {section.title!r}: make it anew")
        for target in section.targets:
            what, *rest = target.row()
            line = re.compile(rf"^\| {re.escape(what)} \|.*$", re.M)
            text = line.sub(lambda _, row=(what, *rest): f"| {' | '.join(row)} |", text)  # type: ignore[misc]
    measured = {target["what"]: target for target in new["targets"]}
    figures["targets"] = [measured.get(old["what"], old) for old in figures["targets"]]
    figures["sections"] |= new["sections"]
    if any(section.title == SPEED for section in sections):
        figures["results"] = new["results"]
    return text.rstrip() + "\n", figures
