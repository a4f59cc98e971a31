"""Every scalar of a declaration, and so every name that stands in an expression."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeAlias

from eomc.derive.elements.element import Element
from eomc.derive.fields.field import fields_of
from eomc.derive.fields.scope import PARAMETERS, Scope
from eomc.derive.language.errors import ModelError
from eomc.derive.language.scalar import scalar, symbols_of

__all__ = ["Scalars", "argument_of", "scalars", "scope_of"]

#: Field, value, and the names that stand in it.
Scalars: TypeAlias = tuple[tuple[str, Any, tuple[str, ...]], ...]

#: Forms of deformable bodies are told by this property: models without any do not load their class.
_OF_FORM = "scalars"


def scalars(word: str, declared: Any) -> Scalars:
    """Every scalar of a record, also inside tuples and placements, with its field's name."""
    found = []
    for field, value in _fields(declared):
        try:
            found += [(field, leaf, tuple(symbols_of(leaf))) for leaf in _leaves(value)]
        except ModelError as error:
            raise error.within(f"{word} {declared.name!r}", declared.source) from None
    return tuple(found)


def _fields(declared: Any) -> list[tuple[str, Any]]:
    names = [field.name for field in dataclasses.fields(declared)]
    return [(name, getattr(declared, name)) for name in names if name != "source"]


def _leaves(value: Any) -> list[Any]:
    """The scalars in a value, in order."""
    found: list[Any] = []
    ahead = [value]
    while ahead:
        value = ahead.pop()
        if value is None or isinstance(value, str | bool):
            continue
        if isinstance(value, tuple):
            ahead += value[::-1]
        elif hasattr(type(value), _OF_FORM):
            found += [scalar(entry, "scalars") for entry in value.scalars]
        elif dataclasses.is_dataclass(value):
            ahead += [entry for _, entry in reversed(_fields(value))]
        else:
            found.append(value)
    return found


def argument_of(declared: Any, field: str, value: Any) -> str:
    """The field, or for a scalar of a form the argument that holds its names."""
    form = getattr(declared, field, None)
    if not hasattr(type(form), _OF_FORM):
        return field
    names = set(symbols_of(value))
    for argument in getattr(form, "__dataclass_fields__", ()):
        if names & set(symbols_of(*_leaves(getattr(form, argument)))):
            return str(argument)
    return "form"


def scope_of(declared: Any, field: str) -> Scope:
    """The names that a field may hold: parameters alone, unless its record says more."""
    kinds = fields_of(type(declared)) if isinstance(declared, Element) else {}
    return kinds[field].scope if field in kinds else PARAMETERS
