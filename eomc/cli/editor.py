"""Answers of editors about the text of a TOML model file: errors, meanings, places of names."""

from __future__ import annotations

import json
import re
import warnings
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["Fault", "definition", "faults", "hover"]

_HEADER = re.compile(r"^\s*\[\[\s*([\w-]+)\s*\]\]")
_KEY = re.compile(r"^\s*([\w-]+)\s*=")
_NAME = re.compile(r"""\bname\s*=\s*("[^"]*"|'[^']*')""")
_QUOTED = re.compile(r""""[^"\n]*"|'[^'\n]*'""")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Fault:
    """An error or a warning at a line, counted from 0."""

    line: int
    message: str
    is_warning: bool = False


def faults(text: str, file: str) -> list[Fault]:
    """The first error of reading and checking the model, and its warnings."""
    from eomc.derive.formats.toml import parse_toml
    from eomc.derive.language.errors import ModelError

    found: list[Fault] = []
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        try:
            parse_toml(text, file)
        except ModelError as error:
            line = error.source.line if error.source is not None else 0
            found.append(Fault(max(line - 1, 0), error.message))
    for entry in told:
        message = str(entry.message)
        place = re.match(rf"{re.escape(file)}:(\d+): ", message)
        line = int(place[1]) - 1 if place else 0
        found.append(Fault(line, message[place.end() :] if place else message, is_warning=True))
    return found


def hover(text: str, line: int, column: int) -> str | None:
    """Meaning and units of the table, the key or the name at a place; lines and columns from 0."""
    lines = text.splitlines()
    shown = lines[line] if line < len(lines) else ""
    table, kind = _table_at(lines, line)
    if (header := _HEADER.match(shown)) is not None:
        return _described(header[1], _definition_of(header[1]).get("description"))
    key = _KEY.match(shown)
    if key is not None and column <= key.end(1):
        return _of_key(table, kind, key[1])
    word = _word_at(shown, column)
    place = definition(text, line, column)
    if not word or place is None:
        return None
    owner, _ = _table_at(lines, place)
    values = dict(_entries(lines, place))
    told = [f"{values[entry]}" for entry in ("value", "units", "kind", "mass") if entry in values]
    return _described(f"{owner} {word}", " ".join([*told, values.get("description", "")]).strip())


def definition(text: str, line: int, column: int) -> int | None:
    """The line of the name of the element that the word at a place means."""
    lines = text.splitlines()
    shown = lines[line] if line < len(lines) else ""
    whole = next(
        (m[0][1:-1] for m in _QUOTED.finditer(shown) if m.start() <= column <= m.end()), None
    )
    wanted = [word for word in (whole, _word_at(shown, column)) if word]
    if whole is None:
        return None
    for word in wanted:
        for number, entry in enumerate(lines):
            if any(match[1][1:-1] == word for match in _NAME.finditer(entry)):
                return number
    return None


def _word_at(line: str, column: int) -> str:
    return next((m[0] for m in _WORD.finditer(line) if m.start() <= column <= m.end()), "")


def _table_at(lines: list[str], line: int) -> tuple[str, str]:
    """Word of the table that a line stands in, and its kind if it has one."""
    for number in range(min(line, len(lines) - 1), -1, -1):
        if (header := _HEADER.match(lines[number])) is not None:
            return header[1], dict(_entries(lines, number + 1)).get("kind", "")
    return "", ""


def _entries(lines: list[str], line: int) -> list[tuple[str, str]]:
    """Keys and plain values of the table around a line, up to the next header."""
    start = line
    while start > 0 and not _HEADER.match(lines[start - 1]):
        start -= 1
    found = []
    for entry in lines[start:]:
        if _HEADER.match(entry):
            break
        if (key := _KEY.match(entry)) is not None:
            found.append((key[1], entry[key.end() :].split("#")[0].strip().strip("\"'")))
    return found


@cache
def _schema() -> dict[str, Any]:
    text = (files("eomc.cli") / "model.schema.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def _definition_of(table: str, kind: str = "") -> dict[str, Any]:
    """The schema of a table, that of its kind where kinds differ."""
    schema: dict[str, Any] = _schema()["$defs"].get(table, {})
    for rule in schema.get("allOf", ()):
        word = rule["if"]["properties"]["kind"]
        if kind and kind in (word.get("const"), *word.get("enum", ())):
            then: dict[str, Any] = rule["then"]
            common, own = schema["properties"], then["properties"]
            fields = {word: {**common.get(word, {}), **own.get(word, {})} for word in common | own}
            return {**schema, **then, "properties": fields}
    return schema


def _of_key(table: str, kind: str, key: str) -> str | None:
    schema = _definition_of(table, kind) if table else _schema()
    field = schema.get("properties", {}).get(key)
    if field is None:
        return None
    told = [field.get("description", "")]
    if "enum" in field:
        told.append("one of " + ", ".join(map(str, field["enum"])))
    if "default" in field:
        told.append(f"default {json.dumps(field['default'])}")
    return _described(key, "; ".join(filter(None, told)))


def _described(word: str, told: str | None) -> str:
    return f"**{word}** {told or ''}".strip()
