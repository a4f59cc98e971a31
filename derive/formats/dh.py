"""Denavit-Hartenberg tables: in Python by `from_dh`, from CSV files by `read_dh`.

    # convention: standard
    # name: arm
    a,   alpha, d, theta, mass, x,     y, z, ixx, iyy,  izz
    0.5, 0,     0, 0,     1.0,  -0.25, 0, 0, 0,   0.02, 0.02

A line a link. Columns besides those of the table: kind, name, link, mass, the centre of mass
x, y, z, the inertia about it ixx, iyy, izz, ixy, ixz, iyz, and losses, drive and limits of the
joint. Lines of words after # say the convention, and may say name, gravity, degrees (true for
angles in degrees).
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from eomc.derive.formats.format import SNAP, Format, register_format
from eomc.derive.formats.model_file import read_bytes
from eomc.derive.formats.xml_file import finite_numbers
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.near_names import near_names
from eomc.derive.model.dh_chain import CONVENTIONS, JOINT_WORDS, NUMBERS
from eomc.derive.model.model import Model

__all__ = ["from_dh", "read_dh"]

_HEAD = re.compile(r"#\s*(\w+)\s*:\s*(.*)")
_HEADS = ("convention", "name", "gravity", "degrees")
_TEXTS = ("kind", "name", "link")
_COM = ("x", "y", "z")
_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_COLUMNS = (*_TEXTS, *NUMBERS, "mass", *_COM, *_MOMENTS, *JOINT_WORDS)
_MOST = 1000


def from_dh(
    links: Sequence[Mapping[str, Any]],
    *,
    convention: str,
    name: str = "arm",
    gravity: Sequence[Any] = (0, 0, -9.81),
    inertia: str = "error",
    base: Any = None,
    tool: Any = None,
) -> Model:
    """A serial robot from its Denavit-Hartenberg table, one mapping a link.

    The words are those of `eomc.derive.model.dh_chain.declare_dh_chain`; `inertia` is that of
    `eomc.Model`: tables of real robots hold inertias that no body has.

    >>> link = {"a": 0.5, "mass": 1, "com": (-0.25, 0, 0), "inertia": (0, 0.02, 0.02)}
    >>> from_dh([link, link], convention="standard").coordinates
    ('arm_1', 'arm_2')

    Raises `ModelError` naming the row and the argument.
    """
    model = Model(name, gravity=gravity, inertia=inertia)
    model.dh_chain(name, links=links, convention=convention, base=base, tool=tool)
    return model


def read_dh(path: str | Path, *, snap: float = SNAP) -> Model:
    """The robot in the CSV file at `path`. Raises `ModelError` with file, line and column."""
    file = str(path)
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelError("the file is not UTF-8 text", Source(file)) from None
    head, lines = _split(text, file)
    if "convention" not in head:
        raise ModelError(
            "says no convention; write '# convention: standard' or '# convention: modified'",
            Source(file, 1),
        )
    degrees = head.get("degrees", ("false", Source(file)))[0].lower() == "true"
    rows = _rows(lines, file, degrees)
    convention, place = head["convention"]
    if convention not in CONVENTIONS:
        raise ModelError(
            f"convention: no {convention[:80]!r}; {near_names(convention[:80], CONVENTIONS)}", place
        )
    gravity: Sequence[float] = (0, 0, -9.81)
    if "gravity" in head:
        gravity = finite_numbers(
            head["gravity"][0].replace(",", " "), 3, "gravity", head["gravity"][1]
        )
    name = head.get("name", (Path(file).stem, place))[0]
    model = Model(name, gravity=gravity, inertia="warn", source=place)
    model.dh_chain(name, links=rows, convention=convention, source=Source(file, lines[0][0]))
    return model


def _split(text: str, file: str) -> tuple[dict[str, tuple[str, Source]], list[tuple[int, str]]]:
    """Words after #, and numbered lines of the table."""
    head: dict[str, tuple[str, Source]] = {}
    lines: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = _HEAD.fullmatch(line.strip())
        if found and found[1] in _HEADS:
            head[found[1]] = (found[2].strip(), Source(file, number))
        elif line.strip() and not line.lstrip().startswith("#"):
            lines.append((number, line))
    if len(lines) < 2:
        raise ModelError("has no table: a line of column names, then a line a link", Source(file))
    if len(lines) > _MOST:
        raise ModelError(f"has more than {_MOST} links", Source(file))
    return head, lines


def _rows(lines: list[tuple[int, str]], file: str, degrees: bool) -> list[dict[str, Any]]:
    first, names = lines[0][0], _cells(lines[0], file)
    for column in names:
        if column not in _COLUMNS or names.count(column) > 1:
            known = near_names(column[:80], _COLUMNS)
            what = "stands twice" if column in _COLUMNS else f"is unknown; {known}"
            raise ModelError(f"column {column[:80]!r} {what}", Source(file, first))
    rows = []
    for number, line in lines[1:]:
        source = Source(file, number)
        cells = _cells((number, line), file)
        if len(cells) != len(names):
            raise ModelError(f"has {len(cells)} cells; there are {len(names)} columns", source)
        given = {column: cell for column, cell in zip(names, cells, strict=True) if cell}
        rows.append(_row(given, source, degrees))
    return rows


def _cells(line: tuple[int, str], file: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line[1]]))]
    except csv.Error as error:
        raise ModelError(f"no line of a table: {error}", Source(file, line[0])) from None


def _row(given: dict[str, str], source: Source, degrees: bool) -> dict[str, Any]:
    values = {
        word: finite_numbers(text, 1, f"column {word!r}", source)[0]
        for word, text in given.items()
        if word not in _TEXTS
    }
    row: dict[str, Any] = {word: given[word] for word in _TEXTS if word in given}
    for word in (*NUMBERS, "mass", *JOINT_WORDS):
        if word in values:
            turned = degrees and word in ("alpha", "theta")
            row[word] = math.radians(values[word]) if turned else values[word]
    if any(word in values for word in _COM):
        row["com"] = tuple(values.get(word, 0) for word in _COM)
    if any(word in values for word in _MOMENTS):
        row["inertia"] = tuple(values.get(word, 0) for word in _MOMENTS)
    return row


register_format(Format("Denavit-Hartenberg table", (".csv",), read_dh, inertia="warn"))
