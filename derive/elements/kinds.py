"""Kinds of elements, by the words that model files have for them.

A kind that acts is a file in `eomc.derive.forces`; constraints and visual shapes have folders too.
Each file is imported when a model declares the first element of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from eomc.derive.language.registry import Registry

if TYPE_CHECKING:
    from eomc.derive.elements.element import Element

__all__ = ["ELEMENTS", "acting_words", "element_kinds", "element_words"]

_ACTING = "eomc.derive.forces"
ELEMENTS: Registry[type[Element]] = Registry("element", _ACTING, "eomc.derive.elements")


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
    for module, (word, *_), _ in ELEMENTS.lines:
        words[not module.startswith(f"{_ACTING}.")].append(word)
    return words


def _words_of_user(acting: bool) -> list[str]:
    own = ELEMENTS.known.keys() - ELEMENTS.module.keys()
    known = ELEMENTS.known.items()
    return [word for word, kind in known if word in own and kind.acts == acting] if own else []


def element_kinds() -> Mapping[str, type[Element]]:
    """Every kind of element by its word, in that order; imports all of them."""
    return {word: ELEMENTS[word] for word in element_words()}
