"""JSON Schema of records, from what their fields say."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

from eomc.derive.fields.field import FieldKind, is_required

__all__ = ["described", "schema_of_fields", "schema_of_kinds", "schema_of_record", "sentence"]


def sentence(record: Any) -> str:
    """The first paragraph of a docstring, on one line."""
    return " ".join(inspect.cleandoc(record.__doc__ or "").partition("\n\n")[0].split())


def described(entry: dataclasses.Field[Any]) -> dict[str, Any]:
    """Type, meaning, units and default of a field."""
    kind: FieldKind | None = entry.metadata.get("kind")
    if kind is None:
        return {}
    found = dict(kind.schema())
    units = f"[{kind.units}]" if kind.units else ""
    if told := " ".join(part for part in (kind.meaning, units) if part):
        found["description"] = told
    default = list(entry.default) if isinstance(entry.default, tuple) else entry.default
    if isinstance(default, int | float | str | bool | list) and default != "":
        found["default"] = default
    return found


def schema_of_fields(fields: Mapping[str, dataclasses.Field[Any]]) -> dict[str, Any]:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {name: described(entry) for name, entry in fields.items()},
        "required": [name for name, entry in fields.items() if is_required(entry)],
        "additionalProperties": False,
    }


def schema_of_record(record: type) -> dict[str, Any]:
    """An object with the fields of a record, but for its source."""
    fields = {f.name: f for f in dataclasses.fields(record) if f.init and f.name != "source"}
    found = schema_of_fields(fields)
    if "name" in fields:
        found["properties"]["name"] = {"type": "string"}
    return {"description": sentence(record), **found}


def schema_of_kinds(
    place: str, kinds: Mapping[str, Any], common: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The definition `place`: an object whose `kind` says which fields it has besides those that
    `common`, the schema of an object, has.

    Editors complete by the list of properties, and check by the branch of the kind. `kinds` are
    records, or schemas of objects.
    """
    shared = common or {"properties": {}, "required": []}
    words: dict[str, Any] = {}
    branches = []
    for word, made in kinds.items():
        own = made if isinstance(made, dict) else schema_of_record(made)
        words |= {name: {} for name in own["properties"]}
        known = {
            name: {"$ref": f"#/$defs/{place}/properties/{name}"} for name in shared["properties"]
        }
        then = {
            **own,
            "properties": {"kind": {"const": word}, **known, **own["properties"]},
            "required": ["kind", *shared["required"], *own["required"]],
        }
        when = {"properties": {"kind": {"const": word}}, "required": ["kind"]}
        branches.append({"if": when, "then": then})
    return {
        "type": "object",
        "properties": {"kind": {"enum": list(kinds)}, **words, **shared["properties"]},
        "required": ["kind"],
        "allOf": branches,
    }
