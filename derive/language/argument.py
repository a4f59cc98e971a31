"""Arguments of declarations, read one by one: what they must be is said where they are not."""

from __future__ import annotations

from typing import Any

from eomc.derive.language.errors import ModelError


def text(value: Any, what: str) -> str:
    """A string that can be written to a file."""
    if not isinstance(value, str):
        raise ModelError(f"{what}: give text, not {type(value).__name__}")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise ModelError(f"{what}: the text is not valid Unicode")
    return value


def flag(value: Any, what: str) -> bool:
    """True or false, and nothing that is only like them."""
    if not isinstance(value, bool):
        raise ModelError(f"{what}: give true or false, not {value!r}")
    return value
