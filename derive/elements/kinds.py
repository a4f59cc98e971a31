"""Kinds of elements, by the words that model files have for them.

A kind that acts is a file in `eomc.derive.forces`; constraints and visual shapes have folders too.
Each file is imported when a model declares the first element of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
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
    return [*acting_words(), *_words_of_files()[1], *_words_of_user(acting=False)]


def acting_words() -> list[str]:
    """Words of the kinds that act, in that order."""
    return [*_words_of_files()[0], *_words_of_user(acting=True)]


@cache
def _words_of_files() -> tuple[list[str], list[str]]:
    """Words of the kinds of this package that act, and of those that do not."""
    words: tuple[list[str], list[str]] = ([], [])
    for module, (word, *_) in FILES.lines:
        words[not module.startswith(f"{_ACTING}.")].append(word)
    return words


def _words_of_user(acting: bool) -> list[str]:
    own = KINDS.keys() - FILES.module.keys()
    return [word for word in KINDS if word in own and KINDS[word].acts == acting] if own else []


def element_kinds() -> Mapping[str, type[Element]]:
    """Every kind of element by its word, in that order; imports all of them."""
    FILES.load_all()
    return {word: KINDS[word] for word in element_words()}
