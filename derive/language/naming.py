"""Names of model elements: which are allowed, and which must differ from each other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from eomc.derive.language.errors import ModelError, Source
from eomc.derive.language.grammar import QUALIFIERS, RESERVED
from eomc.derive.language.motion_name import MOTIONS

__all__ = ["CALLED_WORLD", "MOST_LETTERS", "WORLD", "check_name", "check_new", "check_word"]

#: Name of the base, the inertial frame in which gravity is given.
WORLD = "world"
#: Other names that the field has for it, for messages.
CALLED_WORLD = dict.fromkeys(("base", "earth", "ground", "inertial", "origin"), WORLD)
MOST_LETTERS = 256
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def check_name(name: Any) -> str:
    """`name` itself, if it is printable text; names of files (URDF) are kept as they are.

    Raises `ModelError` for empty, unprintable or very long names, surrounding blanks and
    "speed(..." and its like.
    """
    if not isinstance(name, str):
        raise ModelError(f"the name is text, not {type(name).__name__}")
    if not name or name != name.strip() or not name.isprintable():
        raise ModelError(
            "the name is empty, unprintable or has surrounding blanks; give plain text"
        )
    if len(name) > MOST_LETTERS:
        raise ModelError(f"the name is longer than {MOST_LETTERS} characters")
    for word in (*QUALIFIERS, *MOTIONS):
        if name.startswith(f"{word}("):
            raise ModelError(f"a name must not begin with '{word}('")
    return name


def check_word(name: Any) -> str:
    """`name` itself, if it is a plain word of expressions: a parameter's or input's name."""
    word = check_name(name)
    if not _WORD.match(word):
        raise ModelError("the name must be a plain word: letters, digits and _, no digit first")
    if word in RESERVED or word == "t":
        raise ModelError(f"{word!r} is a reserved word of expressions; choose another name")
    return word


def check_new(name: str, kind: str, elements: Mapping[str, Any]) -> None:
    """Raise `ModelError` if an element of that name stands already, saying where."""
    if name in elements:
        source: Source | None = getattr(elements[name], "source", None)
        place = f" (first at {source})" if source else ""
        raise ModelError(f"there are two of this name{place}; names of {kind} must differ")
