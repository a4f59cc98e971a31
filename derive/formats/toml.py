"""Model files in TOML: the words are those of the Python declarations.

    version = 2
    name = "pendulum"
    gravity = [0, 0, -9.81]

    [[parameter]]
    name = "m"
    value = 1.5

    [[body]]
    name = "rod"
    mass = "m"

    [[joint]]
    name = "hinge"
    kind = "revolute"
    parent = "world"
    child = "rod"
    axis = [0, 1, 0]

Each table, such as `[[parameter]]`, `[[body]]`, `[[joint]]` and the word of every kind of element,
takes the arguments of the method of `Model` of that name; text where a number may stand is an
expression.
"""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import Format, Written, register_format
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.toml_version import TABLES, upgraded
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names
from eomc.derive.model.model import Model

__all__ = ["parse_toml", "read_toml"]

_HEAD = ("name", "gravity", "description", "inertia")
_WHOLE = ("model", "robot", "system")
_SKIPPED = re.compile(
    r"\"\"\"(?:\\.|[^\\])*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|#[^\n]*", re.DOTALL
)
_HEADER = re.compile(r"^[ \t]*\[\[[ \t]*([A-Za-z0-9_-]+)[ \t]*\]\]", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*\[?[ \t]*([A-Za-z0-9_-]+)[ \t]*[=.\]]", re.MULTILINE)
#: A dotted key of more parts than any model has; tomllib takes quadratic time over long ones.
_LONG_KEY = re.compile(r"(?<![\w\"'.-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){32}")
_PLACE = re.compile(r"\(at line (\d+), column \d+\)")


def read_toml(path: str | Path, *, check: bool = True) -> Model:
    """The model that the TOML file at `path` declares, validated if `check`.

    Raises `ModelError` with file and line for anything that is no valid model.
    """
    data = read_bytes(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ModelError("the file is not UTF-8 text", Source(str(path), line)) from None
    return parse_toml(text, str(path), check=check)


def parse_toml(text: str, file: str = "<text>", *, check: bool = True) -> Model:
    """The model that `text` declares, validated if `check`; `file` is the name told in errors.

    >>> parse_toml('name = "empty"').bodies
    {}
    """
    whole = Source(file)
    if long := _LONG_KEY.search(text):
        line = text.count("\n", 0, long.start()) + 1
        raise ModelError("no model: a dotted key of more than 32 parts", Source(file, line))
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a TOMLDecodeError is a ValueError
        message = " ".join(str(error).split()) or type(error).__name__
        place = _PLACE.search(message)
        source = Source(file, int(place[1])) if place else whole
        raise ModelError(f"no valid TOML: {message[:200]}", source) from None
    lines = _Lines(text, file)
    document = upgraded(document, lines.key("version") if "version" in document else whole)
    known = ["version", *_HEAD, *Model().tables(), *Model.composites()]
    for key in document:
        if key not in known:
            hint = near_names(key, known)
            if key in _WHOLE and isinstance(document[key], dict):
                hint = 'keys of the model stand at the top of the file: name = "arm"'
            raise ModelError(f"unknown key {key!r}; {hint}", lines.key(key))
    head = {key: document[key] for key in _HEAD if key in document}
    model = Model(**head, source=lines.key("name") if "name" in head else Source(file, 1))
    for table in (*model.tables(), *model.composites()):
        items = document.get(table, [])
        if not isinstance(items, list):
            raise ModelError(f"write each {table} as [[{table}]]", lines.key(table))
        for source, item in zip(lines.items(table, len(items)), items, strict=True):
            _declare(model, table, item, source)
    if check:
        model.validate()
    return model


def _declare(model: Model, table: str, item: Any, source: Source) -> None:
    if not isinstance(item, dict):
        raise ModelError(f"write each {table} as [[{table}]]", source)
    method = getattr(model, table)
    parameters = inspect.signature(method).parameters.items()
    any_other = inspect.Parameter.VAR_KEYWORD  # arguments of a kind, which the method checks
    takes = {
        word: parameter.default is inspect.Parameter.empty
        for word, parameter in parameters
        if word != "source" and parameter.kind is not any_other
    }
    if any_other in [parameter.kind for _, parameter in parameters]:
        takes |= dict.fromkeys(item.keys() - takes.keys() - {"source"}, False)
    element = f"{table} {str(item.get('name', ''))[:80]!r}"
    for key in item:
        if key not in takes:
            raise ModelError(f"{element}: unknown key {key!r}; {near_names(key, takes)}", source)
    for word, needed in takes.items():
        if needed and word not in item:
            raise ModelError(f"{element}: needs {word}", source)
    method(**item, source=source)


class _Lines:
    """Lines at which the tables and keys of a document stand."""

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        # Strings and comments could hold anything that looks like a header: blank them, keep the
        # lines.
        plain = _SKIPPED.sub(lambda match: '""' + "\n" * match[0].count("\n"), text)
        self.headers = self._places(_HEADER, plain)
        self.keys = self._places(_KEY, plain)

    def _places(self, pattern: re.Pattern[str], text: str) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        line, position = 1, 0
        for match in pattern.finditer(text):
            line += text.count("\n", position, match.start(1))
            position = match.start(1)
            places.setdefault(TABLES.get(match[1], match[1]), []).append(line)
        return places

    def key(self, key: str) -> Source:
        """Place of a top-level key or of the first table of that name."""
        lines = self.headers.get(key) or self.keys.get(key) or [0]
        return Source(self.file, lines[0])

    def items(self, table: str, count: int) -> list[Source]:
        """Places of the `count` elements of a table."""
        lines = self.headers.get(table, [])
        if len(lines) != count:
            lines = (self.keys.get(table) or [0])[:1] * count
        return [Source(self.file, line) for line in lines]


def _read(path: str | Path, *, snap: float) -> Model:
    """Its numbers are exact as they stand."""
    return read_toml(path, check=False)


def _write(model: Model) -> Written:
    """All of it."""
    from eomc.derive.formats.toml_writer import toml_text

    return Written(toml_text(model))


register_format(Format("TOML", (".toml",), _read, write=_write))
