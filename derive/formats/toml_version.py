"""Versions of model files in TOML: old words are read in files of version 1, with one warning."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.renamed import new_key

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
            items = [
                dict(_keys(table, item, renamed)) if isinstance(item, dict) else item
                for item in items
            ]
            items = [*found.get(table, []), *items]
        found[table] = items
    found.pop("version", None)
    if renamed and version == 1:
        told = ", ".join(f"{old} is now {new}" for old, new in renamed.items())
        warnings.warn(
            f"{source.file}: model file of version 1: {told}; write version = {VERSION}",
            stacklevel=4,
        )
    elif renamed:
        old, new = next(iter(renamed.items()))
        raise ModelError(f"{old} is now {new}", source)
    return found


def _keys(
    table: str, item: Mapping[str, Any], renamed: dict[str, str]
) -> Iterator[tuple[str, Any]]:
    """Keys and values of one element with today's names."""
    for key, value in item.items():
        new = new_key(table, key)
        if key == "friction" and isinstance(value, Mapping):
            for old in value.keys() & _FRICTION.keys():
                renamed[f"{table} friction.{old}"] = f"friction.{_FRICTION[old]}"
            value = {_FRICTION.get(word, word): entry for word, entry in value.items()}
        if new is not None:
            renamed[f"{table} {key}"] = new
        yield new or key, value
