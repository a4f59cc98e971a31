"""Kinds of elements, by the words that model files have for them.

A kind that acts is a file in `eomc.derive.forces`; constraints and visual shapes have folders too.
Each file is imported when a model declares the first element of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from eomc.derive.language.kind_files import KindFiles

if TYPE_CHECKING:
    from eomc.derive.elements.element import Element

__all__ = ["FILES", "KINDS", "acting_words", "element_kinds", "element_words"]

_ACTING = "eomc.derive.forces"
FILES = KindFiles(
    "@element", _ACTING, "eomc.derive.elements", "eomc.derive.constraints", "eomc.derive.visuals"
)
#: The kinds that are imported, by their words.
KINDS: dict[str, type[Element]] = {}


def element_words() -> list[str]:
    """Words of all kinds in the order of files: those that act first, those of the user behind
    those of this package."""
    own = [words[0] for _, words in FILES.lines]
    return sorted([*own, *(word for word in KINDS if word not in FILES.module)], key=_rests)


def acting_words() -> list[str]:
    """Words of the kinds that act, in that order."""
    return [word for word in element_words() if not _rests(word)]


def _rests(word: str) -> bool:
    if word in KINDS:
        return not KINDS[word].acts
    return not FILES.module[word].startswith(f"{_ACTING}.")


def element_kinds() -> Mapping[str, type[Element]]:
    """Every kind of element by its word, in that order; imports all of them."""
    FILES.load_all()
    return {word: KINDS[word] for word in element_words()}
