"""Versions of model files in TOML: old words are read in files of version 1, with one warning."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from eomc.derive.elements.constraint import CONSTRAINTS
from eomc.derive.elements.kinds import ELEMENTS
from eomc.derive.fields.field import FieldKind, fields_of
from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.renamed import KEYS

__all__ = ["TABLES", "VERSION", "upgraded"]

VERSION = 2

TABLES = {"drive": "servo_constraint", "guess": "initial_guess", "prescribe": "prescribed"}
"""Tables of version 1 by their names in version 2."""

_FRICTION = {"form": "regularization"}
"""Keys of the friction of contacts and joints."""


def upgraded(document: dict[str, Any], source: Source) -> dict[str, Any]:
    """The document with the words of version 2, without its version; warns of old words once.

    Raises `ModelError` for another version, and for old words in a file of version 2.
    """
    version = document.get("version", 1)
    if version not in (1, VERSION) or isinstance(version, bool):
        raise ModelError(f"version is {version!r}; valid: 1, {VERSION}", source)
    renamed: dict[str, str] = {}
    found: dict[str, Any] = {}
    for word, items in document.items():
        table = TABLES.get(word, word)
        if table != word:
            renamed[f"[[{word}]]"] = f"[[{table}]]"
        if isinstance(items, list):
            items = [_item(table, i, renamed) if isinstance(i, dict) else i for i in items]
            items = [*found.get(table, []), *items]
        found[table] = items
    found.pop("version", None)
    if renamed and version == 1:
        sentence = ", ".join(f"{old} is now {new}" for old, new in renamed.items())
        warnings.warn(
            f"{source.file}: model file of version 1: {sentence}; write version = {VERSION}",
            stacklevel=4,
        )
    elif renamed:
        old, new = next(iter(renamed.items()))
        raise ModelError(f"{old} is now {new}", source)
    return found


def _fields(table: str, item: Mapping[str, Any]) -> Mapping[str, FieldKind]:
    """The fields of an element of this table."""
    if table == "constraint":
        record: type | None = CONSTRAINTS.get(str(item.get("kind")))
    elif table == "deformable":
        from eomc.derive.bodies.form import FORMS  # other models load no forms

        record = FORMS.get(str(item.get("kind", item.get("form"))))
    else:
        record = ELEMENTS.get(table)
    return {} if record is None else fields_of(record)


def _kinds(table: str, item: dict[str, Any], renamed: dict[str, str]) -> dict[str, Any]:
    """One element, each part of which has its kind."""
    found: dict[str, Any] = {}
    for word, value in item.items():
        is_part = dict in map(type, value if isinstance(value, list) else (value,))
        if is_part and (field := _fields(table, item).get(word)):
            changes: dict[str, str] = {}
            found[word] = field.upgraded(value, changes)
            renamed |= {f"{table} {word}: {old}": new for old, new in changes.items()}
    return {**item, **found} if found else item


def _item(table: str, item: dict[str, Any], renamed: dict[str, str]) -> dict[str, Any]:
    """One element with today's names of keys."""
    item = _kinds(table, item, renamed)
    names = KEYS.get(table, {})
    friction = item.get("friction")
    old_friction = isinstance(friction, Mapping) and friction.keys() & _FRICTION.keys()
    if not (old_friction or item.keys() & names.keys()):
        return item
    for old in (old for old in names if old in item):
        renamed[f"{table} {old}"] = names[old]
    found = {names.get(key, key): value for key, value in item.items()}
    if old_friction and isinstance(friction, Mapping):
        renamed |= {f"{table} friction.{old}": _FRICTION[old] for old in old_friction}
        found["friction"] = {_FRICTION.get(key, key): value for key, value in friction.items()}
    return found
